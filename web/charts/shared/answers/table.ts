/** A chart's data as a table: on the page, as text for email (72 columns, ASCII) and as CSV. */
import { csvQuoted, formulaSafe } from '../../../lib/text/csv'

interface TableColumn {
  readonly label: string
  /** Text is aligned left; numbers, the default, right. */
  readonly text?: boolean
}

export interface Table {
  readonly title: string
  readonly columns: readonly TableColumn[]
  readonly rows: readonly (readonly (string | number)[])[]
}

const ASCII: Readonly<Record<string, string>> = {
  '\u2212': '-',
  '\u00d7': 'x',
  '\u00b5': 'u',
  '\u2013': '-',
  '\u2026': '...',
  '\u2019': "'",
  '\u00b1': '+-',
  '\u2192': '->',
}

/** Plain ASCII: `x` for ×, `-` for −, `u` for µ; other characters become `?`. */
export function ascii(text: string): string {
  return [...text].map(c => ASCII[c] ?? ((c.codePointAt(0) ?? 0) < 128 ? c : '?')).join('')
}

/** Breaks a sentence into lines of at most `width` characters. */
export function wrap(text: string, width = 72): string {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/\s+/)) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line].join('\n')
}

const shownValue = (value: string | number): string =>
  typeof value === 'number' ? String(+value.toPrecision(6)) : value

/** Fixed width, aligned; the first text column is truncated when 72 columns are too few. */
export function toText(table: Table): string {
  const cells = [table.columns.map(c => c.label), ...table.rows.map(row => row.map(shownValue))].map(row =>
    row.map(ascii),
  )
  const widths = table.columns.map((_, i) => Math.max(...cells.map(row => row[i]?.length ?? 0)))
  const over = widths.reduce((a, b) => a + b, 0) + 2 * (widths.length - 1) - 72
  const widest = table.columns.findIndex(c => c.text)
  if (over > 0 && widest >= 0) widths[widest] = Math.max(12, (widths[widest] ?? 0) - over)
  const lines = cells.map(row =>
    row
      .map((cell, i) => {
        const width = widths[i] ?? 0
        const cut = cell.length > width ? `${cell.slice(0, width - 1)}~` : cell
        return table.columns[i]?.text ? cut.padEnd(width) : cut.padStart(width)
      })
      .join('  ')
      .trimEnd(),
  )
  return [wrap(ascii(table.title)), '', ...lines, ''].join('\n')
}

/** Renames columns: CSV has room for units, email has not. */
export const renamed = (table: Table, names: Readonly<Record<string, string>>): Table => ({
  ...table,
  columns: table.columns.map(column => ({ ...column, label: names[column.label] ?? column.label })),
})

/** Adds the labels of runs to their letters: a file is read without the page. */
export function withLabels(table: Table, runs: readonly { readonly letter: string; readonly label: string }[]): Table {
  const labels = new Map(runs.map(({ letter, label }) => [letter, label]))
  const [first, ...rest] = table.columns
  if (first?.label === 'run') {
    const label = (letter: string | number | undefined) => labels.get(String(letter)) ?? ''
    return {
      ...table,
      columns: [first, { label: 'label', text: true }, ...rest],
      rows: table.rows.map(([letter, ...cells]) => [letter ?? '', label(letter), ...cells]),
    }
  }
  return renamed(table, Object.fromEntries(runs.map(({ letter, label }) => [letter, `${letter} ${label}`])))
}

/** RFC 4180, numbers in full precision. */
export function toCsv(table: Table): string {
  const cell = (value: string | number): string =>
    typeof value === 'number' ? String(value) : csvQuoted(formulaSafe(value))
  const lines = [table.columns.map(c => cell(c.label)), ...table.rows.map(row => row.map(cell))]
  return `${lines.map(line => line.join(',')).join('\r\n')}\r\n`
}
