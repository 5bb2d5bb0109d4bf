import { useMemo } from 'react'
import { listed } from '../../../charts/shared/answers/shown'
import { Dagger, useRows } from '../../../compare/Differences'
import { type FigureChange, intervalText } from '../../../compare/rows'
import { changeWords } from '../../../compare/summary'
import { verdictInWords } from '../../../compare/verdicts'
import type { Verdict } from '../../../engine/protocol'
import { count, figure } from '../../../lib/format'
import { type CurrentComparison, currentComparison } from '../../../state/comparing/comparing'
import { visible } from '../../../state/filter'
import { current } from '../../../state/trail'
import type { ComparedRuns, Run } from '../../../state/types'
import { useActions, usePage } from '../../context'
import { lostCount } from '../runs/quality'
import { Stream } from '../stream/Stream'
import { AloneFindings } from './AloneFindings'
import { FirstFinding, OtherFindings, useEvidence } from './Findings'
import { LostBars } from './LostBars'
import { mainFigures, withUnit } from './mainFigures'
import { barsOf, StateBars } from './StateBars'
import {
  accountOf,
  baselineFirst,
  cutWords,
  figuresOf,
  maskedWords,
  noDepthWords,
  oneRun,
  partWords,
  progressOf,
  progressWords,
  severalRuns,
} from './words'

/** One sentence, where the time went, and the main figures side by side. */
export function Headline() {
  const runs = visible(usePage(p => p.runs)).filter(r => r.status.kind !== 'failed')
  const compared = usePage(p => p.comparison)
  const allRuns = usePage(p => p.runs)
  const finding = usePage(p => p.finding)
  const active = useMemo(
    () => currentComparison({ runs: allRuns, ...(compared && { comparison: compared }), ...(finding && { finding }) }),
    [allRuns, compared, finding],
  )
  useEvidence()
  const devices = runs.flatMap(r => figuresOf(r) ?? [])
  const allRead = runs.length > 0 && devices.length === runs.length
  const live = runs.flatMap(run =>
    run.stream && !run.alone ? [<Stream key={run.id} run={run} stream={run.stream} />] : [],
  )
  if (live.length > 0) return live
  if (!allRead) return <Reading runs={runs} />
  const missing = noDepthWords(runs)
  const letters = (predicate: (run: Run, index: number) => boolean) => runs.filter(predicate).map(r => r.letter)
  const lost = letters((run, i) => run.summary?.quality.holes.some(hole => hole.device === devices[i]?.dev) ?? false)
  const unsteady = letters(run => run.summary?.quality.clock !== undefined)
  const impossible = letters(
    (run, i) => devices[i]?.spoiled !== undefined && ![...lost, ...unsteady].includes(run.letter),
  )
  // Bars of lost time go into the shorter of the two columns.
  const beside = (active?.comparison.findings.length ?? 0) > 1
  return (
    <section className="headline" aria-label="Summary">
      <div className="headline-words">
        {active && compared ? <FirstFinding current={active} compared={compared} /> : <Plain runs={runs} />}
        {runs
          .flatMap(run => cutWords(run) ?? [])
          .map(sentence => (
            <p key={sentence} className="headline-more" data-cut="">
              ! {sentence}
            </p>
          ))}
        {missing && <p className="headline-more">{missing}</p>}
        {maskedWords(runs).map(sentence => (
          <p key={sentence} className="headline-more" data-masked="">
            {sentence}
          </p>
        ))}
        {lost.length > 0 && (
          <p className="headline-more" data-lost="">
            † Events of {listed(lost)} were lost: shaded in the charts. Figures that depend on lost events are
            unreliable.
          </p>
        )}
        {unsteady.length > 0 && (
          <p className="headline-more" data-unsteady="">
            † The clock of {listed(unsteady)} steps back: times, latencies, depths and rates are unreliable.
          </p>
        )}
        {impossible.length > 0 && (
          <p className="headline-more" data-impossible="">
            † No device has such rates or times: the recording of {listed(impossible)} is damaged.
          </p>
        )}
        {barsOf(devices).map(kind => (
          <StateBars key={kind} runs={runs} devices={devices} kind={kind} />
        ))}
        {active && beside && <LostBars current={active} />}
      </div>
      {runs.length === 1 && runs[0] && (
        <div className="headline-more-findings">
          <AloneFindings run={runs[0]} />
        </div>
      )}
      {active && compared && (
        <div className="headline-more-findings">
          <OtherFindings current={active} />
          <MainTable active={active} compared={compared} />
          {!beside && <LostBars current={active} />}
        </div>
      )}
    </section>
  )
}

/** The headline of a single run, or of several that are not compared yet. */
function Plain({ runs }: { runs: readonly Run[] }) {
  const error = usePage(p => p.notCompared)
  const [run] = runs
  return (
    <>
      <p className="headline-kind">
        {runs.length === 1 ? 'One run' : error ? 'Run time' : <span className="tag">comparing</span>}
      </p>
      <h2 className="headline-sentence">
        {runs.length === 1 && run ? oneRun(run) : partWords(runs) + severalRuns(runs)}
      </h2>
      {runs.length === 1 ? (
        <p className="headline-more">Add a second trace to compare.</p>
      ) : (
        <p className="headline-more">
          {baselineFirst(runs)
            .slice(0, 3)
            .map(r => `${r.letter}: ${accountOf(r)}.`)
            .join(' ')}
        </p>
      )}
      {error && (
        <p className="headline-more" data-lost="">
          {runs.length === 1 ? 'What held it back is not shown' : 'The runs could not be compared'}
          {`: ${[error.message, error.remedy].filter(Boolean).join(' ')} `}
          <code>{error.code}</code>
        </p>
      )}
    </>
  )
}

const MAX_COLUMNS = 5

/** Verdicts that screen readers get in words, because the text of the change does not imply them. */
const SPOKEN: readonly Verdict[] = ['worse', 'better', 'unsure']

/** `95% interval −42 to −18%; unsure: more runs would tell`. */
function changeTitle(change: FigureChange | undefined): string | undefined {
  const { interval, verdict, noise } = change ?? {}
  const words = [
    interval && `95% interval ${intervalText(interval)}`,
    verdict && (verdict === 'unsure' || noise !== undefined) && verdictInWords(verdict, noise),
  ].filter(Boolean)
  return words.length > 0 ? words.join('; ') : undefined
}

/** The shown columns in words: `A to E of 12`, `A to E and J of 12`. */
function rangeWords(shown: readonly number[], letters: readonly string[]): string {
  const gap = shown.findIndex((side, i) => side !== i)
  const row = gap < 0 ? shown : shown.slice(0, gap)
  const rest = gap < 0 ? [] : shown.slice(gap)
  const name = (side: number | undefined) => (side === undefined ? '' : (letters[side] ?? ''))
  const first = row.length > 1 ? `${name(row[0])} to ${name(row.at(-1))}` : name(row[0])
  return `${listed([first, ...rest.map(name)])} of ${letters.length}`
}

function MainTable({ active, compared }: { active: CurrentComparison; compared: ComparedRuns }) {
  const actions = useActions()
  const zoomed = usePage(p => current(p.trail) !== undefined)
  const runs = usePage(p => p.runs)
  const { table, sides } = useRows(compared, runs)
  const rows = mainFigures(table.rows)
  const comparedSide = active.comparison.side
  const shown = sides
    .map((_, i) => i)
    .filter(i => i < MAX_COLUMNS || i === comparedSide || i === active.document.baseline)
  return (
    <table className="main-figures">
      <caption className="visually-hidden">Main figures</caption>
      <thead>
        <tr>
          <th scope="col">Main figures{zoomed && ', complete run'}</th>
          {shown.map(i => (
            <th key={sides[i]?.letter} scope="col" title={sides[i]?.label}>
              {sides[i]?.letter}
            </th>
          ))}
          <th scope="col">
            {sides.length > 2
              ? `${sides[comparedSide]?.letter} vs. ${sides[active.document.baseline]?.letter}`
              : 'change'}
          </th>
        </tr>
      </thead>
      {shown.length < sides.length && (
        <tfoot>
          <tr>
            <td colSpan={shown.length + 2}>
              {rangeWords(
                shown,
                sides.map(side => side.letter),
              )}
              , all in{' '}
              <button type="button" className="link" onClick={() => actions.setLayout('matrix')}>
                Matrix
              </button>
            </td>
          </tr>
        </tfoot>
      )}
      <tbody>
        {rows.map(row => {
          const { verdict } = row.changes[comparedSide] ?? {}
          return (
            <tr key={row.key} data-key={row.key}>
              <th scope="row">{row.label}</th>
              {shown.map(i => (
                <td
                  key={sides[i]?.letter}
                  data-other={i === comparedSide}
                  title={row.spreads[i] && `± ${figure(row.spreads[i].sd)} ${row.unit}`}
                >
                  {withUnit(row, row.values[i])}
                  <Dagger row={row} run={i} />
                </td>
              ))}
              <td className="change" data-verdict={verdict} title={changeTitle(row.changes[comparedSide])}>
                {changeWords(row, comparedSide)}
                {verdict && SPOKEN.includes(verdict) && (
                  <span className="visually-hidden"> {verdictInWords(verdict)}</span>
                )}
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

/** The headline while traces are read, with what is known so far. */
function Reading({ runs }: { runs: readonly Run[] }) {
  const percent = (r: Run) =>
    r.status.kind === 'reading' && r.status.progress.totalBytes > 0
      ? `, ${Math.floor((r.status.progress.bytes / r.status.progress.totalBytes) * 100)}%`
      : ''
  const knownCount = (run: Run, kind: 'requests' | 'events') => {
    const n = progressOf(run)?.[kind]
    return n === undefined ? '…' : count(n)
  }
  return (
    <section className="headline" aria-label="So far">
      <div className="headline-words">
        <p className="headline-kind">
          <span className="tag">reading</span> figures appear once reading finishes
        </p>
        <h2 className="headline-sentence dim">{runs.length === 0 ? 'No run could be read.' : progressWords(runs)}</h2>
        {runs.length > 0 && (
          <p className="headline-more">
            {runs.some(r => r.status.kind === 'reading' && r.info)
              ? 'The picture below grows while the trace is read. Figures marked “so far” will still change.'
              : 'The picture follows. Figures marked “so far” will still change.'}
          </p>
        )}
      </div>
      {runs.length > 0 && (
        <table className="main-figures">
          <thead>
            <tr>
              <th scope="col">So far</th>
              {runs.slice(0, MAX_COLUMNS).map(r => (
                <th key={r.id} scope="col">
                  {r.letter}
                  {percent(r)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <tr>
              <th scope="row">Requests</th>
              {runs.slice(0, MAX_COLUMNS).map(r => (
                <td key={r.id}>{knownCount(r, 'requests')}</td>
              ))}
            </tr>
            <tr>
              <th scope="row">Events</th>
              {runs.slice(0, MAX_COLUMNS).map(r => (
                <td key={r.id}>{knownCount(r, 'events')}</td>
              ))}
            </tr>
            <tr>
              <th scope="row">Lost events</th>
              {runs.slice(0, MAX_COLUMNS).map(r => (
                <td key={r.id}>{r.info ? lostCount(r.info) : '…'}</td>
              ))}
            </tr>
          </tbody>
        </table>
      )}
    </section>
  )
}
