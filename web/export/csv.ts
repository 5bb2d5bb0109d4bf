/** Requests as CSV (RFC 4180): a header line, then one line per request; absent values are empty. */
import { csvQuoted, formulaSafe } from '../lib/text/csv'
import { COLUMNS, type ExportCell, type RequestFile, type WriteChunk } from './columns'

/** Rows per chunk of text. */
const ROWS = 8192
const encoder = new TextEncoder()

/** `raw`: names stay as they are, also those that a spreadsheet runs as formulas. */
export function createCsv(write: WriteChunk, raw = false): RequestFile {
  const text = raw ? csvQuoted : (cell: string) => csvQuoted(formulaSafe(cell))
  const encodeCell = (cell: ExportCell): string =>
    cell === undefined ? '' : typeof cell === 'string' ? text(cell) : String(cell)
  const header = `${COLUMNS.map(column => column.name).join(',')}\r\n`
  let begun = false
  const begin = async () => {
    if (!begun) await write(encoder.encode(header))
    begun = true
  }
  return {
    async add(rows, owner) {
      await begin()
      const cells = COLUMNS.map(column => column.cells(rows, owner))
      for (let from = 0; from < rows.n; from += ROWS) {
        let lines = ''
        for (let i = from; i < Math.min(rows.n, from + ROWS); i++)
          lines += `${cells.map(cell => encodeCell(cell(i))).join(',')}\r\n`
        await write(encoder.encode(lines))
      }
    },
    finish: begin,
  }
}
