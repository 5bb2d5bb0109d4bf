import { type ReactNode, useEffect, useId, useLayoutEffect, useRef } from 'react'
import { placeInWindow } from './placeInWindow'
import { usePopup } from './usePopup'
import './menu.css'

export interface MenuItem {
  readonly label: string
  readonly disabled?: boolean
  /** Whether the entry of a choice is the present one. */
  readonly isChosen?: boolean
  /** Stands before the label: the letter of a side. */
  readonly letter?: string
  run(): void
}

/** A button that opens a list of actions. Arrow keys move, Esc closes it and returns to the button. */
interface MenuProps {
  readonly label: string
  readonly items: readonly MenuItem[]
  readonly children: ReactNode
  /** Class of the button; the default is a quiet square. */
  readonly className?: string
}

export function Menu({ label, items, children, className = 'button quiet square' }: MenuProps) {
  const { open, box, toggle, close, hide } = usePopup<HTMLSpanElement>()
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  // Lies in the top layer: scrolling containers such as the row of chips would clip it.
  useLayoutEffect(() => {
    if (!open || !box.current || !list.current) return
    list.current.showPopover()
    const { right, bottom } = box.current.getBoundingClientRect()
    placeInWindow(list.current, right - list.current.offsetWidth, bottom)
  }, [open, box])
  useEffect(() => {
    if (!open) return
    const chosen = list.current?.querySelector<HTMLElement>('[aria-checked=true]')
    ;(chosen ?? list.current?.querySelector<HTMLElement>('[role^=menuitem]:not(:disabled)'))?.focus()
  }, [open])
  const onKeyDown = (event: React.KeyboardEvent) => {
    const entries = [...(list.current?.querySelectorAll<HTMLElement>('[role^=menuitem]:not(:disabled)') ?? [])]
    const direction = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (event.key === 'Tab') hide()
    if (direction !== 0) {
      event.preventDefault()
      const index = entries.indexOf(document.activeElement as HTMLElement)
      entries[(index + direction + entries.length) % entries.length]?.focus()
    }
  }
  return (
    <span className="menu" ref={box}>
      <button
        type="button"
        className={className}
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
          popover="manual"
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
              role={item.isChosen === undefined ? 'menuitem' : 'menuitemradio'}
              {...(item.isChosen !== undefined && { 'aria-checked': item.isChosen })}
              disabled={item.disabled ?? false}
              onClick={() => {
                close()
                item.run()
              }}
            >
              {item.letter !== undefined && (
                <span className="badge" data-run={item.letter} aria-hidden="true">
                  {item.letter}
                </span>
              )}
              {item.label}
            </button>
          ))}
        </div>
      )}
    </span>
  )
}
