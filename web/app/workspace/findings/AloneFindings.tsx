/** Findings about a single run, shown in place of a comparison's findings while there is no second run. */
import { UnreliableMark } from '../../../charts/shared/frame/LossIntervals'
import { explained } from '../../../engine/findings'
import type { RunFinding } from '../../../engine/protocol'
import { share } from '../../../lib/format'
import { ns } from '../../../lib/units'
import type { Run } from '../../../state/types'
import { useActions } from '../../context'
import { useShownFigures } from '../useCurrentComparison'
import './findings.css'
import { sentenceText } from './findingWords'
import { figuresOf } from './words'

/** Sentences about a single run name no side. */
const NO_SIDES = { sides: [] }

export function AloneFindings({ run }: { run: Run }) {
  const actions = useActions()
  const { explanation } = useShownFigures()
  const findings = explanation?.runs[0] === run.id ? (explanation.document.alone?.[0]?.findings ?? []) : []
  if (explanation === undefined || findings.length === 0) return undefined
  const rangeOf = ({ when: rangeName, evidence }: RunFinding) => rangeName?.intervals[0] ?? evidence.range
  return (
    <section className="findings" data-alone="" aria-label="What held it back">
      <ol>
        {findings.map(finding => {
          const range = rangeOf(finding)
          const shift = run.shift ?? 0
          return (
            <li key={finding.code}>
              <p>
                <span className="finding-rank">{finding.code === 'nothing-held-back' ? '=' : finding.rank}</span>
                <span>
                  {sentenceText(finding.parts, finding.sentence, NO_SIDES)}{' '}
                  <a
                    href={explained(finding.code)}
                    target="_blank"
                    rel="noopener"
                    {...(finding.rule !== '' && { title: `Fires when ${finding.rule}.` })}
                  >
                    <code>{finding.code}</code>
                  </a>
                </span>
                {finding.share !== undefined && (
                  <span className="findings-part" title="Share of the run that it concerns">
                    {share(finding.share)}
                    <UnreliableMark spoiled={figuresOf(run)?.spoiled} names={['states']} />
                  </span>
                )}
                {range && (
                  <button
                    type="button"
                    className="button"
                    onClick={() => actions.commit({ t0: ns(range[0] + shift), t1: ns(range[1] + shift) })}
                  >
                    Zoom<span className="visually-hidden"> to the evidence of {finding.code}</span>
                  </button>
                )}
              </p>
              {finding.gain && <p className="findings-gain">{sentenceText(finding.gain.words, '', NO_SIDES)}</p>}
            </li>
          )
        })}
      </ol>
    </section>
  )
}
