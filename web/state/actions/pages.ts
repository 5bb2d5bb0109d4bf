/** Dialogs, and what belongs to the page as a whole. */

import type { PageActions } from '../actions'
import { put, withChoice } from '../page'
import type { Updates } from './updates'

export function createPageActions({ update }: Updates) {
  return {
    playBack: () => update(page => ({ ...page, dialog: { kind: 'play' } })),
    editGeometry: () => update(page => ({ ...page, dialog: { kind: 'geometry' } })),
    setFleet: change => update(page => (page.fleet ? { ...page, fleet: change(page.fleet) } : page)),
    setTitle: title => update(page => put(page, 'title', title.trim() === '' ? undefined : title.trim())),
    tellLink: problems => update(page => ({ ...page, linkProblems: [...page.linkProblems, ...problems] })),
    dismissLink: () => update(page => ({ ...page, linkProblems: [] })),
    consent: (id, where) => update(page => put({ ...page, consent: { id, where } }, 'dialog', undefined)),
    show: dialog => update(page => ({ ...page, dialog })),
    close: () => update(page => withChoice(put(page, 'dialog', undefined))),
  } satisfies Partial<PageActions>
}
