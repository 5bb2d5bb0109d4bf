/** `seekscope schema`: JSON Schemas (draft 2020-12) of the documents. */
import { DEFINITIONS, type JsonSchema } from '../../web/engine/generated/schemas'
import { print } from '../output/output'
import { DOCUMENT_NAMES, type DocumentName, documentSource } from './documents'
import { changesSchema, digestSchema } from './tables'

const DRAFT = 'https://json-schema.org/draft/2020-12/schema'
const REFERENCE = /^#\/\$defs\//

/** Names of the definitions that a schema refers to, directly. */
function* references(schema: unknown): Generator<string> {
  if (typeof schema !== 'object' || schema === null) return
  for (const [key, value] of Object.entries(schema)) {
    if (key === '$ref' && typeof value === 'string') yield value.replace(REFERENCE, '')
    else yield* references(value)
  }
}

/** All definitions that some schemas refer to, by name. */
export function definitionsOf(schemas: readonly unknown[]): Readonly<Record<string, JsonSchema>> {
  const found = new Map<string, JsonSchema>()
  const waiting: unknown[] = [...schemas]
  for (const schema of waiting)
    for (const name of references(schema)) {
      const definition = DEFINITIONS[name]
      if (definition === undefined) throw new Error(`no definition ${name}`)
      if (!found.has(name)) waiting.push(definition)
      found.set(name, definition)
    }
  return Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** The schema of a document, complete in itself. */
export function schemaOf(name: DocumentName): JsonSchema {
  const { printed, lines, type } = documentSource(name)
  const about = { $schema: DRAFT, title: `seekscope: ${printed}${lines ? ', a document per line' : ''}` }
  if (type === undefined) return { ...about, ...(name === 'digest' ? digestSchema() : changesSchema()) }
  const root = { $ref: `#/$defs/${type}` }
  return { ...about, ...root, $defs: definitionsOf([root]) }
}

/** Descriptions of documents are those of their types. */
export function documentList(): string {
  const width = Math.max(...DOCUMENT_NAMES.map(name => name.length))
  const rows = DOCUMENT_NAMES.map(name => `${name.padEnd(width)}  ${schemaOf(name).title}`)
  return rows.map(row => `${row.replace('seekscope: ', '')}\n`).join('')
}

/** Prints the schema of a document, or lists the documents. */
export const printSchema = (name: DocumentName | undefined): Promise<void> =>
  print(name === undefined ? documentList() : `${JSON.stringify(schemaOf(name), undefined, 2)}\n`)
