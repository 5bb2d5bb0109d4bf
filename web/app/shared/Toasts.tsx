/** What just happened, at the bottom of the page, with a way back. One message at a time. */
import { useEffect, useState } from 'react'
import { useActions, usePage } from '../context'
import './toasts.css'

/** How long a message stays while nobody points at it or has the focus in it, ms. */
const STAYS_MS = 10_000

export function Toasts() {
  const actions = useActions()
  const toast = usePage(p => p.toast)
  const [isPointed, setPointed] = useState(false)
  const [isFocused, setFocused] = useState(false)
  const { dismissToast } = actions
  useEffect(() => {
    if (!toast) {
      // An element that is removed under the pointer, or with the focus, sends no event.
      setPointed(false)
      setFocused(false)
      return
    }
    if (isPointed || isFocused) return
    const timer = setTimeout(dismissToast, STAYS_MS)
    return () => clearTimeout(timer)
  }, [toast, isPointed, isFocused, dismissToast])
  const { again, undo } = toast ?? {}
  return (
    <div className="toasts" role="status">
      {toast && (
        // biome-ignore lint/a11y/noStaticElementInteractions: the events only keep the message open
        <div
          className="toast"
          onPointerEnter={() => setPointed(true)}
          onPointerLeave={() => setPointed(false)}
          onFocus={() => setFocused(true)}
          onBlur={() => setFocused(false)}
          onKeyDown={event => {
            if (event.key !== 'Escape') return
            event.stopPropagation()
            dismissToast()
          }}
        >
          <p>{toast.words}</p>
          {undo && (
            <button type="button" className="button" onClick={actions.undo}>
              Undo <kbd>Ctrl Z</kbd>
            </button>
          )}
          {again && (
            <button
              type="button"
              className="button"
              onClick={() => {
                dismissToast()
                void actions.open(again, true)
              }}
            >
              Open it again
            </button>
          )}
          <button
            type="button"
            className="button square quiet"
            aria-label="Dismiss this message"
            onClick={dismissToast}
          >
            <span aria-hidden="true">×</span>
          </button>
        </div>
      )}
    </div>
  )
}
