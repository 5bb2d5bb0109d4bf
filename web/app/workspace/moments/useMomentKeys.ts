/** The keys `J` and `Shift+J` go to the next and the previous moment. */
import { useEffect, useRef } from 'react'
import { keyOf } from '../../commands'
import { usePage } from '../../context'
import { TYPED_INTO } from '../../shared/useSlashKey'

const OFFSETS: Readonly<Record<string, number>> = { j: 1, 'shift+j': -1 }

export function useMomentKeys(step: (offset: number) => void): void {
  const isCovered = usePage(page => page.dialog !== undefined)
  const latest = useRef(step)
  useEffect(() => {
    latest.current = step
  })
  useEffect(() => {
    if (isCovered) return
    const onKey = (event: KeyboardEvent) => {
      const offset = OFFSETS[keyOf(event)]
      if (offset === undefined || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      if (event.target instanceof Element && event.target.closest(TYPED_INTO)) return
      event.preventDefault()
      latest.current(offset)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [isCovered])
}
