/** What supports a finding while its evidence is shown: the rule with its figures, and whose requests it concerns. */
import { useMemo } from 'react'
import { currentComparison } from '../../../state/comparing/comparing'
import { usePage } from '../../context'
import { CopyText } from './CopyText'
import { FindingRule } from './FindingRule'
import { WhoSheet } from './WhoSheet'
import './panel.css'

export function EvidenceDetails() {
  const runs = usePage(p => p.runs)
  const comparison = usePage(p => p.comparison)
  const rank = usePage(p => p.finding)
  const current = useMemo(
    () => currentComparison({ runs, ...(comparison && { comparison }), ...(rank && { finding: rank }) }),
    [runs, comparison, rank],
  )
  if (!current?.finding) return undefined
  return (
    <section className="evidence-details" aria-label="What supports the finding">
      <FindingRule current={current} finding={current.finding} />
      <WhoSheet current={current} finding={current.finding} />
      {comparison && <CopyText compared={comparison} />}
    </section>
  )
}
