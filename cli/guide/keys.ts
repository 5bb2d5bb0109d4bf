/** Descriptions of paths into documents, from the schemas. */
import { DEFINITIONS, type JsonSchema } from '../../web/engine/generated/schemas'
import { type DocumentName, documentSource } from '../schema/documents'

const asSchema = (value: unknown): JsonSchema =>
  typeof value === 'object' && value !== null ? (value as JsonSchema) : {}

/** The definition behind a reference. */
function resolved(schema: JsonSchema): JsonSchema {
  const name = /^#\/\$defs\/(\w+)$/.exec(String(schema.$ref))?.[1]
  return name === undefined ? schema : resolved(DEFINITIONS[name] ?? {})
}

/** Schemas of a field in any of the alternatives. */
function fieldsOf(schema: JsonSchema, key: string): readonly JsonSchema[] {
  const { properties, additionalProperties, anyOf } = resolved(schema)
  if (Array.isArray(anyOf)) return anyOf.flatMap(alternative => fieldsOf(asSchema(alternative), key))
  const field = asSchema(properties)[key] ?? (properties === undefined ? additionalProperties : undefined)
  return field === undefined ? [] : [asSchema(field)]
}

/**
 * What the schema says of a path such as `devices[].depth.mean`: the description of the field, else that of its type.
 * Absent where the document has no such path.
 */
export function descriptionOf(name: DocumentName, path: string): string | undefined {
  let found: readonly JsonSchema[] = [{ $ref: `#/$defs/${documentSource(name).type}` }]
  for (const step of path.split('.')) {
    const fields = found.flatMap(schema => fieldsOf(schema, step.replace(/\[\]$/, '')))
    found = step.endsWith('[]') ? fields.map(field => asSchema(resolved(field).items)) : fields
  }
  const [first] = found
  return first && String(first.description ?? resolved(first).description ?? '')
}
