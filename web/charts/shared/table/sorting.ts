/** The order of the rows of a table that a reader may rank by a column. Pure. */

export interface Sorting {
  readonly column: number
  readonly descending: boolean
}

/** What a cell is ranked by: empty texts and `undefined` stay last in both directions. */
export type SortValue = string | number | undefined

/** Presses cycle: figures from the largest on, texts from A on; then the reverse; then the order of the table. */
export function nextSorting(current: Sorting | undefined, column: number, isText: boolean): Sorting | undefined {
  const begin = { column, descending: !isText }
  if (current?.column !== column) return begin
  return current.descending === begin.descending ? { column, descending: isText } : undefined
}

/** Numbers in texts by their value: `cpu 2` before `cpu 10`. */
const TEXTS = new Intl.Collator('en', { numeric: true })

const isEmpty = (value: SortValue): boolean => value === undefined || value === ''

function compare(a: SortValue, b: SortValue): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return TEXTS.compare(String(a), String(b))
}

/** Rows of equal rank stay in their order. */
export function sortRows<Row>(
  rows: readonly Row[],
  sorting: Sorting | undefined,
  rankOf: (row: Row, column: number) => SortValue,
): readonly Row[] {
  if (sorting === undefined) return rows
  const { column, descending } = sorting
  return rows
    .map(row => ({ row, value: rankOf(row, column) }))
    .toSorted((a, b) => {
      const [first, second] = [isEmpty(a.value), isEmpty(b.value)]
      if (first || second) return Number(first) - Number(second)
      return descending ? compare(b.value, a.value) : compare(a.value, b.value)
    })
    .map(({ row }) => row)
}
