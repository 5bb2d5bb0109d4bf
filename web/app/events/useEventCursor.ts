/** The active line of an event list, the selected lines, and the time cursor that follows and is followed. */
import { useEffect, useRef, useState } from 'react'
import { ns } from '../../lib/units'
import type { Run } from '../../state/types'
import { useActions, usePage } from '../context'
import type { Lines } from './useLines'
import type { Scroll } from './useScroll'

export interface EventCursor {
  readonly active: number
  /** The other end of the selection; the active line when only that is selected. */
  readonly anchor: number
  choose(line: number, extend: boolean): void
  /** Shows the active line in the charts. */
  showInCharts(): Promise<void>
}

/** `filterKey` must change with the filter: the line of the cursor's time is then looked for again. */
export function useEventCursor(run: Run, lines: Lines, filterKey: string, show: Scroll['show']): EventCursor {
  const actions = useActions()
  const { cursor, range } = usePage(p => p.view)
  const [active, setActive] = useState(0)
  const [anchor, setAnchor] = useState(0)
  const { total, progress, find } = lines
  // Times of lines are relative to the trace, not to the common axis.
  const shift = run.shift ?? 0
  const start = ns(Math.max(0, (cursor ?? range.t0) - shift))
  // The list follows the cursor set by charts, timeline and address bar, but not the one that it set itself.
  const chosenTime = useRef<number>(undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: with another filter the same time is on another line
  useEffect(() => {
    if (progress < 1 || chosenTime.current === start) return
    let isCancelled = false
    find(start).then(
      line => {
        if (isCancelled) return
        setActive(line)
        setAnchor(line)
        show(line, 'third')
      },
      () => undefined,
    )
    return () => {
      isCancelled = true
    }
  }, [start, filterKey, progress, find, show])

  const choose = (line: number, extend: boolean) => {
    const next = Math.max(0, Math.min(total - 1, line))
    setActive(next)
    if (!extend) setAnchor(next)
    show(next)
    const row = lines.line(next)
    if (row !== undefined && !extend) {
      chosenTime.current = row.at
      actions.cursor(ns(row.at + shift))
    }
  }
  const showInCharts = async () => {
    const row = lines.line(active)
    if (row === undefined) return
    const { row: request } = await run.client.query('eventRequest', { entry: row.entry })
    actions.cursor(ns(row.at + shift))
    actions.setLayout('columns')
    if (request >= 0) actions.select(run.id, request)
  }
  return { active, anchor, choose, showInCharts }
}
