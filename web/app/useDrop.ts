/**
 * Accepts drops anywhere on the page. Returns the number of items being dragged; browsers hide their names until the
 * drop.
 */
import { useEffect, useRef, useState } from 'react'
import { asEngineError } from '../engine/errors'
import { entriesOf, filesOf, handlesOf } from '../ingest/dropped'
import type { PageActions } from '../state/actions'

const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false

export function useDrop(actions: PageActions): number | undefined {
  const [dragged, setDragged] = useState<number>()
  const depth = useRef(0)
  useEffect(() => {
    const onEnter = (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      depth.current++
      setDragged([...(event.dataTransfer?.items ?? [])].filter(i => i.kind === 'file').length)
    }
    const onOver = (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      if (event.dataTransfer) event.dataTransfer.dropEffect = 'copy'
    }
    const onLeave = (event: DragEvent) => {
      if (!hasFiles(event)) return
      depth.current = Math.max(0, depth.current - 1)
      if (depth.current === 0) setDragged(undefined)
    }
    const onDrop = (event: DragEvent) => {
      if (!event.dataTransfer || !hasFiles(event)) return
      event.preventDefault()
      depth.current = 0
      setDragged(undefined)
      const entries = entriesOf(event.dataTransfer.items)
      const handles = handlesOf(event.dataTransfer.items)
      filesOf(entries, handles).then(
        files => actions.open(files),
        (reason: unknown) =>
          actions.show({
            kind: 'errors',
            title: 'Cannot read the dropped files',
            errors: [asEngineError(reason, 'unreadable-drop')],
          }),
      )
    }
    window.addEventListener('dragenter', onEnter)
    window.addEventListener('dragover', onOver)
    window.addEventListener('dragleave', onLeave)
    window.addEventListener('drop', onDrop)
    return () => {
      window.removeEventListener('dragenter', onEnter)
      window.removeEventListener('dragover', onOver)
      window.removeEventListener('dragleave', onLeave)
      window.removeEventListener('drop', onDrop)
    }
  }, [actions])
  return dragged
}
