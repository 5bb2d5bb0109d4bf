/** Descriptions of paths into documents, from the schemas. */
import type { JsonSchema } from '../../web/engine/generated/schemas'
import { type DocumentName, documentSource } from '../schema/documents'
import { asSchema, fieldsOf, resolved } from '../schema/fields'

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
