/** From runs with labels to a matrix: one figure by parts of the labels, as bug reports print it. Several runs in a cell are averaged. */
import { change } from '../lib/format'
import type { Verdict } from './rows'
import type { Scale } from './scale'

/** A run with its figure. */
export interface Measured {
  readonly id: string
  readonly letter: string
  readonly label: string
  /** By part, in the order of the axis' parts. */
  readonly row: readonly string[]
  readonly column: readonly string[]
  /** Absent: does not apply, or not known yet. */
  readonly value?: number
  /** Lost events make the value wrong. */
  readonly spoiled: boolean
}

/** One row or column. */
export interface Line {
  /** Its values, joined. */
  readonly key: string
  readonly values: readonly string[]
}

/** The runs of a row and a column. */
export interface Cell {
  readonly runs: readonly Measured[]
  /** Runs that have the figure. */
  readonly n: number
  /** Mean of those; absent when none has it. */
  readonly mean?: number
  /** Least and most, and the standard deviation between the runs; from two runs on. */
  readonly spread?: { readonly least: number; readonly most: number; readonly sd: number }
  readonly spoiled: boolean
}

export interface Matrix {
  readonly rows: readonly Line[]
  readonly columns: readonly Line[]
  /** By row and column; absent: no run. */
  readonly cells: readonly (readonly (Cell | undefined)[])[]
}

const keyOf = (values: readonly string[]): string => values.join('\u0001')

const NATURAL = new Intl.Collator('en', { numeric: true })

/** Numbers by size, words in the order in which their runs stand. */
function linesOf(all: readonly (readonly string[])[]): readonly Line[] {
  const lines = [...new Map(all.map(values => [keyOf(values), { key: keyOf(values), values }])).values()]
  const ordinal = lines.every(({ values }) => values.length === 1 && /^\d/.test(values[0] ?? ''))
  return ordinal ? lines.toSorted((a, b) => NATURAL.compare(a.key, b.key)) : lines
}

function cellOf(runs: readonly Measured[]): Cell | undefined {
  if (runs.length === 0) return undefined
  const values = runs.flatMap(run => run.value ?? [])
  const n = values.length
  const spoiled = runs.some(run => run.spoiled && run.value !== undefined)
  if (n === 0) return { runs, n, spoiled }
  const mean = values.reduce((sum, v) => sum + v, 0) / n
  if (n === 1) return { runs, n, mean, spoiled }
  const sd = Math.sqrt(values.reduce((sum, v) => sum + (v - mean) ** 2, 0) / (n - 1))
  return { runs, n, mean, spread: { least: Math.min(...values), most: Math.max(...values), sd }, spoiled }
}

export function matrixOf(runs: readonly Measured[]): Matrix {
  const rows = linesOf(runs.map(run => run.row))
  const columns = linesOf(runs.map(run => run.column))
  const at = (row: Line, column: Line) => runs.filter(run => keyOf(run.row) === row.key && keyOf(run.column) === column.key)
  return { rows, columns, cells: rows.map(row => columns.map(column => cellOf(at(row, column)))) }
}

/** Cells that a line or a run is compared with: the row or column of the base. */
export interface Base {
  readonly axis: 'row' | 'column'
  readonly key: string
}

/** The cell against which another one's change is told; absent for a cell of the base itself. */
export function baseCell(matrix: Matrix, base: Base | undefined, row: number, column: number): Cell | undefined {
  if (!base) return undefined
  const lines = base.axis === 'row' ? matrix.rows : matrix.columns
  const at = lines.findIndex(line => line.key === base.key)
  if (at < 0 || at === (base.axis === 'row' ? row : column)) return undefined
  return base.axis === 'row' ? matrix.cells[at]?.[column] : matrix.cells[row]?.[at]
}

export interface Change {
  readonly text: string
  /** `noise`: each of the two has several runs, and some of the one lie among those of the other. */
  readonly verdict: Exclude<Verdict, 'unsure'>
}

const overlap = (a: Cell, b: Cell): boolean =>
  a.spread !== undefined && b.spread !== undefined && a.spread.least <= b.spread.most && b.spread.least <= a.spread.most

/** From the base to a cell; worse and better only where there is a good side, and both values are right. */
export function changeOf(cell: Cell | undefined, base: Cell | undefined, good: 'less' | 'more' | undefined): Change | undefined {
  if (cell?.mean === undefined || base?.mean === undefined) return undefined
  const text = change(base.mean, cell.mean)
  if (cell.spoiled || base.spoiled) return { text, verdict: 'spoiled' }
  if (text === 'same') return { text, verdict: 'same' }
  if (overlap(cell, base)) return { text, verdict: 'noise' }
  if (good === undefined) return { text, verdict: 'changed' }
  return { text, verdict: cell.mean < base.mean === (good === 'less') ? 'better' : 'worse' }
}

export type Mark = 'best' | 'worst' | 'most' | 'least'

/** The ends of each column: best and worst where there is a good side, else most and least. None in a column of one, of equals, or of spoiled values, and none that the runs of another cell reach. */
export function marksOf({ rows, columns, cells }: Matrix, good: 'less' | 'more' | undefined): readonly (readonly (Mark | undefined)[])[] {
  const [high, low]: readonly [Mark, Mark] = good === undefined ? ['most', 'least'] : good === 'more' ? ['best', 'worst'] : ['worst', 'best']
  const ends = columns.map((_, c) => {
    const values = rows.flatMap((_, r) => (cells[r]?.[c]?.spoiled ? [] : (cells[r]?.[c]?.mean ?? [])))
    return values.length < 2 ? undefined : ([Math.max(...values), Math.min(...values)] as const)
  })
  return cells.map(row =>
    row.map((cell, c) => {
      const end = ends[c]
      if (!end || end[0] === end[1] || cell?.mean === undefined || cell.spoiled) return undefined
      if (cells.some(other => other[c] && other[c] !== cell && overlap(cell, other[c]))) return undefined
      return cell.mean === end[0] ? high : cell.mean === end[1] ? low : undefined
    }),
  )
}

/** The largest mean, or upper end of a spread, for a scale from 0. */
export function mostOf({ cells }: Matrix): number {
  return Math.max(0, ...cells.flatMap(row => row.flatMap(cell => cell?.spread?.most ?? cell?.mean ?? [])))
}

/** A value in the unit of the matrix. */
export const scaled = (value: number | undefined, { per }: Scale): number | undefined => (value === undefined ? undefined : value / per)
