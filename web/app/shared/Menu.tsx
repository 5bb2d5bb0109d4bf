import { type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'

export interface MenuItem {
  readonly label: string
  readonly disabled?: boolean
  run(): void
}

/** From the edges of the window, px. */
const EDGE = 8

/** A button that opens a short list of things to do. Arrows move, Esc closes and goes back to the button. */
export function Menu({ label, items, children }: { label: string; items: readonly MenuItem[]; children: ReactNode }) {
  const [open, setOpen] = useState(false)
  const id = useId()
  const box = useRef<HTMLSpanElement>(null)
  const list = useRef<HTMLDivElement>(null)
  // Above everything that scrolls: a row of heads must not cut it off.
  useLayoutEffect(() => {
    if (!open || !box.current || !list.current) return
    const { right, bottom } = box.current.getBoundingClientRect()
    const { offsetWidth, offsetHeight } = list.current
    const left = Math.max(EDGE, Math.min(right - offsetWidth, window.innerWidth - offsetWidth - EDGE))
    const top = Math.max(EDGE, Math.min(bottom, window.innerHeight - offsetHeight - EDGE))
    Object.assign(list.current.style, { left: `${left}px`, top: `${top}px` })
  }, [open])
  useEffect(() => {
    if (!open) return
    list.current?.querySelector<HTMLElement>('[role=menuitem]:not(:disabled)')?.focus()
    const outside = (event: PointerEvent) => {
      if (!box.current?.contains(event.target as Node)) setOpen(false)
    }
    document.addEventListener('pointerdown', outside)
    return () => document.removeEventListener('pointerdown', outside)
  }, [open])
  const close = () => {
    setOpen(false)
    box.current?.querySelector('button')?.focus()
  }
  const onKeyDown = (event: React.KeyboardEvent) => {
    const entries = [...(list.current?.querySelectorAll<HTMLElement>('[role=menuitem]:not(:disabled)') ?? [])]
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (event.key === 'Escape') close()
    if (event.key === 'Tab') setOpen(false)
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
        className="button quiet square menu-button"
        aria-haspopup="menu"
        aria-expanded={open}
        aria-label={label}
        onClick={() => setOpen(!open)}
      >
        {children}
      </button>
      {open && (
        <div className="menu-list" role="menu" id={id} tabIndex={-1} aria-label={label} ref={list} onKeyDown={onKeyDown}>
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
