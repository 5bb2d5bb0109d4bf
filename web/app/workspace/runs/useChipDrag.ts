/** Dragging a chip to another place in the row; Shift and arrow keys on its badge do the same. */
import { type PointerEvent, useRef, useState } from 'react'

/** Minimum movement of a drag, px: a shorter one is a click. */
const DRAG = 6

export interface ChipDrag {
  /** The dragged run, and the index at which it would be dropped. */
  readonly dragged: { readonly id: string; readonly place: number } | undefined
  /** Event handlers for the chip of a run. The chip needs `data-place`, its index in the row. */
  readonly propsOf: (id: string) => {
    readonly onPointerDown: (event: PointerEvent<HTMLElement>) => void
    readonly onPointerMove: (event: PointerEvent<HTMLElement>) => void
    readonly onPointerUp: () => void
    readonly onPointerCancel: () => void
  }
}

export function useChipDrag(move: (id: string, to: number) => void): ChipDrag {
  const press = useRef<{ readonly id: string; readonly x: number; readonly y: number }>(undefined)
  const [dragged, setDragged] = useState<ChipDrag['dragged']>()
  const end = () => {
    press.current = undefined
    setDragged(undefined)
  }
  return {
    dragged,
    propsOf: id => ({
      onPointerDown(event) {
        // Touch scrolls the row; names and buttons keep their own gestures.
        const hasGesture = (event.target as Element).closest('button, input, [role=menu]')
        if (event.button === 0 && event.pointerType !== 'touch' && !hasGesture)
          press.current = { id, x: event.clientX, y: event.clientY }
      },
      onPointerMove(event) {
        const start = press.current
        if (start === undefined || start.id !== id) return
        if (dragged === undefined && Math.hypot(event.clientX - start.x, event.clientY - start.y) < DRAG) return
        event.currentTarget.setPointerCapture(event.pointerId)
        const below = document.elementFromPoint(event.clientX, event.clientY)?.closest<HTMLElement>('[data-place]')
        const place = below ? Number(below.dataset.place) : dragged?.place
        if (place !== undefined && place !== dragged?.place) setDragged({ id, place })
      },
      onPointerUp() {
        if (dragged) move(dragged.id, dragged.place)
        end()
      },
      onPointerCancel: end,
    }),
  }
}
