/** A card that is moved by its head: with the pointer, or with arrow keys from its button. */
import { type KeyboardEvent, type PointerEvent, type RefObject, useRef, useState } from 'react'
import type { CardPlace } from './useAnchor'

/** How far an arrow key moves it, px. */
const STEP = 24

const DIRECTIONS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

export function useMoved(box: RefObject<HTMLElement | null>) {
  const [moved, setMoved] = useState<CardPlace>()
  /** From the corner of the card to the pointer. */
  const grip = useRef<{ readonly x: number; readonly y: number }>(undefined)
  const corner = () => box.current?.getBoundingClientRect() ?? { left: 0, top: 0 }
  return {
    moved,
    putBack: () => setMoved(undefined),
    head: {
      onPointerDown(event: PointerEvent<HTMLElement>) {
        if (event.button !== 0 || (event.target instanceof Element && event.target.closest('button'))) return
        const { left, top } = corner()
        grip.current = { x: event.clientX - left, y: event.clientY - top }
        event.currentTarget.setPointerCapture(event.pointerId)
        event.preventDefault()
      },
      onPointerMove({ clientX, clientY }: PointerEvent) {
        if (grip.current) setMoved({ left: clientX - grip.current.x, top: clientY - grip.current.y })
      },
      onLostPointerCapture() {
        grip.current = undefined
      },
    },
    /** Of the button that moves it. */
    onMoveKey(event: KeyboardEvent) {
      const direction = DIRECTIONS[event.key]
      if (direction === undefined) return
      event.preventDefault()
      event.stopPropagation()
      const { left, top } = corner()
      setMoved({ left: left + STEP * direction[0], top: top + STEP * direction[1] })
    },
  }
}
