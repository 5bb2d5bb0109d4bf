/** The difference table as text for a mail and as CSV. */
import { ascii, type Table, toCsv, wrap } from '../charts/shared/answers/table'
import { cell, type DifferenceRow, intervalText, unreliableNote } from './rows'

/** A column of the table: one side. */
export interface TableSide {
  /** Letter of the side; all letters of runs that the page does not group: `A-C`. */
  readonly letter: string
  readonly label: string
  readonly device: string
}

export interface DifferenceTable {
  /** Rows of benchmarks, for runs with their output. */
  readonly application: readonly DifferenceRow[]
  readonly rows: readonly DifferenceRow[]
  /** Labels of figures that are 0 in every run. */
  readonly zero: readonly string[]
}

const LABEL = 26
const WIDTH = 72

/** A change in a table cell; what is not significant is labelled as such. */
export const changeWords = (row: DifferenceRow, side: number): string => {
  const change = row.changes[side]
  return change === undefined
    ? ''
    : change.verdict === 'noise'
      ? `${change.text}, noise`
      : change.verdict === 'unsure'
        ? `${change.text}?`
        : change.text
}

/** The table as ASCII text of fixed width; two sides also get the interval. */
export function asText(
  { rows, zero, application }: DifferenceTable,
  sides: readonly TableSide[],
  baseline: number,
): string {
  const two = sides.length === 2 ? 1 - baseline : undefined
  const truncate = (text: string, width: number) => (text.length > width ? `${text.slice(0, width - 1)}~` : text)
  const head = `${'Metric'.padEnd(LABEL)}${'unit'.padStart(9)}${sides.map(side => side.letter.padStart(8)).join('')}`
  const line = (row: DifferenceRow) => {
    const values = row.values.map((v, i) =>
      `${ascii(cell(v)).replaceAll(',', '')}${row.unreliable[i] ? '*' : ''}`.padStart(8),
    )
    const change = two === undefined ? undefined : row.changes[two]
    const interval =
      change?.interval && change.verdict !== 'noise'
        ? ` (${intervalText(change.interval).replaceAll(' to ', ' .. ')})`
        : ''
    const words = two === undefined ? '' : ascii(changeWords(row, two))
    const label = truncate(row.label, LABEL).padEnd(LABEL)
    const unit = ascii(row.unit).slice(0, 8).padStart(9)
    const start = `${label}${unit}${values.join('')} ${words}`.trimEnd()
    return start.length + interval.length > WIDTH ? start : start + ascii(interval)
  }
  const parts =
    application.length === 0
      ? rows.map(line)
      : ['What the application saw', ...application.map(line), '', 'What the disk saw', ...rows.map(line)]
  const names = sides.map(side => `${side.letter}: ${ascii(side.label)}, ${side.device}`)
  const nothing = zero.length === 0 ? [] : ['', wrap(ascii(`0 in all runs: ${zero.join('; ')}.`))]
  const note = unreliableNote(
    rows,
    sides.map(side => side.letter),
  )
  const unreliable = note === undefined ? [] : ['', wrap(`* ${note}`)]
  const ratios = two === undefined ? '' : ` ${sides[two]?.letter}/${sides[baseline]?.letter} (95%)`
  return [...names, '', `${head}${ratios}`, ...parts, ...unreliable, ...nothing, ''].join('\n')
}

/** The table as CSV in full precision, with ratio, interval and verdict of each side against the baseline. */
export function asCsv({ rows, application }: DifferenceTable, sides: readonly TableSide[], baseline: number): string {
  const otherSides = sides.flatMap((side, i) => (i === baseline ? [] : [{ side, i }]))
  const grouped = [...application, ...rows].some(row => row.spreads.some(spread => spread !== undefined))
  const table: Table = {
    title: '',
    columns: [
      { label: 'key' },
      { label: 'metric' },
      { label: 'unit' },
      ...sides.flatMap(side => [
        { label: `${side.letter} ${side.label}` },
        ...(grouped ? [{ label: `${side.letter} sd` }, { label: `${side.letter} n` }] : []),
      ]),
      ...otherSides.flatMap(({ side }) => {
        const ratio = `${side.letter}/${sides[baseline]?.letter}`
        return [
          { label: ratio },
          { label: `${ratio} 95% from` },
          { label: `${ratio} 95% to` },
          { label: `${ratio} false discovery rate` },
          { label: `${side.letter} verdict` },
        ]
      }),
    ],
    rows: [...application, ...rows].map(row => [
      row.key,
      row.label,
      row.unit,
      ...row.values.flatMap((v, i) => [
        v ?? '',
        ...(grouped ? [row.spreads[i]?.sd ?? '', row.spreads[i]?.n ?? ''] : []),
      ]),
      ...otherSides.flatMap(({ i }) => {
        const { ratio, interval, fdr, verdict } = row.changes[i] ?? {}
        return [ratio ?? '', interval?.[0] ?? '', interval?.[1] ?? '', fdr ?? '', verdict ?? '']
      }),
    ]),
  }
  return toCsv(table)
}
