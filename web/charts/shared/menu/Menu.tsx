import type { ReactNode } from 'react'
import { type MenuItem, MenuList } from './MenuList'
import { placeBeside } from './usePlace'
import { usePopup } from './usePopup'

export type { MenuItem } from './MenuList'

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
  const place = (list: HTMLElement) => {
    if (box.current) placeBeside(box.current, list, 'right')
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
      {open && <MenuList label={label} items={items} place={place} close={close} hide={hide} />}
    </span>
  )
}
