/** Tables of digests that cost the most for their size. */
import { gzipSync } from 'node:zlib'
import { createTable, type DigestRow } from '../../web/export/digests'
import { COLUMNS, madeRow } from '../digestTables'
import { always, type WorstCase } from './worst'

type Columns = Parameters<typeof createTable>[0]

/** Written at once: the writer waits for nothing. */
function parquet(rows: readonly DigestRow[], columns: Columns, group = 500): Uint8Array {
  const pieces: Uint8Array[] = []
  const table = createTable(columns, gzipSync, bytes => void pieces.push(bytes))
  for (let from = 0; from < rows.length; from += group) void table.add(rows.slice(from, from + group))
  void table.finish()
  return Buffer.concat(pieces)
}

const MODULE = 'tests/limits/openTable.mjs'
const table = (name: string, bytes: (scale: number) => Uint8Array): WorstCase => ({
  name,
  module: MODULE,
  command: [],
  files: scale => [['table.parquet', bytes(scale)]],
})

const same = (n: number, more: DigestRow = {}): readonly DigestRow[] => Array.from({ length: n }, () => madeRow(1, more))
const numbered = (n: number): Columns => Array.from({ length: n }, (_, i) => ({ name: `figure_${i}`, type: 'DOUBLE' as const }))

export const TABLES: readonly WorstCase[] = [
  always(table('many rows that are alike', scale => parquet(same(4000 * scale), COLUMNS))),
  table('digests that unpack to a thousand times their size', scale => parquet(same(40 * scale, { digest: 'x'.repeat(500_000) }), COLUMNS)),
  table('texts that are all different', scale =>
    parquet(
      Array.from({ length: 2000 * scale }, (_, i) => madeRow(i)),
      COLUMNS,
    ),
  ),
  table('columns without a value', scale => parquet(same(20), [...COLUMNS, ...numbered(400 * scale)])),
  table('groups of one row', scale => parquet(same(50 * scale), COLUMNS, 1)),
]
