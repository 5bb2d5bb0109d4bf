/** All actions of a page. */
import type { Opening, PageActions } from '../actions'
import type { PageStore } from '../page'
import { createAnnotationActions } from './annotations'
import { createFindingActions } from './findings'
import { createPageActions } from './pages'
import { createRangeActions } from './ranges'
import { createRunActions } from './runs'
import { createUpdates } from './updates'
import { createViewActions } from './views'

/** `pick` shows the browser's file dialog; a parameter, so that tests run without one. */
export function createActions(
  store: PageStore,
  opening: Opening,
  pick: (kind: 'files' | 'folder') => Promise<Parameters<Opening['open']>[0]>,
): PageActions {
  const pickFiles = (kind: 'files' | 'folder') => {
    void pick(kind).then(files => (files.length > 0 ? opening.open(files) : undefined))
  }
  const updates = createUpdates(store)
  return {
    ...opening,
    pickFiles,
    openFiles: () => pickFiles('files'),
    ...createRangeActions(updates),
    ...createViewActions(updates),
    ...createRunActions(updates, opening),
    ...createFindingActions(updates),
    ...createAnnotationActions(updates),
    ...createPageActions(updates, opening),
  }
}
