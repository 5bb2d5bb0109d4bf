/** What supports a finding while its evidence is shown: the rule with its figures, and whose requests it concerns. */

import { CopyText } from '../text/CopyText'
import { useCurrentComparison, useShownFigures } from '../useCurrentComparison'
import { FindingRule } from './FindingRule'
import { WhoSheet } from './WhoSheet'
import './panel.css'

export function EvidenceDetails() {
  const { comparison } = useShownFigures()
  const current = useCurrentComparison()
  if (!current?.finding) return undefined
  return (
    <section className="evidence-details" aria-label="What supports the finding">
      <FindingRule current={current} finding={current.finding} />
      <WhoSheet current={current} finding={current.finding} />
      {comparison && <CopyText compared={comparison} />}
    </section>
  )
}
