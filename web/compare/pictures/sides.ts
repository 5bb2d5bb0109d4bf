/** The sides of a table, and the places at which they are compared. */
import type { MatrixAxis, MatrixFigure, ResultMatrix } from '../../engine/protocol'
import { LETTERS, type RunLetter } from '../../link/view'
import type { MatrixBase, MatrixCell } from '../matrix/matrix'
import { type MatrixView, nameOf } from '../matrix/matrixText'
import { viewOf } from '../results/results'
import { sideNames } from '../results/tableSides'

/** Maximum number of drawn sides: the colours of more would be hard to distinguish. */
export const MAX_SIDES = 8
/** Maximum number of drawn panels, in lines and histograms alike; the caption counts the rest. */
export const MAX_PANELS = 6

export interface Side {
  readonly letter: RunLetter
  /** Name of the side; empty if there is nothing to compare. */
  readonly name: string
  readonly isBase: boolean
}

/** A cell with the values of its dimensions. */
export interface PlacedCell {
  /** Values by key of the dimension. */
  readonly values: ReadonlyMap<string, string>
  readonly cell: MatrixCell
  readonly isBase: boolean
}

/** One metric in all cells that have a run. */
export interface MetricCells {
  readonly figure: MatrixFigure
  readonly view: MatrixView
  /** Sides of the table in the order of their letters. */
  readonly sides: readonly string[]
  readonly cells: readonly PlacedCell[]
}

/** `sides`: as `sideNames` has them of the table as it was read. */
export function metricCells(
  table: ResultMatrix,
  figure: MatrixFigure,
  sides: readonly string[] = sideNames(table),
): MetricCells {
  const view = viewOf(table, figure)
  const { matrix, axes, base } = view
  const isBase = (axis: MatrixBase['axis'], key: string) => base?.axis === axis && base.key === key
  const cells = matrix.rows.flatMap((row, r) =>
    matrix.columns.flatMap((column, c): PlacedCell[] => {
      const cell = matrix.cells[r]?.[c]
      if (!cell) return []
      const values = new Map([
        ...axes.rows.map((axis, i) => [axis.key, row.values[i] ?? ''] as const),
        ...axes.columns.map((axis, i) => [axis.key, column.values[i] ?? ''] as const),
      ])
      return [{ values, cell, isBase: isBase('row', row.key) || isBase('column', column.key) }]
    }),
  )
  return { figure, view, sides, cells }
}

/** The dimensions that make sides, and those that make places. */
export interface Split {
  readonly sides: readonly MatrixAxis[]
  readonly places: readonly MatrixAxis[]
}

/**
 * Decides which dimensions are sides. They are those on the axis of the base; without a base, those of the rows, or
 * of the columns if there is a single row. The dimension `axisKey` is the axis of the picture and belongs to neither;
 * if that leaves no side, the other axis has the sides.
 */
export function splitOf({ matrix, axes, base }: MatrixView, axisKey?: string): Split {
  const withoutAxis = (list: readonly MatrixAxis[]) => list.filter(axis => axis.key !== axisKey)
  const [rows, columns] = [withoutAxis(axes.rows), withoutAxis(axes.columns)]
  const isColumns = base ? base.axis === 'column' : matrix.rows.length === 1
  const [sides, places] = isColumns ? [columns, rows] : [rows, columns]
  return sides.length > 0 ? { sides, places } : { sides: places, places: [] }
}

const valuesOf = ({ values }: PlacedCell, axes: readonly MatrixAxis[]) => axes.map(axis => values.get(axis.key) ?? '')

/** Key of a cell in some dimensions; cells with equal keys are compared. */
export const keyIn = (cell: PlacedCell, axes: readonly MatrixAxis[]): string => valuesOf(cell, axes).join('\u0001')

export const nameIn = (cell: PlacedCell, axes: readonly MatrixAxis[]): string =>
  axes.length === 0 ? '' : nameOf({ key: '', values: valuesOf(cell, axes) }, axes)

export interface KnownSides {
  readonly sides: ReadonlyMap<string, Side>
  /** Number of sides that are not drawn. */
  readonly omittedCount: number
}

/**
 * The sides of a metric by key: the base first, the others in the order of the table. Sides of a text keep the letters
 * that it has for them; of others the base is A.
 */
export function sidesOf(
  { cells, sides: names }: MetricCells,
  { sides: axes }: Split,
  limit: number = MAX_SIDES,
): KnownSides {
  const sideByKey = new Map<string, Omit<Side, 'letter'>>()
  for (const cell of cells) {
    const key = keyIn(cell, axes)
    const isBase = cell.isBase && (sideByKey.get(key)?.isBase ?? true)
    sideByKey.set(key, { name: nameIn(cell, axes), isBase })
  }
  const ordered = [...sideByKey].toSorted(([, a], [, b]) => Number(b.isBase) - Number(a.isBase))
  const isOfText = ordered.every(([key]) => names.includes(key))
  const drawn = ordered.slice(0, limit).map(([key, side], i) => {
    const letter = LETTERS[isOfText ? names.indexOf(key) : i] ?? 'A'
    return [key, { ...side, letter }] as const
  })
  return { sides: new Map(drawn), omittedCount: ordered.length - drawn.length }
}
