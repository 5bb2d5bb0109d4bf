/** Tables of digests for tests, written by the writer of `seekscope digest`. */
import { gzipSync } from 'node:zlib'
import { createTable, type DigestRow } from '../web/export/digests'
import type { TableSource } from '../web/fleet/table/outline'

type Columns = Parameters<typeof createTable>[0]

/** The least that a table of digests has, and some figures. */
export const COLUMNS: Columns = [
  { name: 'schema', type: 'INT32' },
  { name: 'run', type: 'STRING' },
  { name: 'trace', type: 'STRING' },
  { name: 'sha256', type: 'STRING' },
  { name: 'position', type: 'INT32' },
  { name: 'kernel', type: 'STRING' },
  { name: 'device', type: 'STRING' },
  { name: 'dev', type: 'STRING' },
  { name: 'compared', type: 'BOOLEAN' },
  { name: 'findings', type: 'STRING' },
  { name: 'events', type: 'INT64' },
  { name: 'iops', type: 'DOUBLE' },
  { name: 'iops_bins', type: 'LIST' },
  { name: 'digest', type: 'STRING' },
]

/** Row `i` of a made table; every seventh has no kernel, every fifth no figure. */
export const createRow = (i: number, extra: DigestRow = {}): DigestRow => ({
  schema: 1,
  run: `run ${i}`,
  trace: `traces/${i}`,
  sha256: i.toString(16).padStart(64, '0'),
  position: i,
  ...(i % 7 !== 6 && { kernel: `6.${i % 3}` }),
  device: i % 2 === 0 ? 'sda' : 'nvme0n1',
  dev: i % 2 === 0 ? '8,0' : '259,0',
  compared: i % 2 === 0,
  ...(i % 3 === 0 && { findings: i % 2 === 0 ? 'slow-tail' : 'slow-tail,small-requests' }),
  events: 1000 + i,
  ...(i % 5 !== 4 && { iops: 100 + i / 8 }),
  iops_bins: [i, null, i + 0.5],
  digest: JSON.stringify({ label: `run ${i}`, filler: 'x'.repeat(200) }),
  ...extra,
})

export const createRows = (n: number): readonly DigestRow[] => Array.from({ length: n }, (_, i) => createRow(i))

/** Writes rows as Parquet with row groups of `group` rows. */
export async function parquetOf(
  rows: readonly DigestRow[],
  columns: Columns = COLUMNS,
  group = 500,
): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = []
  const table = createTable(columns, gzipSync, bytes => void pieces.push(bytes))
  for (let from = 0; from < rows.length; from += group) await table.add(rows.slice(from, from + group))
  await table.finish()
  return Uint8Array.from(Buffer.concat(pieces))
}

export const sourceOf = (bytes: Uint8Array<ArrayBuffer> | string, path = 'fleet.parquet'): TableSource => ({
  name: path.split('/').at(-1) ?? path,
  path,
  blob: new Blob([bytes]),
})
