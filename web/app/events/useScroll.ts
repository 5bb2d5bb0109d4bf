/**
 * Scrolling of a list of equal rows, even one taller than browsers can scroll.
 *
 * The top line (`first`, with a fraction) is the truth, not `scrollTop`: in a scaled list one px of the bar is several
 * lines. So a scroll event is compared with the position that was set last (`bar`). A move shorter than the visible
 * part is a wheel or a key and scrolls by lines; a longer one is a drag of the bar and scrolls by position. Moves by
 * lines leave the bar at a wrong place, which `scrollend` corrects.
 */
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { isScaled, type ListSize, lastTop, lineAt, scrollFor, scrollHeight } from './scale'

export interface Scroll {
  readonly box: RefObject<HTMLDivElement | null>
  /** The line at the top of the visible part; a fraction where it is partly scrolled out. */
  readonly first: number
  /** Number of lines that fit into the visible part, with a fraction. */
  readonly shown: number
  /** Height of the scrolled content, px. */
  readonly height: number
  /** Height of a line, px. */
  readonly row: number
  /** Scrolls a line into view; `third` moves it to a third of the height even when it is visible. */
  show(line: number, placement?: 'third'): void
}

const ROW = 20
/** Height of a line in two rows of text on narrow pages, px: large enough for touch. */
const TALL_ROW = 44
const TALL_BELOW = 480
const HEAD = 24

export function useScroll(total: number): Scroll {
  const box = useRef<HTMLDivElement>(null)
  const [layout, setLayout] = useState({ height: 0, row: ROW })
  const [first, setFirst] = useState(0)
  const size: ListSize = { total, row: layout.row, height: layout.height }
  const state = useRef({ size, first, bar: 0 })
  state.current.size = size
  state.current.first = first

  const place = useCallback((line: number) => {
    const current = state.current
    const next = Math.max(0, Math.min(lastTop(current.size), line))
    current.first = next
    if (box.current) {
      box.current.scrollTop = scrollFor(current.size, next)
      current.bar = box.current.scrollTop
    }
    setFirst(next)
  }, [])

  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const measure = () =>
      setLayout({
        height: Math.max(0, element.clientHeight - HEAD),
        row: element.clientWidth < TALL_BELOW ? TALL_ROW : ROW,
      })
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    measure()
    return () => observer.disconnect()
  }, [])

  useEffect(() => {
    const element = box.current
    if (!element) return
    const onScroll = () => {
      const current = state.current
      const bar = element.scrollTop
      const moved = bar - current.bar
      if (Math.abs(moved) < 0.5) return
      current.bar = bar
      const short = isScaled(current.size) && Math.abs(moved) < current.size.height
      const next = short ? current.first + moved / current.size.row : lineAt(current.size, bar)
      current.first = Math.max(0, Math.min(lastTop(current.size), next))
      setFirst(current.first)
    }
    const onEnd = () => isScaled(state.current.size) && place(state.current.first)
    element.addEventListener('scroll', onScroll, { passive: true })
    element.addEventListener('scrollend', onEnd)
    return () => {
      element.removeEventListener('scroll', onScroll)
      element.removeEventListener('scrollend', onEnd)
    }
  }, [place])

  // Another filter may leave fewer lines than the current position.
  const last = lastTop(size)
  useEffect(() => {
    if (state.current.first > last) place(last)
  }, [last, place])

  const show = useCallback(
    (line: number, placement?: 'third') => {
      const { first: top, size: current } = state.current
      const fit = current.height / current.row
      if (placement === 'third') place(line - Math.floor(fit / 3))
      else if (line < top) place(line)
      else if (line + 1 > top + fit) place(line + 1 - fit)
    },
    [place],
  )
  return { box, first, shown: layout.height / layout.row, height: scrollHeight(size), row: layout.row, show }
}
