import { UsageError } from '../../program/usage'
import { DOCUMENT_NAMES, type DocumentName, isDocumentName } from '../../schema/documents'
import type { CommandDefinition } from '../shared/definition'

export const schema: CommandDefinition = {
  group: 'For scripts',
  summary: 'Print the JSON Schema of a document, or list the documents',
  about: [
    'Schemas are of draft 2020-12, and made from the types of the program: they describe each field with its ' +
      'unit, and refuse fields that they do not have. Fields may be added to a document without another number in ' +
      'its field schema; a script that validates should take the schema from the same version.',
  ],
  operands: { name: 'NAME', words: DOCUMENT_NAMES },
  options: [],
  examples: ['schema', 'schema summary > summary.schema.json'],
  async run({ operands: [name] }) {
    const chosen = readDocumentName(name)
    await (await import('../../schema/schema')).printSchema(chosen)
  },
}

function readDocumentName(name: string | undefined): DocumentName | undefined {
  if (name === undefined || isDocumentName(name)) return name
  throw new UsageError(`schema: there is no document ${name}; use ${DOCUMENT_NAMES.join(', ')}`)
}
