/**
 * The matrix as bug reports print it: text of 72 columns, tab-separated for spreadsheets, and CSV with everything
 * behind the cells.
 */
import { WHY_UNRELIABLE } from '../../charts/shared/answers/lost'
import { ascii, toCsv, wrap } from '../../charts/shared/answers/table'
import type { MatrixAxes, MatrixAxis, MatrixFigure, SweepTest } from '../../engine/protocol'
import { ascii as plainWords, typographic, type Words } from '../../lib/format'
import { formulaSafe } from '../../lib/text/csv'
import type { CellScale, Scale } from '../scale'
import { comparedLines, inScale, type Matrix, type MatrixBase, type MatrixCell, type MatrixLine } from './matrix'

const WIDTH = 72
const LABEL = 30
/** Width of row labels next to at most two columns, characters. */
const WIDE_LABEL = 44

export interface MatrixView {
  readonly matrix: Matrix
  readonly axes: MatrixAxes
  readonly figure: Pick<MatrixFigure, 'key' | 'label' | 'sweeps'>
  readonly scale: CellScale
  readonly base: MatrixBase | undefined
}

/** `bfq idle0`, and `writers 4`: a number alone would not be understood. */
export function nameOf({ values }: MatrixLine, axes: readonly MatrixAxis[]): string {
  const names = values.flatMap((value, i) =>
    value === '' ? [] : [/^\d+$/.test(value) ? `${axes[i]?.name} ${value}` : value],
  )
  return names.join(' ') || (axes.length === 0 ? 'all' : `no ${axes.map(axis => axis.name).join(', ')}`)
}

const linesOf = ({ matrix, axes }: MatrixView, { axis }: MatrixBase) =>
  axis === 'row' ? { lines: matrix.rows, axes: axes.rows } : { lines: matrix.columns, axes: axes.columns }

export function nameOfBase(view: MatrixView, base: MatrixBase): string {
  const { lines, axes } = linesOf(view, base)
  const line = lines.find(line => line.key === base.key)
  return line ? nameOf(line, axes) : ''
}

/** Names of the lines that were compared with the base, each with its test. */
export function sweepLines(
  view: MatrixView,
  base: MatrixBase,
): readonly (readonly [string, SweepTest | null | undefined])[] {
  const { lines, axes } = linesOf(view, base)
  return comparedLines(view.matrix, base).map((lineIndex, i) => {
    const line = lines[lineIndex]
    return [line ? nameOf(line, axes) : '', view.figure.sweeps?.[i]] as const
  })
}

/** The mean of a cell as text; `-` without a run, `?` if no run has the figure. */
export function meanText(
  cell: Pick<MatrixCell, 'mean'> | undefined,
  scale: CellScale,
  words: Words = typographic,
): string {
  if (!cell) return '-'
  const value = inScale(cell.mean, scale)
  return value === undefined ? '?' : words.fixed(value, scale.decimals)
}

const unitOf = ({ unit }: Scale): string => (unit === '' ? '' : `, ${unit}`)

/**
 * The matrix as ASCII text of fixed width. Columns that do not fit follow in another block with the row labels
 * repeated.
 */
export function asText({ matrix, axes, figure, scale, base }: MatrixView): string {
  const isBase = (axis: MatrixBase['axis'], line: MatrixLine) => base?.axis === axis && base.key === line.key
  const names = matrix.rows.map(line => ascii(`${nameOf(line, axes.rows)}${isBase('row', line) ? ' (base)' : ''}`))
  const room = matrix.columns.length <= 2 ? WIDE_LABEL : LABEL
  const truncate = (name: string, limit: number) => (name.length > limit ? `${name.slice(0, limit - 1)}~` : name)
  // Names that become equal when truncated are replaced by numbers, and listed below the table.
  const numbered = new Set(names.map(name => truncate(name, room))).size < new Set(names).size
  const rowNames = numbered ? names.map((_, i) => `row ${i + 1}`) : names
  const width = Math.min(room, Math.max(...rowNames.map(name => name.length)))
  const columns = matrix.columns.map((line, c) => {
    const head =
      axes.columns.length === 0 ? '' : ascii(`${nameOf(line, axes.columns)}${isBase('column', line) ? ' (base)' : ''}`)
    const spreads = matrix.rows.map((_, r) => {
      const cell = matrix.cells[r]?.[c]
      const spread = cell?.spread ? ` +-${plainWords.fixed(cell.spread.sd / scale.per, scale.decimals)}` : ''
      return cell?.unreliable ? `${spread}*` : spread
    })
    const behind = Math.max(...spreads.map(text => text.length))
    const cells = matrix.rows.map(
      (_, r) => `${meanText(matrix.cells[r]?.[c], scale, plainWords)}${spreads[r]?.padEnd(behind) ?? ''}`,
    )
    const natural = Math.max(head.length, ...cells.map(cell => cell.length))
    const fits = Math.min(natural, WIDTH - width - 2)
    return [head, ...cells].map(text => truncate(text, fits).padStart(fits + 2))
  })
  const blocks: string[] = []
  for (let from = 0; from < columns.length; ) {
    let [to, used] = [from, width]
    while (to < columns.length && (to === from || used + (columns[to]?.[0]?.length ?? 0) <= WIDTH))
      used += columns[to++]?.[0]?.length ?? 0
    const part = columns.slice(from, to)
    const lines = ['', ...rowNames].map((name, i) =>
      `${truncate(name, width).padEnd(width)}${part.map(column => column[i] ?? '').join('')}`.trimEnd(),
    )
    blocks.push(lines.filter((line, i) => i > 0 || line !== '').join('\n'))
    from = to
  }
  const runs = matrix.cells.flat().flatMap(cell => cell?.runs ?? [])
  const averaged = matrix.cells.flat().some(cell => (cell?.n ?? 0) > 1)
  const notes = [
    ...(numbered ? [...names.map((name, i) => wrap(`row ${i + 1}: ${name}`)), ''] : []),
    averaged ? 'Mean of the runs of a cell, +- their standard deviation.' : undefined,
    matrix.cells.flat().some(cell => cell === undefined) ? '- no run' : undefined,
    matrix.cells.flat().some(cell => cell && cell.n === 0) ? '? not measured' : undefined,
    runs.some(run => run.unreliable) ? `* Unreliable: ${WHY_UNRELIABLE}.` : undefined,
  ].filter(note => note !== undefined)
  return [
    wrap(ascii(`${figure.label}${unitOf(scale)}`)),
    '',
    blocks.join('\n\n'),
    ...(notes.length > 0 ? ['', ...notes] : []),
    '',
  ].join('\n')
}

/** The matrix as tab-separated values in full precision, for spreadsheets. */
export function asTsv({ matrix, axes, figure, scale }: MatrixView): string {
  const plain = (text: string) => text.replace(/[\t\r\n]/g, ' ')
  const head = [
    `${figure.label}${unitOf(scale)}`,
    ...matrix.columns.map(line => (axes.columns.length === 0 ? '' : nameOf(line, axes.columns))),
  ]
  const rows = matrix.rows.map((line, r) => [
    nameOf(line, axes.rows),
    ...matrix.columns.map((_, c) => inScale(matrix.cells[r]?.[c]?.mean, scale) ?? ''),
  ])
  const cellText = (cell: string | number) => plain(typeof cell === 'number' ? String(cell) : formulaSafe(cell))
  return [head, ...rows].map(row => `${row.map(cellText).join('\t')}\n`).join('')
}

/** One line per cell with runs: the mean and the values behind it. */
export function asCsv({ matrix, axes, figure, scale }: MatrixView): string {
  const rows = matrix.rows.flatMap((row, r) =>
    matrix.columns.flatMap((column, c) => {
      const cell = matrix.cells[r]?.[c]
      if (!cell) return []
      const { spread, mean, n, runs, unreliable, change } = cell
      const values = [mean, spread?.sd, spread?.least, spread?.most].map(v => inScale(v, scale) ?? '')
      const names = runs.map(run => `${run.letter} ${run.label}`).join('; ')
      return [
        [
          ...row.values,
          ...column.values,
          figure.key,
          scale.unit,
          n,
          ...values,
          unreliable ? 'unreliable' : (change?.verdict ?? ''),
          change?.text ?? '',
          names,
        ],
      ]
    }),
  )
  const heads = [...axes.rows, ...axes.columns].map(axis => axis.name)
  const labels = [...heads, 'key', 'unit', 'runs', 'mean', 'sd', 'least', 'most', 'verdict', 'change', 'of']
  return toCsv({ title: '', columns: labels.map(label => ({ label })), rows })
}
