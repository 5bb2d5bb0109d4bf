/** Cells of CSV (RFC 4180), safe to open in a spreadsheet. */

/** Beginnings of a cell that spreadsheets run as a formula, or skip and then run the rest. */
const FORMULA = /^[=+\-@\t\r\n]/
/** A figure as text, or only its sign: `-48%`. */
const FIGURE = /^[+-]?(\d[\d,]*(\.\d+)?(e[+-]?\d+)?%?)?$/i

/** Puts an apostrophe before a name that a spreadsheet would run as a formula. Figures are returned unchanged. */
export const formulaSafe = (cell: string): string => (FORMULA.test(cell) && !FIGURE.test(cell) ? `'${cell}` : cell)

/** Quotes a cell that contains a quote, comma or line break; a quote is written twice. */
export const csvQuoted = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
