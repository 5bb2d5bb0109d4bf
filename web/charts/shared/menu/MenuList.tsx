/** The list of a menu, in the top layer: scrolling containers would clip it. Arrow keys move. */
import { useEffect, useLayoutEffect, useRef } from 'react'
import './menu.css'

export interface MenuItem {
  readonly label: string
  readonly disabled?: boolean
  /** Whether the entry of a choice is the present one. */
  readonly isChosen?: boolean
  /** Stands before the label: the letter of a side. */
  readonly letter?: string
  /** A line above it parts it from the entries before. */
  readonly isApart?: boolean
  run(): void
}

interface MenuListProps {
  readonly label: string
  readonly items: readonly MenuItem[]
  /** Places the list, which has its size by then. */
  place(list: HTMLElement): void
  /** Before the action of an entry: the focus goes back. */
  close(): void
  /** The focus goes on. */
  hide(): void
}

const ENTRIES = '[role^=menuitem]:not(:disabled)'

export function MenuList({ label, items, place, close, hide }: MenuListProps) {
  const list = useRef<HTMLDivElement>(null)
  const latestPlace = useRef(place)
  latestPlace.current = place
  useLayoutEffect(() => {
    if (!list.current) return
    list.current.showPopover()
    latestPlace.current(list.current)
  }, [])
  useEffect(() => {
    const chosen = list.current?.querySelector<HTMLElement>('[aria-checked=true]')
    ;(chosen ?? list.current?.querySelector<HTMLElement>(ENTRIES))?.focus({ preventScroll: true })
  }, [])
  const onKeyDown = (event: React.KeyboardEvent) => {
    const entries = [...(list.current?.querySelectorAll<HTMLElement>(ENTRIES) ?? [])]
    const index = entries.indexOf(document.activeElement as HTMLElement)
    const to = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: -1 }[event.key]
    if (event.key === 'Tab') hide()
    if (to === undefined) return
    event.preventDefault()
    event.stopPropagation()
    entries.at(to % entries.length)?.focus()
  }
  return (
    <div
      className="menu-list"
      role="menu"
      popover="manual"
      tabIndex={-1}
      aria-label={label}
      ref={list}
      onKeyDown={onKeyDown}
      // The key of the menu that is open opens none of the browser.
      onContextMenu={event => event.preventDefault()}
    >
      {items.map(item => (
        <button
          key={item.label}
          type="button"
          role={item.isChosen === undefined ? 'menuitem' : 'menuitemradio'}
          {...(item.isChosen !== undefined && { 'aria-checked': item.isChosen })}
          data-apart={item.isApart}
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
  )
}
