/** Ctrl+V anywhere but in a field, and the Paste button. Addresses are asked about, never fetched by themselves. */
import { useEffect } from 'react'
import { asEngineError } from '../engine/errors'
import { entriesOf, filesOf } from '../ingest/dropped'
import { fromText, isAddresses } from '../ingest/pasted'
import type { PageActions } from '../state/actions'
import type { PageStore } from '../state/page'

function openText(text: string, actions: PageActions) {
  if (isAddresses(text)) actions.show({ kind: 'addresses', text: text.trim() })
  else if (text.trim() !== '') void actions.open([fromText(text)])
}

/** Takes what is on the clipboard; the browser may ask whether it may. */
export async function pasteFromClipboard(actions: PageActions): Promise<void> {
  try {
    openText(await navigator.clipboard.readText(), actions)
  } catch {
    const error = {
      code: 'clipboard-refused',
      message: 'The browser does not let this page read the clipboard.',
      remedy: 'Press Ctrl V (Cmd V on a Mac): that needs no permission.',
    }
    actions.show({ kind: 'errors', title: 'Nothing could be pasted', errors: [error] })
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
        actions.show({ kind: 'errors', title: 'What was pasted could not be read', errors: [asEngineError(reason, 'unreadable-drop')] }),
      )
    }
    window.addEventListener('paste', onPaste)
    return () => window.removeEventListener('paste', onPaste)
  }, [store, actions])
}
