/** Dragging the heads of the runs to another place of the row; Shift and arrows on a badge do the same. */
import { type PointerEvent, useRef, useState } from 'react'

/** So many px make a drag of a press. */
const DRAG = 6

export interface ChipDrag {
  /** The run that is dragged, and the place where it would go. */
  readonly held: { readonly id: string; readonly over: number } | undefined
  /** For each head; `data-place` on it is its place in the row. */
  readonly of: (id: string) => {
    readonly onPointerDown: (event: PointerEvent<HTMLElement>) => void
    readonly onPointerMove: (event: PointerEvent<HTMLElement>) => void
    readonly onPointerUp: () => void
    readonly onPointerCancel: () => void
  }
}

export function useChipDrag(move: (id: string, to: number) => void): ChipDrag {
  const press = useRef<{ readonly id: string; readonly x: number; readonly y: number }>(undefined)
  const [held, setHeld] = useState<ChipDrag['held']>()
  const end = () => {
    press.current = undefined
    setHeld(undefined)
  }
  return {
    held,
    of: id => ({
      onPointerDown(event) {
        // A finger scrolls the row; names and buttons keep what they do.
        const own = (event.target as Element).closest('button, input, [role=menu]')
        if (event.button === 0 && event.pointerType !== 'touch' && !own) press.current = { id, x: event.clientX, y: event.clientY }
      },
      onPointerMove(event) {
        const from = press.current
        if (from === undefined || from.id !== id) return
        if (held === undefined && Math.hypot(event.clientX - from.x, event.clientY - from.y) < DRAG) return
        event.currentTarget.setPointerCapture(event.pointerId)
        const below = document.elementFromPoint(event.clientX, event.clientY)?.closest<HTMLElement>('[data-place]')
        const over = below ? Number(below.dataset.place) : held?.over
        if (over !== undefined && over !== held?.over) setHeld({ id, over })
      },
      onPointerUp() {
        if (held) move(held.id, held.over)
        end()
      },
      onPointerCancel: end,
    }),
  }
}
