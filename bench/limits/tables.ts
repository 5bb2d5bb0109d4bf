/** Tables of digests that cost the most for their size. */

import { COLUMNS, createRow, parquetOf } from '../../tests/digestTables'
import type { DigestRow } from '../../web/export/digests'
import { always, type WorstCase } from './worst'

type Columns = typeof COLUMNS

const MODULE = 'bench/limits/openTable.mjs'
const table = (name: string, bytes: (scale: number) => Promise<Uint8Array>): WorstCase => ({
  name,
  module: MODULE,
  command: [],
  files: async scale => [['table.parquet', await bytes(scale)]],
})

const same = (n: number, more: DigestRow = {}): readonly DigestRow[] =>
  Array.from({ length: n }, () => createRow(1, more))
const numbered = (n: number): Columns =>
  Array.from({ length: n }, (_, i) => ({ name: `figure_${i}`, type: 'DOUBLE' as const }))

export const TABLES: readonly WorstCase[] = [
  always(table('many rows that are alike', scale => parquetOf(same(4000 * scale), COLUMNS))),
  table('digests that unpack to a thousand times their size', scale =>
    parquetOf(
      Array.from({ length: 40 * scale }, (_, i) => createRow(i, { digest: `${i} ${'x'.repeat(500_000)}` })),
      COLUMNS,
    ),
  ),
  table('texts that are all different', scale =>
    parquetOf(
      Array.from({ length: 2000 * scale }, (_, i) => createRow(i)),
      COLUMNS,
    ),
  ),
  table('columns without a value', scale => parquetOf(same(20), [...COLUMNS, ...numbered(400 * scale)])),
  table('groups of one row', scale => parquetOf(same(50 * scale), COLUMNS, 1)),
]
