import { duration } from '../../../lib/format'
import { evidenceRanges } from '../../../state/comparing/evidence'
import { width } from '../../../state/range'
import { useActions, usePage } from '../../context'
import { badgedSides, SideSentence } from '../head/SideSentence'
import { useCurrentComparison, useShownFigures } from '../useCurrentComparison'

/** Shows the sentence of the finding while its evidence is open, with buttons for other intervals. */
export function EvidenceBar() {
  const actions = useActions()
  const evidence = usePage(p => p.evidence)
  const runs = usePage(p => p.runs)
  const { comparison } = useShownFigures()
  const current = useCurrentComparison()
  if (!evidence || !current?.finding || !comparison) return undefined
  const { finding } = current
  const count = evidenceRanges(finding).length
  return (
    <section className="evidence-bar" aria-label="Evidence">
      <span className="finding-rank" aria-hidden="true">
        {finding.rank}
      </span>
      <p className="evidence-sentence">
        <SideSentence
          parts={finding.effect ?? finding.parts}
          plain={finding.sentence}
          sides={badgedSides(comparison, runs)}
        />
      </p>
      <p className="caption" aria-live="polite">
        {count > 0 && `${evidence.interval + 1} of ${count} ${count === 1 ? 'interval' : 'intervals'}`}
        {evidence.windows && evidence.range && (
          <span className="evidence-length">{`, ${duration(width(evidence.range))} of each run at its own time`}</span>
        )}
      </p>
      <span className="evidence-steps">
        {count > 1 && (
          <>
            <button type="button" className="button" onClick={() => actions.showEvidence(-1)}>
              Previous <kbd>⇧E</kbd>
            </button>
            <button type="button" className="button" onClick={() => actions.showEvidence()}>
              Next <kbd>E</kbd>
            </button>
          </>
        )}
        <button type="button" className="button" onClick={actions.leaveEvidence}>
          Back to the page <kbd>Esc</kbd>
        </button>
      </span>
    </section>
  )
}
