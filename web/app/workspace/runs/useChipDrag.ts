/** Dragging a chip to another place in the row; Shift and arrow keys on its badge do the same. */
import { type PointerEvent, useRef, useState } from 'react'

/** Minimum movement of a drag, px: a shorter one is a click. */
const DRAG = 6

export interface ChipDrag {
  /** The dragged run, and the place where it would be dropped. */
  readonly dragged: { readonly id: string; readonly over: number } | undefined
  /** Properties for each head; `data-place` is its index in the row. */
  readonly of: (id: string) => {
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
    of: id => ({
      onPointerDown(event) {
        // Touch scrolls the row; names and buttons keep their own gestures.
        const own = (event.target as Element).closest('button, input, [role=menu]')
        if (event.button === 0 && event.pointerType !== 'touch' && !own)
          press.current = { id, x: event.clientX, y: event.clientY }
      },
      onPointerMove(event) {
        const from = press.current
        if (from === undefined || from.id !== id) return
        if (dragged === undefined && Math.hypot(event.clientX - from.x, event.clientY - from.y) < DRAG) return
        event.currentTarget.setPointerCapture(event.pointerId)
        const below = document.elementFromPoint(event.clientX, event.clientY)?.closest<HTMLElement>('[data-place]')
        const over = below ? Number(below.dataset.place) : dragged?.over
        if (over !== undefined && over !== dragged?.over) setDragged({ id, over })
      },
      onPointerUp() {
        if (dragged) move(dragged.id, dragged.over)
        end()
      },
      onPointerCancel: end,
    }),
  }
}
