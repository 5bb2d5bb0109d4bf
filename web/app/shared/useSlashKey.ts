/** The key `/` moves the focus to a search field. */
import { type RefObject, useEffect } from 'react'

/** Elements in which characters are typed. A checkbox keeps the focus after a click, and takes no text. */
export const TYPED_INTO = 'input:not([type=checkbox]), select, textarea, [role=dialog]'

/**
 * Focuses the field when `/` is pressed anywhere on the page except where it is typed. With `isSelecting` the text of
 * the field is also selected, so that typing replaces it.
 */
export function useSlashKey(field: RefObject<HTMLInputElement | null>, isSelecting = false): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      if (event.target instanceof Element && event.target.closest(TYPED_INTO)) return
      event.preventDefault()
      field.current?.focus()
      if (isSelecting) field.current?.select()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [field, isSelecting])
}
