/** The head of a column that a reader may rank by. */
import { type ReactNode, useMemo, useState } from 'react'
import { nextSorting, type Sorting, type SortValue, sortRows } from './sorting'
import './sorted-column.css'

export interface ColumnSorting {
  /** The direction in which a column is sorted; `undefined`: by another one, or not at all. */
  directionOf(column: number): 'ascending' | 'descending' | undefined
  press(column: number, isText: boolean): void
  /** Whether a reader chose a column. */
  readonly isSorted: boolean
}

/** The rows in the chosen order. `rankOf` must be the same function as long as it gives the same values. */
export function useSorted<Row>(
  rows: readonly Row[],
  rankOf: (row: Row, column: number) => SortValue,
): readonly [readonly Row[], ColumnSorting] {
  const [sorting, setSorting] = useState<Sorting>()
  const sorted = useMemo(() => sortRows(rows, sorting, rankOf), [rows, sorting, rankOf])
  return [
    sorted,
    {
      directionOf: column =>
        sorting?.column === column ? (sorting.descending ? 'descending' : 'ascending') : undefined,
      isSorted: sorting !== undefined,
      press: (column, isText) => setSorting(nextSorting(sorting, column, isText)),
    },
  ]
}

interface SortedColumnProps {
  readonly column: number
  readonly sorting: ColumnSorting
  readonly isText?: boolean
  readonly style?: React.CSSProperties
  /** The figure in the column, where style sheets distinguish them. */
  readonly figure?: string
  /** What others are compared with. */
  readonly isBaseline?: boolean
  /** What stands below the button, whose text then begins at the left. */
  readonly below?: ReactNode
  readonly children: ReactNode
}

const ARROWS = { ascending: '\u2191', descending: '\u2193' } as const

export function SortedColumn(props: SortedColumnProps) {
  const { column, sorting, isText = false, style, isBaseline, figure, below, children } = props
  const direction = sorting.directionOf(column)
  return (
    <th
      scope="col"
      data-text={isText}
      data-base={isBaseline}
      data-figure={figure}
      style={style}
      aria-sort={direction ?? 'none'}
    >
      <button type="button" className="sort-head" onClick={() => sorting.press(column, isText)}>
        {children}
        <span className="sort-arrow" data-text={isText || below !== undefined} aria-hidden="true">
          {direction && ARROWS[direction]}
        </span>
      </button>
      {below}
    </th>
  )
}
