/** Places a popover next to the selected mark, never over it, with a line between the two. */
import { type RefObject, useEffect } from 'react'

export interface MarkRect {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** Distance from the mark, and from the window's edge, px. */
const AWAY = 22
const EDGE = 12

/** Least height of a card that leaves its mark free: it scrolls then. */
const MIN_HEIGHT = 160

/** Where a card is, and how high it may be there. */
export interface CardPlace {
  readonly left: number
  readonly top: number
  readonly maxHeight?: number
}

/**
 * Below the mark, else above, else at the side with more room. A card that fits nowhere is shorter than its content,
 * below or above the mark, where there is more room. Bottom right without a mark.
 */
export function placeBeside(
  mark: MarkRect | undefined,
  size: { readonly width: number; readonly height: number },
  room: { readonly width: number; readonly height: number },
): CardPlace {
  const right = room.width - size.width - EDGE
  const bottom = room.height - size.height - EDGE
  if (mark === undefined) return { left: right, top: Math.max(EDGE, bottom) }
  const middle = mark.left + mark.width / 2
  const left = Math.max(EDGE, Math.min(right, middle - size.width * 0.4))
  const below = mark.top + mark.height + AWAY
  if (below <= bottom) return { left, top: below }
  const above = mark.top - AWAY - size.height
  if (above >= EDGE) return { left, top: above }
  const top = Math.max(EDGE, Math.min(bottom, mark.top - size.height / 2))
  const [behind, before] = [mark.left + mark.width + AWAY, mark.left - AWAY - size.width]
  const isAtLeft = middle < room.width / 2
  if (isAtLeft && behind <= right) return { left: behind, top }
  if (!isAtLeft && before >= EDGE) return { left: before, top }
  const [roomBelow, roomAbove] = [room.height - EDGE - below, mark.top - AWAY - EDGE]
  const maxHeight = Math.max(MIN_HEIGHT, roomBelow, roomAbove)
  return { left, top: roomBelow >= roomAbove ? Math.min(below, room.height - EDGE - maxHeight) : EDGE, maxHeight }
}

/** A card that was moved stays in the window. */
export function placeWithin(
  place: CardPlace,
  size: { readonly width: number; readonly height: number },
  room: { readonly width: number; readonly height: number },
): CardPlace {
  const within = (start: number, length: number, whole: number) =>
    Math.max(EDGE, Math.min(whole - EDGE - Math.min(length, whole - 2 * EDGE), start))
  return { left: within(place.left, size.width, room.width), top: within(place.top, size.height, room.height) }
}

const NARROW = 720

/** `moved`: where the reader put the card; absent: beside its mark. */
export function useAnchor(
  box: RefObject<HTMLElement | null>,
  line: RefObject<SVGLineElement | null>,
  moved: CardPlace | undefined,
): void {
  useEffect(() => {
    let frame = 0
    let last = ''
    const follow = () => {
      frame = requestAnimationFrame(follow)
      if (!box.current || !line.current) return
      const mark = document.querySelector('[data-selected-mark]')?.getBoundingClientRect()
      // A request can be chosen in another chart, while the seek map is out of sight.
      const rect = mark && mark.bottom > 0 && mark.top < innerHeight ? mark : undefined
      // Its whole height, also while it is shorter.
      const borders = box.current.offsetHeight - box.current.clientHeight
      const size = { width: box.current.offsetWidth, height: box.current.scrollHeight + borders }
      const key = `${rect?.left} ${rect?.top} ${size.width} ${size.height} ${innerWidth} ${innerHeight}`
      if (key === last) return
      last = key
      const sheet = innerWidth <= NARROW
      line.current.style.display = rect === undefined || sheet ? 'none' : ''
      if (sheet) {
        box.current.style.transform = ''
        box.current.style.maxHeight = ''
        return
      }
      const room = { width: innerWidth, height: innerHeight }
      const place = moved ? placeWithin(moved, size, room) : placeBeside(rect, size, room)
      box.current.style.maxHeight = place.maxHeight === undefined ? '' : `${Math.floor(place.maxHeight)}px`
      const height = Math.min(size.height, place.maxHeight ?? size.height)
      box.current.style.transform = `translate(${Math.round(place.left)}px, ${Math.round(place.top)}px)`
      if (rect === undefined) return
      const x = Math.min(Math.max(rect.left + rect.width / 2, place.left + 6), place.left + size.width - 6)
      const [y1, y2] =
        place.top > rect.bottom
          ? [rect.bottom, place.top]
          : place.top + height < rect.top
            ? [rect.top, place.top + height]
            : [rect.top + rect.height / 2, rect.top + rect.height / 2]
      const side = y1 === y2
      line.current.setAttribute(
        'x1',
        String(side ? (place.left > rect.left ? rect.right : rect.left) : Math.min(Math.max(x, rect.left), rect.right)),
      )
      line.current.setAttribute(
        'x2',
        String(side ? (place.left > rect.left ? place.left : place.left + size.width) : x),
      )
      line.current.setAttribute('y1', String(y1))
      line.current.setAttribute('y2', String(y2))
    }
    follow()
    return () => cancelAnimationFrame(frame)
  }, [box, line, moved])
}
