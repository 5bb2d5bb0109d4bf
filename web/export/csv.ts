/** Requests as CSV (RFC 4180): a header line, then one line per request; absent values are empty. */
import { COLUMNS, type ExportCell, type RequestFile, type WriteChunk } from './columns'

/** Rows per chunk of text. */
const ROWS = 8192
const encoder = new TextEncoder()

const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

const written = (cell: ExportCell): string => (cell === undefined ? '' : typeof cell === 'string' ? quoted(cell) : String(cell))

export function createCsv(write: WriteChunk): RequestFile {
  const begun = write(encoder.encode(`${COLUMNS.map(column => column.name).join(',')}\r\n`))
  return {
    async add(rows, of) {
      await begun
      const cells = COLUMNS.map(column => column.cells(rows, of))
      for (let from = 0; from < rows.n; from += ROWS) {
        let text = ''
        for (let i = from; i < Math.min(rows.n, from + ROWS); i++) text += `${cells.map(cell => written(cell(i))).join(',')}\r\n`
        await write(encoder.encode(text))
      }
    },
    finish: async () => begun,
  }
}
