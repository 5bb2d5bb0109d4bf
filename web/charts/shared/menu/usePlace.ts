import { type RefObject, useLayoutEffect } from 'react'
import { EDGE, placeInWindow } from './placeInWindow'

/** Places a popover below its button, or above it where there is more room, and completely within the window. */
export function placeBeside(button: Element, popover: HTMLElement, align: 'left' | 'right'): void {
  const anchor = button.getBoundingClientRect()
  const { offsetWidth, offsetHeight } = popover
  const left = align === 'left' ? anchor.left : anchor.right - offsetWidth
  const lowest = window.innerHeight - offsetHeight - EDGE
  const above = anchor.top - offsetHeight
  placeInWindow(popover, left, anchor.bottom > lowest && above >= EDGE ? above : anchor.bottom)
}

/**
 * Shows a popover in the top layer beside its button: scrolling containers would clip it, and the timeline would cover
 * it. It follows the button when the page scrolls.
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
      if (box.current) placeBeside(box.current, shown, align)
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
