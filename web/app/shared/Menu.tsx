import { type ReactNode, useEffect, useId, useLayoutEffect, useRef } from 'react'
import { usePopup } from '../../charts/shared/usePopup'

export interface MenuItem {
  readonly label: string
  readonly disabled?: boolean
  run(): void
}

/** Least distance from the edges of the window, px. */
const EDGE = 8

/** A button that opens a list of actions. Arrow keys move, Esc closes it and returns to the button. */
export function Menu({ label, items, children }: { label: string; items: readonly MenuItem[]; children: ReactNode }) {
  const { open, box, toggle, close, hide } = usePopup<HTMLSpanElement>()
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  // Fixed to the window: scrolling containers such as the row of chips would clip it.
  useLayoutEffect(() => {
    if (!open || !box.current || !list.current) return
    const { right, bottom } = box.current.getBoundingClientRect()
    const { offsetWidth, offsetHeight } = list.current
    const left = Math.max(EDGE, Math.min(right - offsetWidth, window.innerWidth - offsetWidth - EDGE))
    const top = Math.max(EDGE, Math.min(bottom, window.innerHeight - offsetHeight - EDGE))
    Object.assign(list.current.style, { left: `${left}px`, top: `${top}px` })
  }, [open, box])
  useEffect(() => {
    if (!open) return
    list.current?.querySelector<HTMLElement>('[role=menuitem]:not(:disabled)')?.focus()
  }, [open])
  const onKeyDown = (event: React.KeyboardEvent) => {
    const entries = [...(list.current?.querySelectorAll<HTMLElement>('[role=menuitem]:not(:disabled)') ?? [])]
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (event.key === 'Tab') hide()
    if (by !== 0) {
      event.preventDefault()
      const at = entries.indexOf(document.activeElement as HTMLElement)
      entries[(at + by + entries.length) % entries.length]?.focus()
    }
  }
  return (
    <span className="menu" ref={box}>
      <button
        type="button"
        className="button quiet square"
        aria-haspopup="menu"
        aria-expanded={open}
        aria-label={label}
        onClick={toggle}
      >
        {children}
      </button>
      {open && (
        <div
          className="menu-list"
          role="menu"
          id={id}
          tabIndex={-1}
          aria-label={label}
          ref={list}
          onKeyDown={onKeyDown}
        >
          {items.map(item => (
            <button
              key={item.label}
              type="button"
              role="menuitem"
              disabled={item.disabled ?? false}
              onClick={() => {
                close()
                item.run()
              }}
            >
              {item.label}
            </button>
          ))}
        </div>
      )}
    </span>
  )
}
