import { expect, it } from 'vitest'
import { nextSorting, type SortValue, sortRows } from './sorting'

const cells = (rows: readonly (readonly SortValue[])[], column: number, descending: boolean) =>
  sortRows(rows, { column, descending }, (row, c) => row[c]).map(row => row[column])

it('cycles: figures begin with the largest, texts with the first, and both end as the table is', () => {
  const first = nextSorting(undefined, 1, false)
  expect(first).toEqual({ column: 1, descending: true })
  const second = nextSorting(first, 1, false)
  expect(second).toEqual({ column: 1, descending: false })
  expect(nextSorting(second, 1, false)).toBeUndefined()
  expect(nextSorting(second, 0, true)).toEqual({ column: 0, descending: false })
})

it('sorts numbers by value, also within texts; what is missing is last in both directions', () => {
  const rows = [
    ['cpu 10', 2],
    ['cpu 2', undefined],
    ['', 10],
  ] as const
  expect(cells(rows, 0, false)).toEqual(['cpu 2', 'cpu 10', ''])
  expect(cells(rows, 0, true)).toEqual(['cpu 10', 'cpu 2', ''])
  expect(cells(rows, 1, true)).toEqual([10, 2, undefined])
  expect(cells(rows, 1, false)).toEqual([2, 10, undefined])
})

it('keeps rows of equal rank in their order', () => {
  const rows = [
    ['b', 1],
    ['a', 1],
    ['c', 2],
  ] as const
  expect(sortRows(rows, { column: 1, descending: true }, (row, c) => row[c]).map(([name]) => name)).toEqual([
    'c',
    'b',
    'a',
  ])
  expect(sortRows(rows, undefined, (row, c) => row[c])).toBe(rows)
})
