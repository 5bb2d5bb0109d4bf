/** What charts and lists show, and which requests are hidden. */

import type { PageActions } from '../actions'
import { withoutMark } from '../comparing/evidence'
import { NOTHING_HIDDEN } from '../filter'
import { withHidden, withLeftOut } from '../hidden'
import { put, withOwnLengths } from '../page'
import { shiftRuns } from '../runs/align'
import type { Updates } from './updates'

export function createViewActions({ update, updateView }: Updates) {
  return {
    select: (run, row) =>
      updateView(v => put(v, 'selected', run !== undefined && row !== undefined ? { run, row } : undefined)),
    showEvents: time =>
      updateView(v => put({ ...put(v, 'selected', undefined), layout: 'events' }, 'cursor', time ?? v.cursor)),
    setEventFilter: line => updateView(v => put(v, 'eventFilter', line.trim() === '' ? undefined : line)),
    setLayer: layer => updateView(v => ({ ...v, layer })),
    setStage: stage => updateView(v => ({ ...v, stage })),
    setTrueScale: trueScale => updateView(v => ({ ...v, trueScale })),
    setOwnLengths: enabled => update(page => withOwnLengths(page, enabled)),
    setSizesAt: moment => updateView(v => put(v, 'sizesAt', moment === 'issued' ? undefined : moment)),
    setBars: bars => updateView(v => put(v, 'bars', bars)),
    setRate: rate => updateView(v => put(v, 'rate', rate)),
    listEvents: run => updateView(v => put(v, 'listed', run)),
    hide: (facet, value, hide) => updateView(v => ({ ...v, hidden: withHidden(v.hidden, facet, value, hide) })),
    leaveOut: values => updateView(v => ({ ...v, hidden: withLeftOut(v.hidden, values) })),
    setLatency: latency => updateView(v => put(v, 'latency', latency)),
    setFunctions: functions => updateView(v => put(v, 'functions', functions)),
    clearFilters: () =>
      updateView(v => put(put({ ...v, hidden: NOTHING_HIDDEN }, 'latency', undefined), 'functions', undefined)),
    setLayout: layout =>
      update(page => (page.view.layout === layout ? page : withoutMark({ ...page, view: { ...page.view, layout } }))),
    setMatrix: matrix => updateView(v => ({ ...v, matrix: { ...v.matrix, ...matrix } })),
    layOut: matrix => updateView(v => put(v, 'matrix', Object.keys(matrix).length > 0 ? matrix : undefined)),
    setAlign: align => update(page => withoutMark({ ...page, view: put(page.view, 'align', align) })),
    shift: shifts =>
      update(page =>
        withoutMark({ ...page, runs: shiftRuns(page.runs, shifts), view: { ...page.view, align: 'hand' } }),
      ),
  } satisfies Partial<PageActions>
}
