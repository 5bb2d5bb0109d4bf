/** The rows that are selected for a comparison, at most as many as it has room for. */
import { useRef } from 'react'
import { MAX_COMPARED } from '../../../fleet/rows/view'
import { LETTERS } from '../../../state/runs/runs'
import type { OpenFleet } from '../useFleet'

export interface RowSelection {
  /** The letter of the row in the comparison; absent when it is not selected. */
  letterOf(row: number): string | undefined
  /** Selects or deselects a line; `extend` selects all from the last one on. */
  toggle(line: number, extend: boolean): void
}

export function useSelection({ view: { selected }, set, order }: OpenFleet): RowSelection {
  const anchor = useRef(0)
  const toggle = (line: number, extend: boolean) => {
    const row = order?.[line]
    if (row === undefined) return
    if (extend && order) {
      const [from, to] = [Math.min(anchor.current, line), Math.max(anchor.current, line)]
      const added = Array.from(order.subarray(from, to + 1)).filter(candidate => !selected.includes(candidate))
      set({ selected: [...selected, ...added].slice(0, MAX_COMPARED) })
      return
    }
    anchor.current = line
    if (selected.includes(row)) set({ selected: selected.filter(candidate => candidate !== row) })
    else if (selected.length < MAX_COMPARED) set({ selected: [...selected, row] })
  }
  const letterOf = (row: number) => (selected.includes(row) ? LETTERS[selected.indexOf(row)] : undefined)
  return { letterOf, toggle }
}
