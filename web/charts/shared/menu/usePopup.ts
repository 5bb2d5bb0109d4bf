import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'

export interface Popup<E extends HTMLElement> {
  readonly open: boolean
  /** Around the button (its first one) and the popup. */
  readonly box: RefObject<E | null>
  toggle(): void
  /** Returns the focus to the button. */
  close(): void
  /** Leaves the focus where it is. */
  hide(): void
}

/** State of a popup next to its button. A press outside and Esc close it. */
export function usePopup<E extends HTMLElement>(): Popup<E> {
  const [open, setOpen] = useState(false)
  const box = useRef<E>(null)
  const close = useCallback(() => {
    setOpen(false)
    box.current?.querySelector('button')?.focus()
  }, [])
  useEffect(() => {
    if (!open) return
    const onPress = (event: PointerEvent) => {
      if (!box.current?.contains(event.target as Node)) setOpen(false)
    }
    // Listens in the capture phase: Esc must not reach the page, where it clears the selection.
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.stopPropagation()
      close()
    }
    document.addEventListener('pointerdown', onPress)
    document.addEventListener('keydown', onKey, true)
    return () => {
      document.removeEventListener('pointerdown', onPress)
      document.removeEventListener('keydown', onKey, true)
    }
  }, [open, close])
  const hide = useCallback(() => setOpen(false), [])
  return { open, box, toggle: () => setOpen(!open), close, hide }
}
