import { useEffect } from 'react'
import { useCopy } from '../../../charts/shared/menu/useCopy'
import { explained } from '../../../engine/findings'
import type { Finding } from '../../../engine/protocol'
import type { Measured } from '../../../lib/docs'
import { share } from '../../../lib/format'
import { numbered } from '../../../state/annotations/annotations'
import { annotationsText } from '../../../state/annotations/annotationText'
import { type CurrentComparison, comparisonsOf, differs } from '../../../state/comparing/comparing'
import { evidenceRanges } from '../../../state/comparing/evidence'
import type { ComparedRuns } from '../../../state/types'
import { useActions, usePage } from '../../context'
import { AnnotateButton } from './Annotations'
import './findings.css'
import { type FindingFigure, figuresOf, onlyBehaves, repeatsDiffer, sentenceText, settingsOf } from './findingWords'
import { partWords } from './words'

/** The rank on a badge: coloured where time was lost. */
function Rank({ finding, outcome }: { finding: Finding; outcome: string }) {
  return (
    <span className="finding-rank" data-lost={outcome === 'slower' && finding.code !== 'no-real-difference'}>
      {finding.code === 'no-real-difference' ? '=' : finding.rank}
    </span>
  )
}

interface FirstFindingProps {
  readonly current: CurrentComparison
  readonly compared: ComparedRuns
}

/** Whether both sides did the same work, and by what that is judged. */
function workSentence({ comparison: { work }, document }: CurrentComparison): string {
  const head = work.same ? '\u2713 Same work: ' : '\u2717 Different work: '
  return `${head}${sentenceText(work.parts, work.why, document)}.`
}

const verdictSentence = ({ comparison, document }: CurrentComparison): string =>
  sentenceText(comparison.verdict_parts, comparison.verdict, document)

/** The first finding: one sentence with both figures, the largest text of the page. */
export function FirstFinding({ current, compared }: FirstFindingProps) {
  const runs = usePage(p => p.runs)
  const part = partWords(runs.filter(run => compared.runs.includes(run.id)))
  const { comparison, document, finding } = current
  if (!finding) return <NoFinding current={current} compared={compared} part={part} />
  const { code, focus, parts, sentence } = finding
  return (
    <>
      <HeadlineKind current={current} compared={compared}>
        <FindingTags current={current} finding={finding} />
      </HeadlineKind>
      <h2 className="headline-sentence" aria-live="polite">
        {part + sentenceText(parts, sentence, document)}
      </h2>
      {focus && <p className="finding-focus">{sentenceText(focus, '', document)}</p>}
      <p className="headline-more" data-same-work={comparison.work.same}>
        {code !== 'no-real-difference' && `${verdictSentence(current)} ${repeatsDiffer(comparison, document)}`}
        {code !== 'not-the-same-work' && workSentence(current)}
      </p>
      <FindingButtons current={current} compared={compared} finding={finding} />
    </>
  )
}

function NoFinding({ current, compared, part }: FirstFindingProps & { readonly part: string }) {
  const { comparison, document } = current
  return (
    <>
      <HeadlineKind current={current} compared={compared}>
        {comparison.outcome === 'unsure' && (
          <span className="tag" data-outcome="unsure">
            unsure
          </span>
        )}
      </HeadlineKind>
      <h2 className="headline-sentence">{part + verdictSentence(current)}</h2>
      <p className="headline-more" data-same-work={comparison.work.same}>
        {repeatsDiffer(comparison, document)}
        {`No rule explains it; the table of differences has every figure. ${workSentence(current)}`}
      </p>
      <div className="finding-buttons">
        <CopyForMail compared={compared} />
        <AnnotateButton />
        <a className="button quiet" href={explained('how-noise-is-judged')} target="_blank" rel="noopener">
          How noise is judged
        </a>
      </div>
    </>
  )
}

interface FindingTagsProps {
  readonly current: CurrentComparison
  readonly finding: Finding
}

/** Rank, code, steps to the other findings, and how sure it is. */
function FindingTags({ current: { comparison, document }, finding }: FindingTagsProps) {
  const actions = useActions()
  const total = comparison.findings.length + (document.left_out?.[1] ?? 0)
  const place = comparison.findings.indexOf(finding)
  return (
    <>
      <Rank finding={finding} outcome={comparison.outcome} />
      <code>{finding.code}</code>
      {total > 1 && (
        <span className="finding-steps">
          <button
            type="button"
            className="link"
            disabled={place === 0}
            onClick={() => actions.nextFinding(-1)}
            title="P"
          >
            ‹<span className="visually-hidden">Previous finding</span>
          </button>
          <span>
            <span className="visually-hidden">finding </span>
            {finding.rank} of {total}
          </span>
          <button
            type="button"
            className="link"
            disabled={place === comparison.findings.length - 1}
            onClick={() => actions.nextFinding(1)}
            title="N"
          >
            ›<span className="visually-hidden">Next finding</span>
          </button>
        </span>
      )}
      {onlyBehaves(comparison, finding) && (
        <span
          className="tag"
          data-behaves=""
          title="The block layer differs by more than noise. That a run took longer is not certain."
        >
          behaves differently
        </span>
      )}
      {finding.accounts_for !== undefined && (
        <span className="tag">accounts for {share(finding.accounts_for)} of the lost time</span>
      )}
    </>
  )
}

/** Buttons of a finding, and its rule with the figures. */
function FindingButtons({ current, compared, finding }: FirstFindingProps & { readonly finding: Finding }) {
  const { comparison, document } = current
  const labels = {
    base: document.sides[document.baseline]?.label ?? '',
    other: document.sides[comparison.side]?.label ?? '',
  }
  return (
    <div className="finding-buttons">
      <EvidenceButton finding={finding} />
      <CopyForMail compared={compared} />
      <AnnotateButton />
      <details className="finding-rule">
        <summary>The rule</summary>
        <p>
          {/* Size XS lacks it. */}
          {finding.rule !== '' && (
            <>
              <code>{finding.code}</code> fires when {finding.rule}.{' '}
            </>
          )}
          <a href={explained(finding.code)} target="_blank" rel="noopener">
            What this does and doesn&rsquo;t mean
          </a>
        </p>
        <FindingRows title="Figures" rows={figuresOf(finding, comparison.figures)} labels={labels} />
      </details>
      <FindingSettings finding={finding} labels={labels} />
    </div>
  )
}

/** Shows the evidence; pressed again, the next interval in which the effect is concentrated. */
function EvidenceButton({ finding }: { finding: Finding }) {
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

/** Lists with more settings are folded. */
const SHOWN_SETTINGS = 8

/** Settings that differ, as rows from the baseline's value to the other's. */
function FindingSettings({ finding, labels }: { finding: Finding; labels: { base: string; other: string } }) {
  const rows = settingsOf(finding)
  if (rows.length === 0) return undefined
  return (
    <details className="finding-settings" key={finding.code} open={rows.length <= SHOWN_SETTINGS}>
      <summary>{finding.code === 'setting-changed' ? 'Changed settings' : 'Likely cause'}</summary>
      <FindingRows title="Settings" rows={rows} labels={labels} />
    </details>
  )
}

/** A table of values of both sides. */
function FindingRows({
  title,
  rows,
  labels,
}: {
  title: string
  rows: readonly FindingFigure[]
  labels: { base: string; other: string }
}) {
  if (rows.length === 0) return undefined
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{title}</th>
          <th scope="col">{labels.base}</th>
          <th scope="col">{labels.other}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, label, before, after }) => (
          <tr key={key}>
            <th scope="row">{label}</th>
            <td>{before}</td>
            <td>{after}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The line above the sentence; with more than two sides, a choice of the compared one. */
function HeadlineKind({
  current,
  compared,
  children,
}: {
  current: CurrentComparison
  compared: ComparedRuns
  children?: React.ReactNode
}) {
  const actions = useActions()
  const runs = usePage(p => p.runs)
  const { document, comparison } = current
  const lettered = document.sides.map(side => {
    const letters = side.runs.map(run => runs.find(r => r.id === compared.runs[run])?.letter ?? '')
    return letters.length > 1 ? `${letters[0]}\u2013${letters.at(-1)}` : (letters[0] ?? '')
  })
  const otherComparisons = comparisonsOf(document).filter(
    candidate => candidate.side !== comparison.side && differs(candidate),
  )
  return (
    <div className="headline-kind">
      {children}
      {document.sides.length > 2 && (
        <label className="finding-side">
          Compared with {lettered[document.baseline]}:{' '}
          <select
            value={comparison.side}
            onChange={event =>
              actions.compare(compared.runs[document.sides[Number(event.target.value)]?.runs[0] ?? 0] ?? '')
            }
          >
            {document.sides.map(
              (side, i) =>
                i !== document.baseline && (
                  <option key={side.label} value={i}>
                    {lettered[i]} {side.label}
                  </option>
                ),
            )}
          </select>
        </label>
      )}
      {!differs(comparison) && otherComparisons.length > 0 && (
        <span className="caption">Others differ: {otherComparisons.map(({ side }) => lettered[side]).join(', ')}</span>
      )}
    </div>
  )
}

/** The other findings, the most important first. */
export function OtherFindings({ current }: { current: CurrentComparison }) {
  const actions = useActions()
  const { comparison, document, finding } = current
  const otherFindings = comparison.findings.filter(f => f !== finding)
  if (otherFindings.length === 0) return undefined
  return (
    <section className="findings" aria-label="Other findings">
      <h3>
        {finding && onlyBehaves(comparison, finding)
          ? 'Other findings: what else behaves differently'
          : 'Other findings'}
      </h3>
      <ol>
        {otherFindings.map(f => (
          <li key={f.code}>
            <button type="button" onClick={() => actions.showFinding(f.rank)}>
              <Rank finding={f} outcome={comparison.outcome} />
              <span>
                {sentenceText(f.parts, f.sentence, document)} <code>{f.code}</code>
              </span>
              {f.accounts_for !== undefined && (
                <span className="findings-part" title="Share of the lost time that it can account for">
                  {share(f.accounts_for)}
                </span>
              )}
            </button>
          </li>
        ))}
      </ol>
    </section>
  )
}

/** The comparison as plain text, made by the engine on request. */
export function CopyForMail({ compared }: { compared: ComparedRuns }) {
  const client = usePage(p => p.runs.find(run => run.id === compared.runs[0])?.client)
  // The engine needs digests with bins, which a small snapshot lacks.
  const possible = usePage(p => p.runs.every(run => !run.snapshot || run.snapshot.pieces))
  const annotations = usePage(p => p.annotations)
  const runs = usePage(p => p.runs)
  const notes = annotationsText(numbered(annotations, runs))
  const [notice, copy] = useCopy()
  if (!possible || !client) return undefined
  return (
    <button
      type="button"
      className="button quiet"
      onClick={() =>
        copy(
          client
            .query('compareText', compared.ask)
            .then(answer => [answer.text, notes].filter(text => text !== '').join('\n')),
        )
      }
    >
      <span aria-live="polite">{notice ?? 'Copy as plain text'}</span>
    </button>
  )
}

/** The chart that shows the evidence of a finding. */
const PLACES: Readonly<Record<string, Measured>> = {
  'queue-depth': 'depth-series',
  'seek-map': 'seek-map',
  stages: 'stages',
  latency: 'heat-map',
  'request-sizes': 'request-sizes',
  flushes: 'flush',
  alignment: 'alignment-classes',
  differences: 'figures',
  tail: 'why-requests-were-slow',
}
/** How long to wait for the chart: it appears some frames after its layout. */
const PATIENCE_MS = 2000

/** Brings the chart of the evidence into sight and marks it until another finding is shown. */
export function useEvidence() {
  const sight = usePage(p => p.sight)
  useEffect(() => {
    if (!sight) return
    const start = performance.now()
    let [frame, chart]: [number, Element | undefined] = [0, undefined]
    const markChart = () => {
      chart = document.querySelector(`[data-chart="${PLACES[sight.chart]}"]`) ?? undefined
      if (chart === undefined) {
        if (performance.now() - start < PATIENCE_MS) frame = requestAnimationFrame(markChart)
        return
      }
      chart.setAttribute('data-evidence', '')
      const reducesMotion = matchMedia('(prefers-reduced-motion: reduce)').matches
      chart.scrollIntoView({
        block: chart.clientHeight > innerHeight / 2 ? 'start' : 'center',
        behavior: reducesMotion ? 'auto' : 'smooth',
      })
    }
    markChart()
    return () => {
      cancelAnimationFrame(frame)
      chart?.removeAttribute('data-evidence')
    }
  }, [sight])
}
