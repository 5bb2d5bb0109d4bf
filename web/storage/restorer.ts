/** Opens the files of kept comparisons again. */
import { decodeLink } from '../link/link'
import { withoutRunSettings } from '../state/address/links'
import { isEmpty, put } from '../state/page'
import { lockedHandles, reopenFiles, unlock } from './reopen'
import type { Shelf } from './shelf'
import type { KeeperTargets } from './targets'
import { reopenedWords } from './words'
import type { Writer } from './writer'

export interface Restorer {
  /** Opens the record `Page.restoring`. Returns why nothing was opened. */
  restore(id: string): Promise<string | undefined>
  allow(): Promise<void>
  decline(): void
}

export function createRestorer({ store, actions, address }: KeeperTargets, shelf: Shelf, writer: Writer): Restorer {
  let asked: { readonly handles: readonly FileSystemHandle[]; answer(isAllowed: boolean): void } | undefined

  const ask = (handles: readonly FileSystemHandle[]): Promise<boolean> =>
    new Promise(resolve => {
      asked = { handles, answer: resolve }
      const names = handles.map(handle => handle.name)
      store.setState(page => ({ ...page, dialog: { kind: 'restore', names } }), true)
    })

  const answer = (isAllowed: boolean) => {
    asked?.answer(isAllowed)
    asked = undefined
    store.setState(page => (page.dialog?.kind === 'restore' ? put(page, 'dialog', undefined) : page), true)
  }

  return {
    async restore(id) {
      const record = await shelf.get(id)
      if (!record) return 'The files of this comparison are no longer kept in this browser. Open them again.'
      const locked = await lockedHandles(record)
      if (locked.length > 0 && !(await ask(locked))) return 'The files were not opened again.'
      const { files, missing, changed } = await reopenFiles(record, shelf)
      // The user has opened something else meanwhile.
      if (store.getState().restoring !== id) return undefined
      const words = reopenedWords(missing, changed)
      if (files.every(file => file === undefined)) return words ?? 'There are no files to open.'
      if (missing.length > 0) {
        // The settings for single runs would be applied to others.
        const { link } = decodeLink(record.link)
        address.show({ link: withoutRunSettings(link), problems: [] })
      }
      writer.adopt(record, files)
      const { batches, gone, windows, choices } = record
      store.setState(page => put({ ...page, stored: id, opening: true }, 'restoring', undefined), true)
      const sizes = batches.map(batch => batch.files.length)
      await actions.openReference({ urls: [], opened: sizes, gone, windows }, files)
      if (choices) await actions.readAs(choices)
      store.setState(page => {
        // Notes that were added later open their dialog again.
        const shown = page.dialog?.kind === 'notes' ? put(page, 'dialog', undefined) : page
        if (isEmpty(shown)) return shown
        return { ...shown, stored: id, ...(words !== undefined && { toast: { words } }) }
      }, true)
      return undefined
    },
    allow: async () => {
      if (asked) await unlock(asked.handles)
      answer(true)
    },
    decline: () => answer(false),
  }
}
