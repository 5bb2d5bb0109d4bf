/** Requests as CSV (RFC 4180): a header line, then one line per request; absent values are empty. */
import { COLUMNS } from './columns.js'

/** Rows of one piece of text. */
const ROWS = 8192
const encoder = new TextEncoder()

/** @param {string} text */
const quoted = text => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** @param {import('./columns.js').ExportCell} cell */
const written = cell => (cell === undefined ? '' : typeof cell === 'string' ? quoted(cell) : String(cell))

/** @param {import('./file.js').WriteChunk} sink @returns {import('./file.js').RequestFile} */
export function createCsv(sink) {
  const begun = sink(encoder.encode(`${COLUMNS.map(column => column.name).join(',')}\r\n`))
  return {
    async add(page, of) {
      await begun
      const cells = COLUMNS.map(column => column.cells(page, of))
      for (let from = 0; from < page.n; from += ROWS) {
        let text = ''
        for (let i = from; i < Math.min(page.n, from + ROWS); i++) text += `${cells.map(cell => written(cell(i))).join(',')}\r\n`
        await sink(encoder.encode(text))
      }
    },
    finish: async () => begun,
  }
}
