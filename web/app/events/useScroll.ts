/** Scrolling of a list of equal rows, even one taller than browsers can scroll. */
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { capped, isScaled, type ListSize, lastTop, lineAt, scrollFor } from './scale'

export interface Scroll {
  readonly box: RefObject<HTMLDivElement | null>
  /** Top line, with a fraction. */
  readonly first: number
  /** Lines that fit, with a fraction. */
  readonly shown: number
  /** Height of the scrolled content, px. */
  readonly height: number
  /** Height of a line, px. */
  readonly row: number
  /** Scrolls a line into view; `third` moves it to a third of the height even when it is visible. */
  show(line: number, where?: 'third'): void
}

const ROW = 20
/** Two rows of text per line: large enough for touch. */
const TALL_ROW = 44
const TALL_BELOW = 480
const HEAD = 24

export function useScroll(total: number): Scroll {
  const box = useRef<HTMLDivElement>(null)
  const [seen, setSeen] = useState({ height: 0, row: ROW })
  const [first, setFirst] = useState(0)
  const size: ListSize = { total, row: seen.row, height: seen.height }
  const state = useRef({ size, first, bar: 0 })
  state.current.size = size
  state.current.first = first

  const place = useCallback((line: number) => {
    const now = state.current
    const next = Math.max(0, Math.min(lastTop(now.size), line))
    now.first = next
    if (box.current) {
      box.current.scrollTop = scrollFor(now.size, next)
      now.bar = box.current.scrollTop
    }
    setFirst(next)
  }, [])

  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const measure = () =>
      setSeen({
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
      const now = state.current
      const bar = element.scrollTop
      const moved = bar - now.bar
      if (Math.abs(moved) < 0.5) return
      now.bar = bar
      // The height of a page is limited by browsers, so a long list scales its scroll bar: short moves (wheel) then
      // scroll by lines, long ones (dragging the bar) by position.
      const short = isScaled(now.size) && Math.abs(moved) < now.size.height
      const next = short ? now.first + moved / now.size.row : lineAt(now.size, bar)
      now.first = Math.max(0, Math.min(lastTop(now.size), next))
      setFirst(now.first)
    }
    const onEnd = () => isScaled(state.current.size) && place(state.current.first)
    element.addEventListener('scroll', onScroll, { passive: true })
    element.addEventListener('scrollend', onEnd)
    return () => {
      element.removeEventListener('scroll', onScroll)
      element.removeEventListener('scrollend', onEnd)
    }
  }, [place])

  // A list that became shorter ends earlier.
  const last = lastTop(size)
  useEffect(() => {
    if (state.current.first > last) place(last)
  }, [last, place])

  const show = useCallback(
    (line: number, where?: 'third') => {
      const { first: top, size: now } = state.current
      const fit = now.height / now.row
      if (where === 'third') place(line - Math.floor(fit / 3))
      else if (line < top) place(line)
      else if (line + 1 > top + fit) place(line + 1 - fit)
    },
    [place],
  )
  return { box, first, shown: seen.height / seen.row, height: capped(size), row: seen.row, show }
}
