/** The finding that is shown, and its evidence. */

import type { PageActions } from '../actions'
import { currentComparison } from '../comparing/comparing'
import { evidenceRanges, withEvidence, withoutEvidence, withoutMark } from '../comparing/evidence'
import { shownFigures } from '../comparing/ranged'
import { put } from '../page'
import type { Updates } from './updates'

export function createFindingActions({ store, update }: Updates) {
  const showFinding = (rank: number) =>
    update(page => {
      const { ranged } = page
      const chosen = ranged ? { ranged: { ...ranged, finding: rank } } : { finding: rank }
      // The range of one finding's evidence says nothing of another finding: a run may have no request in it. Evidence
      // without a range was opened in the one that is shown.
      const left = page.evidence?.range ? withoutEvidence(page) : page
      return put(withoutMark({ ...left, ...chosen }), 'named', undefined)
    })
  return {
    showFinding,
    nextFinding: offset => {
      const current = currentComparison(shownFigures(store.getState()))
      const { findings = [] } = current?.comparison ?? {}
      const next = current?.finding && findings[findings.indexOf(current.finding) + offset]
      if (next) showFinding(next.rank)
    },
    showEvidence: (offset = 1) =>
      update(page => {
        const shown = shownFigures(page)
        const finding = currentComparison(shown)?.finding
        const { comparison } = shown
        if (!finding || !comparison) return page
        const { chart, run } = finding.evidence
        const id = comparison.runs[run]
        if (chart === 'quality') return id === undefined ? page : { ...page, dialog: { kind: 'quality', run: id } }
        const count = Math.max(1, evidenceRanges(finding).length)
        const interval = page.evidence ? (page.evidence.interval + offset + count) % count : 0
        return withEvidence(page, finding, interval, comparison)
      }),
    showChart: chart =>
      update(page => ({
        ...page,
        view: page.view.layout === 'columns' ? page.view : { ...page.view, layout: 'columns' },
        sight: { chart, focus: true },
      })),
    leaveEvidence: () => update(withoutEvidence),
  } satisfies Partial<PageActions>
}
