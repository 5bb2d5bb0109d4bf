/** The matrix of a fleet: one figure over two labels. */

import { inVersionOrder } from '../changes/versions'
import type { NumberColumn } from '../table/columns'

/** Maximum number of lines; the page reports the others. */
const MAX_LINES = 200

interface FleetCell {
  readonly n: number
  readonly median: number
  /** First and third quartile, in the figure's unit; absent below four rows. */
  readonly quartiles?: readonly [low: number, high: number]
  readonly rows: readonly number[]
}

export interface FleetGrid {
  /** Words of the labels; '' where rows have none. */
  readonly rows: readonly string[]
  readonly columns: readonly string[]
  /** Number of words beyond the limit. */
  readonly cut: readonly [rows: number, columns: number]
  /** Cells by row, then column; `undefined` if no row of the table has both words and the figure. */
  readonly cells: readonly (readonly (FleetCell | undefined)[])[]
}

/** Quantile, interpolated linearly between neighbours. */
export function quantile(ascending: readonly number[], q: number): number {
  const position = (ascending.length - 1) * q
  const [low, high] = [ascending[Math.floor(position)] ?? Number.NaN, ascending[Math.ceil(position)] ?? Number.NaN]
  return low + (high - low) * (position - Math.floor(position))
}

const cellOf = (rows: readonly number[], { values }: NumberColumn): FleetCell | undefined => {
  const present = rows.flatMap(row => (Number.isNaN(values[row]) ? [] : (values[row] ?? []))).sort((a, b) => a - b)
  if (present.length === 0) return undefined
  return {
    n: present.length,
    median: quantile(present, 0.5),
    ...(present.length >= 4 && { quartiles: [quantile(present, 0.25), quantile(present, 0.75)] as const }),
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
