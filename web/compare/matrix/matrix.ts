/** Runs with labels arranged as a matrix, as bug reports print it, and the engine's figures in its cells. */
import type { CellChange, CellFigure, MatrixFigure, MatrixQuery } from '../../engine/protocol'
import { change } from '../../lib/format'
import type { Scale } from '../scale'

/** A run and its place in the matrix. */
export interface PlacedRun {
  readonly id: string
  readonly letter: string
  readonly label: string
  /** Values of the label dimensions, in the order of the axis. */
  readonly row: readonly string[]
  readonly column: readonly string[]
}

/** One row or column. */
export interface MatrixLine {
  /** Its values, joined. */
  readonly key: string
  readonly values: readonly string[]
}

/** The runs of each row and column. */
export interface MatrixArrangement {
  readonly rows: readonly MatrixLine[]
  readonly columns: readonly MatrixLine[]
  /** Runs by row and column; an empty list: no run. */
  readonly cells: readonly (readonly (readonly PlacedRun[])[])[]
}

/** A figure in the cells of an arrangement. */
export interface Matrix extends Pick<MatrixArrangement, 'rows' | 'columns'> {
  /** Cells by row and column; `undefined`: no run. */
  readonly cells: readonly (readonly (MatrixCell | undefined)[])[]
}

export interface MatrixCell extends CellFigure {
  readonly runs: readonly MeasuredRun[]
  /** Spread of the values within a single run, from other figures of the run. */
  readonly within?: CellRange
  /** Against the base cell; absent for cells of the base, and where one of the two lacks the figure. */
  readonly change?: CellChange & { readonly text: string }
  /** The base cell, if there is one. */
  readonly base?: { readonly runs: readonly PlacedRun[]; readonly mean?: number }
}

export interface CellRange {
  readonly sd?: number
  readonly least?: number
  readonly most?: number
}

interface MeasuredRun extends PlacedRun {
  /** Absent: not applicable, or not known yet. */
  readonly value?: number
  readonly unreliable: boolean
}

/** The row or column with which cells are compared. */
export interface MatrixBase {
  readonly axis: 'row' | 'column'
  readonly key: string
}

const keyOf = (values: readonly string[]): string => values.join('\u0001')

const NATURAL = new Intl.Collator('en', { numeric: true })

/** Numbers by size, words in the order of their runs. */
function linesOf(all: readonly (readonly string[])[]): readonly MatrixLine[] {
  const lines = [...new Map(all.map(values => [keyOf(values), { key: keyOf(values), values }])).values()]
  const ordinal = lines.every(({ values }) => values.length === 1 && /^\d/.test(values[0] ?? ''))
  return ordinal ? lines.toSorted((a, b) => NATURAL.compare(a.key, b.key)) : lines
}

export function arrange(runs: readonly PlacedRun[]): MatrixArrangement {
  const rows = linesOf(runs.map(run => run.row))
  const columns = linesOf(runs.map(run => run.column))
  const at = (row: MatrixLine, column: MatrixLine) =>
    runs.filter(run => keyOf(run.row) === row.key && keyOf(run.column) === column.key)
  return { rows, columns, cells: rows.map(row => columns.map(column => at(row, column))) }
}

/** Index of the cell, row by row, with which a cell is compared; absent for cells of the base itself. */
function baseIndex(
  { rows, columns }: MatrixArrangement,
  base: MatrixBase | undefined,
  row: number,
  column: number,
): number | undefined {
  if (!base) return undefined
  const at = (base.axis === 'row' ? rows : columns).findIndex(line => line.key === base.key)
  if (at < 0 || at === (base.axis === 'row' ? row : column)) return undefined
  return base.axis === 'row' ? at * columns.length + column : row * columns.length + at
}

/** Indexes of the rows or columns that are compared with the base: in the order of the sweeps. */
export function comparedLines(
  { rows, columns }: Pick<MatrixArrangement, 'rows' | 'columns'>,
  base: MatrixBase | undefined,
): readonly number[] {
  const lines = base?.axis === 'column' ? columns : rows
  const at = base === undefined ? -1 : lines.findIndex(line => line.key === base.key)
  return at < 0 ? [] : [...lines.keys()].filter(line => line !== at)
}

/** The query of the engine, without the runs. `ids` are the runs whose figures are known. */
export function cellsOf(
  arrangement: MatrixArrangement,
  base: MatrixBase | undefined,
  ids: readonly string[],
): Omit<MatrixQuery, 'runs'> {
  const { columns, cells } = arrangement
  const compared = comparedLines(arrangement, base)
  const pairLines = cells.flatMap((row, r) =>
    row.flatMap((_, c) => (baseIndex(arrangement, base, r, c) === undefined ? [] : [base?.axis === 'row' ? r : c])),
  )
  return {
    sweeps: compared.map(at => pairLines.flatMap((line, pair) => (line === at ? [pair] : []))),
    cells: cells.flat().map(runs => runs.map(run => ids.indexOf(run.id)).filter(index => index >= 0)),
    pairs: cells.flatMap((row, r) =>
      row.flatMap((_, c) => {
        const against = baseIndex(arrangement, base, r, c)
        return against === undefined ? [] : [[against, r * columns.length + c] as const]
      }),
    ),
    columns: columns.map((_, c) => cells.map((_, r) => r * columns.length + c)),
  }
}

export interface Filling {
  readonly arrangement: MatrixArrangement
  readonly query: Omit<MatrixQuery, 'runs'>
  /** Ids of the runs of the query. */
  readonly ids: readonly string[]
}

/** The cells with one figure of the answer. */
export function filled({ arrangement, query, ids }: Filling, figure: MatrixFigure | undefined): Matrix {
  const { rows, columns, cells } = arrangement
  const all = cells.flat()
  const places = new Map(ids.map((id, at) => [id, at]))
  const unreliable = new Set(figure?.unreliable)
  const pairOf = new Map(query.pairs.map(([, other], pair) => [other, pair]))
  const measured = (run: PlacedRun): MeasuredRun => {
    const at = places.get(run.id) ?? -1
    const value = figure?.values[at] ?? undefined
    return { ...run, ...(value !== undefined && { value }), unreliable: unreliable.has(at) }
  }
  const cell = (runs: readonly PlacedRun[], at: number): MatrixCell | undefined => {
    if (runs.length === 0) return undefined
    const own = figure?.cells[at] ?? { n: 0, unreliable: false }
    const pair = pairOf.get(at) ?? -1
    const [against] = query.pairs[pair] ?? []
    const found = figure?.changes[pair]
    const mean = against === undefined ? undefined : figure?.cells[against]?.mean
    const baseRuns = against === undefined ? [] : (all[against] ?? [])
    return {
      ...own,
      runs: runs.map(measured),
      ...(baseRuns.length > 0 && { base: { runs: baseRuns, ...(mean !== undefined && { mean }) } }),
      ...(found &&
        own.mean !== undefined &&
        mean !== undefined && { change: { ...found, text: change(mean, own.mean) } }),
    }
  }
  return { rows, columns, cells: cells.map((row, r) => row.map((runs, c) => cell(runs, r * columns.length + c))) }
}

/** Thresholds of the pairs of which both cells have the figure. */
export const thresholdsOf = ({ thresholds, changes }: MatrixFigure): readonly number[] =>
  thresholds.filter((_, pair) => changes[pair])

/** A value in the unit of the matrix. */
export const scaled = (value: number | undefined, { per }: Scale): number | undefined =>
  value === undefined ? undefined : value / per
