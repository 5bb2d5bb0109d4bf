/** Schemas of rows, from the columns that write them. */
import type { JsonSchema } from '../../web/engine/generated/schemas'
import { CHANGE_COLUMNS } from '../builds/output'
import { columnsOfDigests } from '../fleet/digest'

interface SchemaColumn {
  readonly name: string
  readonly type: 'STRING' | 'BOOLEAN' | 'INT32' | 'INT64' | 'DOUBLE' | 'LIST'
}

const CELLS: Readonly<Record<SchemaColumn['type'], JsonSchema>> = {
  STRING: { type: 'string' },
  BOOLEAN: { type: 'boolean' },
  INT32: { type: 'integer' },
  INT64: { type: 'integer' },
  DOUBLE: { type: 'number' },
  LIST: { type: 'array', items: { type: ['number', 'null'] } },
}

/** A row as an object: a cell without a value has no field. */
const rowSchema = (
  columns: readonly SchemaColumn[],
  required: readonly string[],
  others: JsonSchema | false,
): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(columns.map(({ name, type }) => [name, CELLS[type]])),
  required,
  additionalProperties: others,
})

/** A row of `digest`. docs/at-scale.md describes the columns. */
export const digestSchema = (): JsonSchema => ({
  description:
    'A device of a run. Times are in ns, sizes in bytes, shares 0 to 1; a figure that the recording cannot have ' +
    'is absent.',
  ...rowSchema(columnsOfDigests(), ['schema', 'run', 'trace', 'sha256', 'position', 'device', 'dev'], false),
})

/** A row of `builds -o`: besides, it has a text per dimension of the series. */
export const changesSchema = (): JsonSchema => ({
  description: 'A change of a figure in a series. Values have the unit of the figure; other fields are dimensions.',
  ...rowSchema(CHANGE_COLUMNS, ['figure', 'kind', 'verdict', 'build', 'before', 'after', 'p', 'fdr', 'event'], {
    type: 'string',
  }),
})
