/** The matrix of a fleet: one figure over two labels. */

import { inVersionOrder } from '../changes/versions'
import type { NumberColumn } from '../table/columns'

/** More lines are cut, and the page says so. */
const MAX_LINES = 200

interface FleetCell {
  readonly n: number
  readonly median: number
  /** Between the first and the third quartile, in the figure's unit; absent below four rows. */
  readonly quartiles?: readonly [low: number, high: number]
  readonly rows: readonly number[]
}

export interface FleetGrid {
  /** Words of the labels; '' where rows have none. */
  readonly rows: readonly string[]
  readonly columns: readonly string[]
  /** Words beyond the limit. */
  readonly cut: readonly [rows: number, columns: number]
  /** By row, then column; undefined where no row has both and the figure. */
  readonly cells: readonly (readonly (FleetCell | undefined)[])[]
}

/** By linear interpolation between neighbours. */
export function quantile(ascending: readonly number[], q: number): number {
  const at = (ascending.length - 1) * q
  const [low, high] = [ascending[Math.floor(at)] ?? Number.NaN, ascending[Math.ceil(at)] ?? Number.NaN]
  return low + (high - low) * (at - Math.floor(at))
}

const cellOf = (rows: readonly number[], { values }: NumberColumn): FleetCell | undefined => {
  const own = rows.flatMap(row => (Number.isNaN(values[row]) ? [] : (values[row] ?? []))).sort((a, b) => a - b)
  if (own.length === 0) return undefined
  return {
    n: own.length,
    median: quantile(own, 0.5),
    ...(own.length >= 4 && { quartiles: [quantile(own, 0.25), quantile(own, 0.75)] as const }),
    rows,
  }
}

const lines = (words: Iterable<string>): readonly string[] => {
  const all = [...words]
  return [...inVersionOrder(all.filter(Boolean)), ...all.filter(word => word === '')]
}

/** The words that a row has of a label; none: ''. A row with several is in the cell of each. */
export type WordsOf = (row: number) => readonly string[]

export function gridOf(shown: Uint32Array, figure: NumberColumn, down: WordsOf, across: WordsOf): FleetGrid {
  const found = new Map<string, Map<string, number[]>>()
  const names = new Set<string>()
  for (const row of shown)
    for (const r of down(row))
      for (const c of across(row)) {
        names.add(c)
        const line = found.get(r) ?? new Map<string, number[]>()
        found.set(r, line)
        const cell = line.get(c)
        if (cell) cell.push(row)
        else line.set(c, [row])
      }
  const [rows, columns] = [lines(found.keys()), lines(names)]
  const [first, firstColumns] = [rows.slice(0, MAX_LINES), columns.slice(0, MAX_LINES)]
  return {
    rows: first,
    columns: firstColumns,
    cut: [rows.length - first.length, columns.length - firstColumns.length],
    cells: first.map(r => firstColumns.map(c => cellOf(found.get(r)?.get(c) ?? [], figure))),
  }
}
