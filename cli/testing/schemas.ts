/** For tests: documents against their schemas, and changed documents that no schema may accept. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { JsonSchema } from '../../web/engine/generated/schemas'
import type { DocumentName } from '../schema/documents'
import { schemaOf } from '../schema/schema'

export const compiled = (schema: JsonSchema): ValidateFunction =>
  new Ajv2020({ strict: true, allowUnionTypes: true }).compile(schema)

const validators = new Map<DocumentName, ValidateFunction>()

function validatorOf(name: DocumentName): ValidateFunction {
  const validator = validators.get(name) ?? compiled(schemaOf(name))
  validators.set(name, validator)
  return validator
}

/** What is wrong with a document, by the schema of this name. */
export function faultsOf(name: DocumentName, document: unknown): readonly string[] {
  const validate = validatorOf(name)
  if (validate(document)) return []
  return (validate.errors ?? []).map(({ instancePath, message, params }) => {
    return `${instancePath} ${message} ${JSON.stringify(params)}`
  })
}

type JsonPlace = readonly (string | number)[]

/** A copy in which one value is another one. */
function changed(document: unknown, [step, ...rest]: JsonPlace, value: (old: unknown) => unknown): unknown {
  if (step === undefined) return value(document)
  if (Array.isArray(document)) return document.map((item, i) => (i === step ? changed(item, rest, value) : item))
  const object = document as Readonly<Record<string, unknown>>
  return { ...object, [step]: changed(object[step], rest, value) }
}

/** The places of a document, one of each kind: items of a list are of one kind. */
function placesOf(document: unknown): ReadonlyMap<string, JsonPlace> {
  const found = new Map<string, JsonPlace>()
  const visit = (value: unknown, place: JsonPlace) => {
    const kind = place.map(step => (typeof step === 'number' ? '*' : step)).join('/')
    if (!found.has(kind)) found.set(kind, place)
    if (Array.isArray(value)) for (const [i, item] of value.entries()) visit(item, [...place, i])
    else if (typeof value === 'object' && value !== null)
      for (const [key, item] of Object.entries(value)) visit(item, [...place, key])
  }
  visit(document, [])
  return found
}

/** A value of a type that no field has beside the type of `old`: sentences consist of texts and objects. */
const otherType = (old: unknown): unknown => (typeof old === 'object' && old !== null ? -1.5 : { other: true })

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Places at which a schema accepts an unknown key or another type. */
export function looseness(name: DocumentName, document: unknown): readonly string[] {
  const valid = validatorOf(name)
  return [...placesOf(document)].flatMap(([kind, place]) => {
    const found = place.reduce<unknown>((value, step) => (value as Readonly<Record<string, unknown>>)[step], document)
    const unknownKey = (old: unknown) => ({ ...(old as object), 'no such key': { other: true } })
    return [
      ...(valid(changed(document, place, otherType)) ? [`${kind}: another type`] : []),
      ...(isObject(found) && valid(changed(document, place, unknownKey)) ? [`${kind}: an unknown key`] : []),
    ]
  })
}
