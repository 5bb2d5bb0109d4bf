/** Ctrl+V outside of text fields, and the Paste button. Pasted URLs are fetched only after confirmation. */
import { useEffect } from 'react'
import { asEngineError } from '../engine/errors'
import { entriesOf, filesOf } from '../ingest/dropped'
import { fromText, isAddresses } from '../ingest/pasted'
import type { PageActions } from '../state/actions'
import type { PageStore } from '../state/page'

export function openText(text: string, actions: PageActions) {
  if (isAddresses(text)) actions.show({ kind: 'addresses', text: text.trim() })
  else if (text.trim() !== '') void actions.open([fromText(text)])
}

/** Opens the clipboard's text; the browser may ask for permission. Where it refuses, a field takes the text. */
export async function pasteFromClipboard(actions: PageActions): Promise<void> {
  try {
    openText(await navigator.clipboard.readText(), actions)
  } catch {
    actions.show({ kind: 'paste' })
  }
}

const isField = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('input, textarea, select, [contenteditable=true]') !== null

export function usePaste(store: PageStore, actions: PageActions): void {
  useEffect(() => {
    const onPaste = (event: ClipboardEvent) => {
      if (!event.clipboardData || isField(event.target) || store.getState().dialog) return
      event.preventDefault()
      const entries = entriesOf(event.clipboardData.items)
      if (entries.length === 0) return openText(event.clipboardData.getData('text/plain'), actions)
      filesOf(entries).then(actions.open, (reason: unknown) =>
        actions.show({
          kind: 'errors',
          title: 'Cannot read the pasted files',
          errors: [asEngineError(reason, 'unreadable-drop')],
        }),
      )
    }
    window.addEventListener('paste', onPaste)
    return () => window.removeEventListener('paste', onPaste)
  }, [store, actions])
}
