/** What schemas say of the fields of a value. */
import { DEFINITIONS, type JsonSchema } from '../../web/engine/generated/schemas'

export const asSchema = (value: unknown): JsonSchema =>
  typeof value === 'object' && value !== null ? (value as JsonSchema) : {}

/** The definition behind a reference. */
export function resolved(schema: JsonSchema): JsonSchema {
  const name = /^#\/\$defs\/(\w+)$/.exec(String(schema.$ref))?.[1]
  return name === undefined ? schema : resolved(DEFINITIONS[name] ?? {})
}

/** Schemas of a field in any of the alternatives. */
export function fieldsOf(schema: JsonSchema, key: string): readonly JsonSchema[] {
  const { properties, additionalProperties, anyOf } = resolved(schema)
  if (Array.isArray(anyOf)) return anyOf.flatMap(alternative => fieldsOf(asSchema(alternative), key))
  const declared = asSchema(properties)
  const field = Object.hasOwn(declared, key) ? declared[key] : additionalProperties
  return typeof field === 'object' ? [asSchema(field)] : []
}

/** The items of a list, in any of the alternatives. */
function itemsOf(schema: JsonSchema): readonly JsonSchema[] {
  const { items, anyOf } = resolved(schema)
  if (Array.isArray(anyOf)) return anyOf.flatMap(alternative => itemsOf(asSchema(alternative)))
  return typeof items === 'object' ? [asSchema(items)] : []
}

/**
 * The path of the first key that a schema has nowhere, as `filter.pid`; absent where it has all. Types are not checked:
 * the engine does that, but it ignores keys that it does not know.
 */
export function unknownKey(schemas: readonly JsonSchema[], value: unknown, path = ''): string | undefined {
  if (Array.isArray(value)) {
    const items = schemas.flatMap(itemsOf)
    if (items.length === 0) return undefined
    return value.map((item, i) => unknownKey(items, item, `${path}[${i}]`)).find(found => found !== undefined)
  }
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, field] of Object.entries(value)) {
    const place = path === '' ? key : `${path}.${key}`
    const fields = schemas.flatMap(schema => fieldsOf(schema, key))
    const found = fields.length === 0 ? place : unknownKey(fields, field, place)
    if (found !== undefined) return found
  }
  return undefined
}
