/** Cells of CSV (RFC 4180). */

/** What a spreadsheet takes for a formula, or drops to find one behind it. */
const FORMULA = /^[=+\-@\t\r\n]/
/** A figure as text, or only its sign: `-48%`. */
const FIGURE = /^[+-]?(\d[\d,]*(\.\d+)?(e[+-]?\d+)?%?)?$/i

/** Puts an apostrophe before a name that a spreadsheet would run as a formula. Figures are returned unchanged. */
export const formulaSafe = (cell: string): string => (FORMULA.test(cell) && !FIGURE.test(cell) ? `'${cell}` : cell)

/** Quotes a cell if necessary. */
export const csvQuoted = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
