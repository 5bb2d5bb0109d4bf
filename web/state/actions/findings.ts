/** The finding that is shown, and its evidence. */

import type { PageActions } from '../actions'
import { currentComparison } from '../comparing/comparing'
import { evidenceRanges, withEvidence, withoutEvidence, withoutMark } from '../comparing/evidence'
import { put } from '../page'
import type { Updates } from './updates'

export function createFindingActions({ store, update }: Updates) {
  const showFinding = (rank: number) => update(page => put(withoutMark({ ...page, finding: rank }), 'named', undefined))
  return {
    showFinding,
    nextFinding: by => {
      const told = currentComparison(store.getState())
      const { findings = [] } = told?.comparison ?? {}
      const next = told?.finding && findings[findings.indexOf(told.finding) + by]
      if (next) showFinding(next.rank)
    },
    showEvidence: (by = 1) =>
      update(page => {
        const finding = currentComparison(page)?.finding
        const { comparison } = page
        if (!finding || !comparison) return page
        const { chart, run } = finding.evidence
        const id = comparison.runs[run]
        if (chart === 'quality') return id === undefined ? page : { ...page, dialog: { kind: 'quality', run: id } }
        const count = Math.max(1, evidenceRanges(finding).length)
        const interval = page.evidence ? (page.evidence.interval + by + count) % count : 0
        return withEvidence(page, finding, interval, comparison)
      }),
    leaveEvidence: () => update(withoutEvidence),
  } satisfies Partial<PageActions>
}
