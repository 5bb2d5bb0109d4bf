/** The verdict of a comparison: the finding as a sentence, and a line with how large and how certain it is. */
import type { ReactNode } from 'react'
import { useRef } from 'react'
import { listed } from '../../../charts/shared/answers/shown'
import { Menu } from '../../../charts/shared/menu/Menu'
import { intervalText } from '../../../compare/rows'
import { VERDICT_MARKS } from '../../../compare/verdicts'
import { explained } from '../../../engine/findings'
import type { Comparison, Finding } from '../../../engine/protocol'
import { count, sectorSize, share } from '../../../lib/format'
import { type CurrentComparison, comparisonsOf, differs } from '../../../state/comparing/comparing'
import { evidenceRanges } from '../../../state/comparing/evidence'
import { quantityIn, totalChange } from '../../../state/comparing/outcome'
import { visible } from '../../../state/filter'
import type { ComparedRuns } from '../../../state/types'
import { useActions, usePage } from '../../context'
import '../../shared/verdict-bar.css'
import { onlyBehaves, repeatsDiffer, sentenceText, settingsOf } from '../findings/findingWords'
import { suggestionsOf } from '../rail/suggestion'
import { useComparisonText } from '../text/useComparisonText'
import { PinnedSentence } from './PinnedSentence'
import { RangeFact, useShownRange } from './RangeFact'
import { type BadgedSide, badgedSides, SideBadge, SideSentence } from './SideSentence'
import { OUTCOMES } from './verdict'
import './head.css'

interface VerdictBarProps {
  readonly current: CurrentComparison
  readonly compared: ComparedRuns
  /** What limits the figures: lost events, a clock that steps back, a device without D. */
  readonly caveats: readonly ReactNode[]
}

export function VerdictBar({ current, compared, caveats }: VerdictBarProps) {
  const runs = usePage(p => p.runs)
  const sides = badgedSides(compared, runs)
  const bar = useRef<HTMLElement>(null)
  const { comparison, finding } = current
  const shown = finding ?? { parts: comparison.verdict_parts, sentence: comparison.verdict }
  // The settings that may be the cause stand in the line below.
  const sentence = <SideSentence parts={finding?.effect ?? shown.parts} plain={shown.sentence} sides={sides} />
  const part = runs.filter(run => compared.runs.includes(run.id) && run.cut).map(run => run.letter)
  return (
    <>
      <PinnedSentence bar={bar}>{sentence}</PinnedSentence>
      <section className="verdict-bar head-bar" aria-label="Verdict" ref={bar}>
        <div className="verdict-words">
          <h2 className="verdict-sentence" aria-live="polite">
            {part.length > 0 && `Part of ${listed(part)} only. `}
            {sentence}
          </h2>
          <Facts current={current} compared={compared} sides={sides} isPart={part.length > 0} />
        </div>
        <VerdictButtons current={current} compared={compared} />
        {caveats.length > 0 && <div className="verdict-caveats">{caveats}</div>}
      </section>
    </>
  )
}

interface FactsProps {
  readonly current: CurrentComparison
  readonly compared: ComparedRuns
  readonly sides: readonly BadgedSide[]
  readonly isPart: boolean
}

function Facts({ current, compared, sides, isPart }: FactsProps) {
  const { comparison, finding, document } = current
  const range = useShownRange()
  const [verdict, word] = OUTCOMES[comparison.outcome]
  const total = totalChange(comparison.verdict_parts)
  const { ci90 } = comparison
  const other = sides[comparison.side]
  const isCertain = comparison.outcome === 'slower' || comparison.outcome === 'faster'
  const sentence = sentenceText(comparison.verdict_parts, comparison.verdict, document)
  const whole = `${sentence} ${repeatsDiffer(comparison, document)}`
  const isInSentence = finding === undefined || finding.code === 'no-real-difference'
  return (
    <ul className="verdict-facts">
      <RangeFact />
      {isPart && <li className="verdict-part">! part of the run</li>}
      <li data-verdict={verdict} title={isInSentence ? undefined : whole}>
        <span aria-hidden="true">{VERDICT_MARKS[verdict]}</span> {isCertain && other && <SideBadge side={other} />}{' '}
        {word}
        {total && `, ${total.change}`}
        {total && <span className="verdict-values">{total.values}</span>}
        {!isInSentence && <span className="visually-hidden"> {whole}</span>}
      </li>
      {!isCertain && ci90 && <li>90% interval {intervalText(ci90)}</li>}
      {comparison.outcome === 'unsure' && <li>{settledWords(comparison)}</li>}
      {finding?.code !== 'not-the-same-work' && <Work current={current} />}
      {finding ? <Cause finding={finding} /> : <li>no rule explains it: Difference has every figure</li>}
      {/* The range has taken its place: the line does not grow when a range is measured. */}
      {finding?.accounts_for !== undefined && range === undefined && (
        <li>accounts for up to {share(finding.accounts_for)} of the lost time</li>
      )}
      {finding && onlyBehaves(comparison, finding) && (
        <li data-behaves="" title="The block layer differs by more than noise. That a run took longer is not certain.">
          behaves differently
        </li>
      )}
      <SuggestedArray />
      <OtherSides current={current} compared={compared} sides={sides} />
    </ul>
  )
}

/** What would settle an unsure outcome. */
const settledWords = ({ more_runs: runs }: Comparison): string =>
  runs === undefined ? 'more runs would tell' : `${count(runs)} more ${runs === 1 ? 'run' : 'runs'} of each would tell`

/** Whether both sides did the same work; what that is judged by is in full where it differs. */
function Work({
  current: {
    comparison: { work },
    document,
  },
}: {
  readonly current: CurrentComparison
}) {
  const why = sentenceText(work.parts, work.why, document)
  const [bytes, bytesOther, time] = ['bytes', 'bytes_other', 'time'].map(name => quantityIn(work.parts, name))
  const amount = bytesOther === undefined || bytesOther === bytes ? bytes : `${bytes} and ${bytesOther}`
  if (!work.same) return <li className="verdict-work" data-same="false">{`✗ Different work: ${why}`}</li>
  return (
    <li className="verdict-work" data-same="true" title={`Same work: ${why}.`}>
      <span aria-hidden="true">✓</span> {time === undefined ? 'same work' : `same run time, ${time}`}
      {amount === undefined ? '' : `, ${amount}`}
    </li>
  )
}

/** The array that a trace or its notes suggest, while no geometry is set: its figures are one form away. */
function SuggestedArray() {
  const { editGeometry } = useActions()
  const runs = usePage(p => p.runs)
  const [suggestion] = visible(runs).flatMap(suggestionsOf)
  if (!suggestion || runs.some(run => run.geometry)) return undefined
  return (
    <li>
      array suggested, stripe unit {sectorSize(suggestion.unit)}:{' '}
      <button type="button" className="link" onClick={editGeometry}>
        Set geometry
      </button>
    </li>
  )
}

/** Maximum number of settings that are named; the panel lists all. */
const MAX_CAUSES = 2

function Cause({ finding }: { readonly finding: Finding }) {
  const settings = settingsOf(finding)
  if (settings.length === 0) return undefined
  const unlisted = settings.length - MAX_CAUSES
  return (
    <li>
      {finding.code === 'setting-changed' ? 'changed' : 'likely cause'}{' '}
      {settings.slice(0, MAX_CAUSES).map(({ key, label, before, after }) => (
        <span key={key} className="verdict-cause">
          {label} <span>{`${before} \u2192 ${after}`}</span>
        </span>
      ))}
      {unlisted > 0 && ` and ${unlisted} more`}
    </li>
  )
}

/** With more than two sides, a choice of the compared one, and which others differ. */
function OtherSides({ current, compared, sides }: Omit<FactsProps, 'isPart'>) {
  const actions = useActions()
  const { document, comparison } = current
  if (document.sides.length <= 2) return undefined
  const others = comparisonsOf(document).filter(other => other.side !== comparison.side && differs(other))
  const base = sides[document.baseline]
  return (
    <>
      <li>
        <label className="finding-side">
          compared with {base && <SideBadge side={base} />}{' '}
          <select
            aria-label={`Compared with ${base?.letter ?? ''}`}
            value={comparison.side}
            onChange={event =>
              actions.compare(compared.runs[document.sides[Number(event.target.value)]?.runs[0] ?? 0] ?? '')
            }
          >
            {sides.map(
              ({ letter, label }, i) =>
                i !== document.baseline && (
                  <option key={letter} value={i}>
                    {letter} {label}
                  </option>
                ),
            )}
          </select>
        </label>
      </li>
      {!differs(comparison) && others.length > 0 && (
        <li>Others differ: {others.map(({ side }) => sides[side]?.letter).join(', ')}</li>
      )}
    </>
  )
}

function VerdictButtons({
  current: { comparison, document, finding },
  compared,
}: Omit<FactsProps, 'isPart' | 'sides'>) {
  const actions = useActions()
  const { copy, notice, isPossible } = useComparisonText(compared)
  const total = comparison.findings.length + (document.left_out?.[1] ?? 0)
  const index = finding ? comparison.findings.indexOf(finding) : -1
  const items = [
    ...(isPossible ? [{ label: 'Copy as plain text', run: copy }] : []),
    { label: 'Annotate', run: () => actions.annotate() },
    {
      label: finding ? 'What this does and doesn\u2019t mean' : 'How noise is judged',
      run: () => open(explained(finding?.code ?? 'how-noise-is-judged'), '_blank', 'noopener'),
    },
  ]
  return (
    <div className="verdict-buttons">
      {finding && <EvidenceButton finding={finding} />}
      {total > 1 && finding && (
        <span className="finding-steps">
          <button
            type="button"
            className="button quiet square"
            disabled={index === 0}
            onClick={() => actions.nextFinding(-1)}
            title="Previous finding (Shift N)"
          >
            <span aria-hidden="true">‹</span>
            <span className="visually-hidden">Previous finding</span>
          </button>
          <span>
            <span className="visually-hidden">finding </span>
            {finding.rank} of {total}
          </span>
          <button
            type="button"
            className="button quiet square"
            disabled={index === comparison.findings.length - 1}
            onClick={() => actions.nextFinding(1)}
            title="Next finding (N)"
          >
            <span aria-hidden="true">›</span>
            <span className="visually-hidden">Next finding</span>
          </button>
        </span>
      )}
      <Menu label="More about the verdict" items={items}>
        <span aria-hidden="true">⋯</span>
      </Menu>
      <span className="visually-hidden" aria-live="polite">
        {notice}
      </span>
    </div>
  )
}

/** Shows the evidence; pressed again, the next interval in which the effect is concentrated. */
function EvidenceButton({ finding }: { readonly finding: Finding }) {
  const actions = useActions()
  const shown = usePage(p => p.evidence?.interval)
  const intervalCount = evidenceRanges(finding).length
  return (
    <button type="button" className="button" onClick={() => actions.showEvidence()}>
      {shown === undefined || intervalCount < 2
        ? 'Show evidence'
        : `Next interval (${((shown + 1) % intervalCount) + 1} of ${intervalCount})`}{' '}
      <kbd>E</kbd>
    </button>
  )
}
