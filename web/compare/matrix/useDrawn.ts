/** Number of drawn rows: those that are visible first, then more as the reader scrolls near their end. */
import { type RefObject, useEffect, useRef, useState } from 'react'

const FIRST_ROWS = 40
const MORE_ROWS = 200
/** Distance from the end at which more rows are drawn, px. */
const MARGIN = 800

export interface DrawnRows {
  readonly count: number
  /** The element behind the drawn rows. */
  readonly end: RefObject<HTMLDivElement | null>
}

/** `least`: rows that must be drawn, because one of them is wanted. */
export function useDrawn(total: number, least = 0): DrawnRows {
  const end = useRef<HTMLDivElement>(null)
  const [drawn, setDrawn] = useState(FIRST_ROWS)
  // They stay when they are no longer wanted: one of them has the keyboard.
  if (least > drawn) setDrawn(least)
  const count = Math.min(total, Math.max(drawn, least))
  useEffect(() => {
    const element = end.current
    if (!element) return
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && setDrawn(count + MORE_ROWS), {
      rootMargin: `${MARGIN}px`,
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [count])
  return { count, end }
}
