/** How many of many rows are drawn: those of the first picture, then more of them as their end comes near. */
import { type RefObject, useEffect, useRef, useState } from 'react'

const FIRST_ROWS = 40
const MORE_ROWS = 200
/** How near, px. */
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
