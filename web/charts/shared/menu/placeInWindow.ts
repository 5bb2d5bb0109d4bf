/** Least distance from the edges of the window, px. */
export const EDGE = 8

/** Places a popover with its upper left corner at a point of the window, or as near to it as it fits. */
export function placeInWindow({ offsetWidth, offsetHeight, style }: HTMLElement, x: number, y: number): void {
  style.left = `${Math.max(EDGE, Math.min(x, innerWidth - offsetWidth - EDGE))}px`
  style.top = `${Math.max(EDGE, Math.min(y, innerHeight - offsetHeight - EDGE))}px`
}
