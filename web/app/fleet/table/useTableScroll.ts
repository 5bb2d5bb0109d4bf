/** Which rows of the fleet's grid are in sight, and scrolling to one of them. */
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { OpenFleet } from '../useFleet'

const ROW = 28
/** Height of a row on touch screens, px. */
const TALL_ROW = 44
const TALL_BELOW = 720
const HEAD = 58
/** Rows beyond the edges: a fast scroll shows no gap. */
const MARGIN = 8

export interface TableScroll {
  readonly box: RefObject<HTMLDivElement | null>
  readonly narrow: boolean
  readonly rowHeight: number
  /** Range of rendered rows; `last` is exclusive. */
  readonly first: number
  readonly last: number
  /** Number of rows that Page Up and Page Down move by. */
  readonly page: number
  onScroll(): void
  reveal(line: number): void
}

export function useTableScroll({ view, set }: OpenFleet, total: number): TableScroll {
  const box = useRef<HTMLDivElement>(null)
  const [layout, setLayout] = useState({ height: 600, narrow: false })
  const [top, setTop] = useState(view.top)
  const rowHeight = layout.narrow ? TALL_ROW : ROW

  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const measure = () => setLayout({ height: element.clientHeight, narrow: element.clientWidth < TALL_BELOW })
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    measure()
    return () => observer.disconnect()
  }, [])
  // The scroll position from before a comparison was opened.
  const start = useRef(view.top)
  useLayoutEffect(() => {
    if (box.current && total > 0 && start.current > 0) {
      box.current.scrollTop = start.current * rowHeight
      start.current = 0
    }
  }, [total, rowHeight])
  const latest = useRef({ top, set })
  latest.current = { top, set }
  useEffect(() => () => latest.current.set({ top: latest.current.top }), [])

  const onScroll = () => {
    const next = Math.floor((box.current?.scrollTop ?? 0) / rowHeight)
    if (next !== top) setTop(next)
  }
  const reveal = (line: number) => {
    const element = box.current
    if (!element) return
    const [y, inner] = [line * rowHeight, element.clientHeight - HEAD]
    if (y < element.scrollTop) element.scrollTop = y
    else if (y + rowHeight > element.scrollTop + inner) element.scrollTop = y + rowHeight - inner
  }
  return {
    box,
    narrow: layout.narrow,
    rowHeight,
    first: Math.max(0, top - MARGIN),
    last: Math.min(total, top + Math.ceil(layout.height / rowHeight) + MARGIN),
    page: Math.max(1, Math.floor((layout.height - HEAD) / rowHeight) - 1),
    onScroll,
    reveal,
  }
}
