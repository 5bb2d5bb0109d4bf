/** Runs with labels arranged as a matrix, as bug reports print it, and the engine's figures in its cells. */
import type { CellChange, CellFigure, MatrixFigure, MatrixQuery } from '../../engine/protocol'
import { change } from '../../lib/format'
import type { Scale } from '../scale'

/** A run with its values on both axes. */
export interface PlacedRun {
  readonly id: string
  readonly letter: string
  readonly label: string
  /** Values of the label dimensions, in the order of the axis. */
  readonly row: readonly string[]
  readonly column: readonly string[]
}

/** A row or column: one combination of values on its axis. */
export interface MatrixLine {
  /** The values, joined by U+0001. */
  readonly key: string
  readonly values: readonly string[]
}

/** Rows and columns with the runs of each cell. */
export interface MatrixArrangement {
  readonly rows: readonly MatrixLine[]
  readonly columns: readonly MatrixLine[]
  /** Runs by row and column; an empty list: no run. */
  readonly cells: readonly (readonly (readonly PlacedRun[])[])[]
}

/** An arrangement with one figure in its cells. */
export interface Matrix extends Pick<MatrixArrangement, 'rows' | 'columns'> {
  /** Cells by row and column; `undefined`: no run. */
  readonly cells: readonly (readonly (MatrixCell | undefined)[])[]
}

export interface MatrixCell extends CellFigure {
  readonly runs: readonly MeasuredRun[]
  /** Spread of the values within a single run, from other figures of the run. */
  readonly within?: CellRange
  /** The change against the base cell; absent for cells of the base, and where one of the two lacks the figure. */
  readonly change?: CellChange & { readonly text: string }
  /** The base cell, if there is one. */
  readonly base?: { readonly runs: readonly PlacedRun[]; readonly mean?: number }
}

export interface CellRange {
  readonly sd?: number
  readonly min?: number
  readonly max?: number
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

/** The distinct lines: numbers by size, words in the order of their runs. */
function linesOf(lists: readonly (readonly string[])[]): readonly MatrixLine[] {
  const lines = [...new Map(lists.map(values => [keyOf(values), { key: keyOf(values), values }])).values()]
  const ordinal = lines.every(({ values }) => values.length === 1 && /^\d/.test(values[0] ?? ''))
  return ordinal ? lines.toSorted((a, b) => NATURAL.compare(a.key, b.key)) : lines
}

export function arrange(runs: readonly PlacedRun[]): MatrixArrangement {
  const rows = linesOf(runs.map(run => run.row))
  const columns = linesOf(runs.map(run => run.column))
  const runsIn = (row: MatrixLine, column: MatrixLine) =>
    runs.filter(run => keyOf(run.row) === row.key && keyOf(run.column) === column.key)
  return { rows, columns, cells: rows.map(row => columns.map(column => runsIn(row, column))) }
}

/** Index of the cell, row by row, with which a cell is compared; absent for cells of the base itself. */
function baseIndex(
  { rows, columns }: MatrixArrangement,
  base: MatrixBase | undefined,
  row: number,
  column: number,
): number | undefined {
  if (!base) return undefined
  const baseLine = (base.axis === 'row' ? rows : columns).findIndex(line => line.key === base.key)
  if (baseLine < 0 || baseLine === (base.axis === 'row' ? row : column)) return undefined
  return base.axis === 'row' ? baseLine * columns.length + column : row * columns.length + baseLine
}

/** Indexes of the rows or columns that are compared with the base, in the order of the engine's sweeps. */
export function comparedLines(
  { rows, columns }: Pick<MatrixArrangement, 'rows' | 'columns'>,
  base: MatrixBase | undefined,
): readonly number[] {
  const lines = base?.axis === 'column' ? columns : rows
  const baseLine = base === undefined ? -1 : lines.findIndex(line => line.key === base.key)
  return baseLine < 0 ? [] : [...lines.keys()].filter(line => line !== baseLine)
}

/**
 * The engine's query without the runs: cells row by row, pairs of a base cell and a cell, and the pairs of each swept
 * line. `ids`: the runs whose figures are known, in the order of the query.
 */
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
    sweeps: compared.map(lineIndex => pairLines.flatMap((line, pair) => (line === lineIndex ? [pair] : []))),
    cells: cells.flat().map(runs => runs.map(run => ids.indexOf(run.id)).filter(index => index >= 0)),
    pairs: cells.flatMap((row, r) =>
      row.flatMap((_, c) => {
        const baseCell = baseIndex(arrangement, base, r, c)
        return baseCell === undefined ? [] : [[baseCell, r * columns.length + c] as const]
      }),
    ),
    columns: columns.map((_, c) => cells.map((_, r) => r * columns.length + c)),
  }
}

export interface Filling {
  readonly arrangement: MatrixArrangement
  readonly query: Omit<MatrixQuery, 'runs'>
  /** Ids of the runs in the query, in its order. */
  readonly ids: readonly string[]
}

/**
 * Fills the cells with one figure of the answer. Indexes are those of the query that `cellsOf` made: change both
 * together.
 */
export function fillCells({ arrangement, query, ids }: Filling, figure: MatrixFigure | undefined): Matrix {
  const { rows, columns, cells } = arrangement
  const allRuns = cells.flat()
  const places = new Map(ids.map((id, index) => [id, index]))
  const unreliable = new Set(figure?.unreliable)
  const pairOf = new Map(query.pairs.map(([, cellIndex], pair) => [cellIndex, pair]))
  const measured = (run: PlacedRun): MeasuredRun => {
    const index = places.get(run.id) ?? -1
    const value = figure?.values[index] ?? undefined
    return { ...run, ...(value !== undefined && { value }), unreliable: unreliable.has(index) }
  }
  const cell = (runs: readonly PlacedRun[], index: number): MatrixCell | undefined => {
    if (runs.length === 0) return undefined
    const cellFigure = figure?.cells[index] ?? { n: 0, unreliable: false }
    const pair = pairOf.get(index) ?? -1
    const [baseCell] = query.pairs[pair] ?? []
    const cellChange = figure?.changes[pair]
    const mean = baseCell === undefined ? undefined : figure?.cells[baseCell]?.mean
    const baseRuns = baseCell === undefined ? [] : (allRuns[baseCell] ?? [])
    return {
      ...cellFigure,
      runs: runs.map(measured),
      ...(baseRuns.length > 0 && { base: { runs: baseRuns, ...(mean !== undefined && { mean }) } }),
      ...(cellChange &&
        cellFigure.mean !== undefined &&
        mean !== undefined && { change: { ...cellChange, text: change(mean, cellFigure.mean) } }),
    }
  }
  return { rows, columns, cells: cells.map((row, r) => row.map((runs, c) => cell(runs, r * columns.length + c))) }
}

/** Thresholds of the pairs in which both cells have the figure. */
export const thresholdsOf = ({ thresholds, changes }: MatrixFigure): readonly number[] =>
  thresholds.filter((_, pair) => changes[pair])

/** A value in the unit of the matrix; `undefined` stays so. */
export const inScale = (value: number | undefined, { per }: Scale): number | undefined =>
  value === undefined ? undefined : value / per
