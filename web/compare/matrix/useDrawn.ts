/** Number of drawn rows: those that are visible first, then more as the reader scrolls near their end. */
import { type RefObject, useEffect, useRef, useState } from 'react'

const FIRST_ROWS = 40
const MORE_ROWS = 200
/** Distance from the end at which more rows are drawn, px. */
const MARGIN = 800

export interface DrawnRows {
  readonly count: number
  /** To be set on an element behind the drawn rows: more are drawn when it comes near. */
  readonly end: RefObject<HTMLDivElement | null>
}

/** `required`: number of rows that must be drawn, because one of them gets the focus. */
export function useDrawn(total: number, required = 0): DrawnRows {
  const end = useRef<HTMLDivElement>(null)
  const [drawn, setDrawn] = useState(FIRST_ROWS)
  // Once drawn they stay: one of them may have the focus.
  if (required > drawn) setDrawn(required)
  const count = Math.min(total, Math.max(drawn, required))
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
