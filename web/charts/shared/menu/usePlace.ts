import { type RefObject, useLayoutEffect } from 'react'
import { EDGE, placeInWindow } from './placeInWindow'

/**
 * Shows a popover in the top layer, below its button or above it, and completely within the window: scrolling
 * containers would clip it, and the timeline would cover it. It follows the button when the page scrolls.
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
      const lowest = window.innerHeight - offsetHeight - EDGE
      const above = anchor.top - offsetHeight
      placeInWindow(shown, wished, anchor.bottom > lowest && above >= EDGE ? above : anchor.bottom)
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
