/**
 * A file of requests: which rows are queried from the engine, and who writes them. Shared by the page and the
 * command line. The one place where rows cross the boundary.
 */
import type { Query, RequestColumns } from '../engine/protocol'
import type { RequestFile, WriteChunk } from './columns'
import { createCsv } from './csv'

export const FORMATS = ['csv', 'parquet'] as const
export type ExportFormat = (typeof FORMATS)[number]

/** Rows per query. */
const LIMIT = 65_536

/**
 * The writer of Parquet is loaded on demand. `raw`: names in CSV stay as they are, also those that a spreadsheet runs
 * as formulas.
 */
export async function createFile(format: ExportFormat, write: WriteChunk, raw = false): Promise<RequestFile> {
  if (format === 'csv') return createCsv(write, raw)
  const { createParquet } = await import('./parquet').catch(() => {
    throw new Error('the writer of Parquet could not be loaded. Check the connection and retry, or save CSV')
  })
  return createParquet(write)
}

export type RequestSelection = Omit<Query<'columns'>, 'from' | 'limit'>

/** All rows of a selection in time order, in pages of `LIMIT` rows. */
export async function* pages(
  query: (parameters: Query<'columns'>) => RequestColumns | Promise<RequestColumns>,
  selection: RequestSelection,
): AsyncGenerator<RequestColumns> {
  for (let from = 0; from >= 0; ) {
    const rows = await query({ ...selection, from, limit: LIMIT })
    if (rows.n > 0) yield rows
    from = rows.next
  }
}
