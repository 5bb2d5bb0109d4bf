/** How actions change the store. */
import type { Range } from '../../engine/protocol'
import { withoutOldEvidence } from '../comparing/evidence'
import { extentOf } from '../filter'
import { type Page, type PageStore, put, settlePage } from '../page'
import { clampRange, isWhole } from '../range'
import type { Trail } from '../trail'
import type { View } from '../types'

export interface Updates {
  readonly store: PageStore
  update(change: (page: Page) => Page): void
  updateView(change: (view: View) => View): void
  updateTrail(change: (trail: Trail, page: Page) => Trail): void
}

export function createUpdates(store: PageStore): Updates {
  const update: Updates['update'] = change => store.setState(page => settlePage(withoutOldEvidence(change(page))), true)
  return {
    store,
    update,
    updateView: change => update(page => ({ ...page, view: change(page.view) })),
    updateTrail: change =>
      update(page =>
        put(
          { ...page, trail: change(page.trail, page), view: put(page.view, 'preview', undefined) },
          'following',
          undefined,
        ),
      ),
  }
}

/** The range clamped to the extent. The complete extent is `undefined`, so that it grows with the runs. */
export function clampedRange(range: Range, page: Page): Range | undefined {
  const extent = extentOf(page.runs)
  const clamped = clampRange(range, extent)
  return isWhole(clamped, extent) ? undefined : clamped
}
