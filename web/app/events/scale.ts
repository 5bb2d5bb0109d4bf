/** Scroll positions of a list that may be taller than browsers can scroll; its scroll bar is then scaled. */

export interface ListSize {
  readonly total: number
  /** Height of a line, px. */
  readonly row: number
  /** Height of the visible part, px. */
  readonly height: number
}

/** Maximum height of the scrolled content: browsers fail at 16 to 33 million px. */
const MAX_PX = 8_000_000

/** Height of the scrolled content, px. */
export const scrollHeight = ({ total, row }: ListSize): number => Math.min(total * row, MAX_PX)

/** The top line of the last page. */
export const lastTop = ({ total, row, height }: ListSize): number => Math.max(0, total - height / row)

/** Top line, with a fraction, at a scroll position. */
export function lineAt(size: ListSize, scrollTop: number): number {
  const way = scrollHeight(size) - size.height
  return way <= 0 ? 0 : Math.min(1, Math.max(0, scrollTop / way)) * lastTop(size)
}

/** Scroll position that shows `line` at the top. */
export function scrollFor(size: ListSize, line: number): number {
  const last = lastTop(size)
  return last <= 0 ? 0 : (Math.min(line, last) / last) * Math.max(0, scrollHeight(size) - size.height)
}

/** Whether the scroll range is shorter than the list. */
export const isScaled = (size: ListSize): boolean => size.total * size.row > MAX_PX
