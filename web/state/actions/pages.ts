/** Dialogs, and what belongs to the page as a whole. */

import type { Opening, PageActions } from '../actions'
import { isEmpty, put, withChoice } from '../page'
import { undone } from '../undo'
import type { Updates } from './updates'

export function createPageActions({ store, update }: Updates, opening: Pick<Opening, 'resummarise'>) {
  return {
    undo: () => {
      update(undone)
      // Figures that were asked for before the run was removed had nowhere to go.
      for (const run of store.getState().runs) if (!run.summary) opening.resummarise(run.id)
    },
    dismissToast: () => update(page => put(page, 'toast', undefined)),
    goHome: () => update(page => (isEmpty(page) ? page : { ...put(page, 'dialog', undefined), home: true })),
    leaveHome: () => update(page => put(page, 'home', undefined)),
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
