/** What of a table is compared with what: sides, and the places at which they are compared. */
import type { MatrixFigure, ResultMatrix } from '../../engine/protocol'
import { LETTERS, type RunLetter } from '../../link/view'
import type { MatrixAxis } from '../matrix/layout'
import type { MatrixBase, MatrixCell } from '../matrix/matrix'
import { type MatrixView, nameOf } from '../matrix/matrixText'
import { viewOf } from '../results/results'
import { sideNames } from '../results/tableSides'

/** Sides that are drawn: so many can be told apart. */
export const MAX_SIDES = 8

export interface Side {
  readonly letter: RunLetter
  /** Empty where there is nothing to compare. */
  readonly name: string
  readonly isBase: boolean
}

/** A cell with the values of its dimensions. */
export interface PlacedCell {
  /** By key of the dimension. */
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
 * The axis of the base has the sides, without it the rows; `over` is drawn on an axis of its own, and if nothing else
 * was on that of the sides, the other one has them.
 */
export function splitOf({ matrix, axes, base }: MatrixView, over?: string): Split {
  const without = (list: readonly MatrixAxis[]) => list.filter(axis => axis.key !== over)
  const [rows, columns] = [without(axes.rows), without(axes.columns)]
  const isColumns = base ? base.axis === 'column' : matrix.rows.length === 1
  const [sides, places] = isColumns ? [columns, rows] : [rows, columns]
  return sides.length > 0 ? { sides, places } : { sides: places, places: [] }
}

const valuesOf = ({ values }: PlacedCell, axes: readonly MatrixAxis[]) => axes.map(axis => values.get(axis.key) ?? '')

/** Of the values of a cell in some dimensions. */
export const keyIn = (cell: PlacedCell, axes: readonly MatrixAxis[]): string => valuesOf(cell, axes).join('\u0001')

export const nameIn = (cell: PlacedCell, axes: readonly MatrixAxis[]): string =>
  axes.length === 0 ? '' : nameOf({ key: '', values: valuesOf(cell, axes) }, axes)

export interface KnownSides {
  readonly sides: ReadonlyMap<string, Side>
  /** Sides that are not drawn. */
  readonly more: number
}

/**
 * The sides of a metric by key: the base first, the others in the order of the table. Sides of a text keep the letters
 * that it has for them; of others the base is A.
 */
export function sidesOf(
  { cells, sides: known }: MetricCells,
  { sides: axes }: Split,
  most: number = MAX_SIDES,
): KnownSides {
  const found = new Map<string, Omit<Side, 'letter'>>()
  for (const cell of cells) {
    const key = keyIn(cell, axes)
    const isBase = cell.isBase && (found.get(key)?.isBase ?? true)
    found.set(key, { name: nameIn(cell, axes), isBase })
  }
  const all = [...found].toSorted(([, a], [, b]) => Number(b.isBase) - Number(a.isBase))
  const isOfText = all.every(([key]) => known.includes(key))
  const drawn = all.slice(0, most).map(([key, side], i) => {
    const letter = LETTERS[isOfText ? known.indexOf(key) : i] ?? 'A'
    return [key, { ...side, letter }] as const
  })
  return { sides: new Map(drawn), more: all.length - drawn.length }
}
