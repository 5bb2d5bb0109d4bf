import { type RefObject, useLayoutEffect } from 'react'

/** Least distance from the edges of the window, px. */
const EDGE = 8

/**
 * Shows a popover in the top layer, below its button or above it, and completely within the window: scrolling containers would clip
 * it, and the timeline would cover it. It follows the button when the page scrolls.
 */
export function usePlace(
  open: boolean,
  box: RefObject<HTMLElement | null>,
  popover: RefObject<HTMLElement | null>,
  align: 'left' | 'right',
): void {
  useLayoutEffect(() => {
    const shown = popover.current
    if (!open || !shown) return
    shown.showPopover()
    const place = () => {
      if (!box.current) return
      const anchor = box.current.getBoundingClientRect()
      const { offsetWidth, offsetHeight } = shown
      const wished = align === 'left' ? anchor.left : anchor.right - offsetWidth
      const left = Math.max(EDGE, Math.min(wished, window.innerWidth - offsetWidth - EDGE))
      const lowest = window.innerHeight - offsetHeight - EDGE
      const above = anchor.top - offsetHeight
      const top = anchor.bottom > lowest && above >= EDGE ? above : Math.max(EDGE, Math.min(anchor.bottom, lowest))
      Object.assign(shown.style, { left: `${left}px`, top: `${top}px` })
    }
    place()
    const resized = new ResizeObserver(place)
    resized.observe(shown)
    document.addEventListener('scroll', place, true)
    window.addEventListener('resize', place)
    return () => {
      resized.disconnect()
      document.removeEventListener('scroll', place, true)
      window.removeEventListener('resize', place)
    }
  }, [open, box, popover, align])
}
