/** The matrix of a fleet: one figure over two labels. */

import type { Statistics } from '../../engine/statistics'
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

/** Fewer rows have no quartiles. */
const MIN_QUARTILES = 4

/** The first quartile, the median and the third quartile. */
const SHARES = [0.25, 0.5, 0.75]

/** Cells with these rows; `undefined` for those without the figure. */
function cellsOf(
  { quantiles }: Statistics,
  { values }: NumberColumn,
  rowLists: readonly (readonly number[])[],
): readonly (FleetCell | undefined)[] {
  const present = rowLists.map(rows => rows.flatMap(row => (Number.isNaN(values[row]) ? [] : (values[row] ?? []))))
  return quantiles(present, SHARES).map(([low, median, high], i): FleetCell | undefined => {
    const n = present[i]?.length ?? 0
    if (low === undefined || median === undefined || high === undefined || n === 0) return undefined
    return { n, median, ...(n >= MIN_QUARTILES && { quartiles: [low, high] as const }), rows: rowLists[i] ?? [] }
  })
}

const lines = (words: Iterable<string>): readonly string[] => {
  const all = [...words]
  return [...inVersionOrder(all.filter(Boolean)), ...all.filter(word => word === '')]
}

/** The words that a row has of a label; none: ''. A row with several is in the cell of each. */
export type WordsOf = (row: number) => readonly string[]

export function gridOf(
  statistics: Statistics,
  shown: Uint32Array,
  figure: NumberColumn,
  down: WordsOf,
  across: WordsOf,
): FleetGrid {
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
    cells: first.map(r =>
      cellsOf(
        statistics,
        figure,
        firstColumns.map(c => found.get(r)?.get(c) ?? []),
      ),
    ),
  }
}
