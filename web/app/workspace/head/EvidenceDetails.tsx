/** What supports a finding while its evidence is shown: the rule with its figures, and whose requests it concerns. */

import { CopyText } from '../text/CopyText'
import { useCurrentComparison, useShownFigures } from '../useCurrentComparison'
import { FindingRule } from './FindingRule'
import { badgedSides } from './SideSentence'
import { WhoSheet } from './WhoSheet'
import './panel.css'

export function EvidenceDetails() {
  const { comparison, runs } = useShownFigures()
  const current = useCurrentComparison()
  if (!current?.finding || !comparison) return undefined
  return (
    <section className="evidence-details" aria-label="What supports the finding">
      <FindingRule current={current} finding={current.finding} sides={badgedSides(comparison, runs)} />
      <WhoSheet current={current} finding={current.finding} />
      <CopyText compared={comparison} />
    </section>
  )
}
