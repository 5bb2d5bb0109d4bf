/** The time range that is shown, and its history. */
import type { Range } from '../../engine/protocol'
import { ns } from '../../lib/units'
import type { PageActions } from '../actions'
import { extentOf } from '../filter'
import { put } from '../page'
import { panRange, zoomRange } from '../range'
import { followEnd } from '../runs/stream'
import { enclosing, go, push, replace } from '../trail'
import { clampedRange, type Updates } from './updates'

export function createRangeActions({ store, update, updateView, updateTrail }: Updates) {
  const look = (range: Range) => updateTrail((t, page) => replace(t, clampedRange(range, page)))
  return {
    preview: range => updateView(v => put(v, 'preview', range)),
    commit: requested =>
      updateTrail((t, page) => {
        const range = requested ?? page.view.preview
        return range ? push(t, clampedRange(range, page)) : t
      }),
    look,
    lookLba: lba => updateView(v => put(v, 'lba', lba)),
    back: () => {
      const { trail: t, view: v } = store.getState()
      if (v.preview) updateView(w => put(w, 'preview', undefined))
      else if (t.index > 0) updateTrail(u => go(u, -1))
      else updateTrail(u => replace(u, undefined))
    },
    forward: () => updateTrail(t => go(t, 1)),
    follow: enabled =>
      update(page => (enabled ? followEnd({ ...page, following: true }) : put(page, 'following', undefined))),
    whole: () => updateTrail(t => push(t, undefined)),
    stepOut: () => updateTrail(t => push(t, enclosing(t).at(-2))),
    zoom: factor => {
      const { runs, view: v } = store.getState()
      const middle = (v.range.t0 + v.range.t1) / 2
      const center = v.cursor !== undefined && v.cursor >= v.range.t0 && v.cursor <= v.range.t1 ? v.cursor : ns(middle)
      look(zoomRange(v.range, factor, center, extentOf(runs)))
    },
    pan: widths => {
      const { runs, view: v } = store.getState()
      look(panRange(v.range, widths, extentOf(runs)))
    },
    cursor: time => {
      if (store.getState().view.cursor !== time) updateView(v => put(v, 'cursor', time))
    },
  } satisfies Partial<PageActions>
}
