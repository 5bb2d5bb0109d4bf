/** Cells of CSV (RFC 4180). */

/** What a spreadsheet takes for a formula, or drops to find one behind it. */
const FORMULA = /^[=+\-@\t\r\n]/
/** A figure as text, or only its sign: `-48%`. */
const FIGURE = /^[+-]?(\d[\d,]*(\.\d+)?(e[+-]?\d+)?%?)?$/i

/** A name that a spreadsheet would run as a formula, as text: behind an apostrophe. Figures stay as they are. */
export const formulaSafe = (cell: string): string => (FORMULA.test(cell) && !FIGURE.test(cell) ? `'${cell}` : cell)

/** In quotation marks where necessary. */
export const csvQuoted = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
