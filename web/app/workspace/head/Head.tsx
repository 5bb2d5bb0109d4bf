/** The head of the page: the verdict, and a panel with findings, figures and where the time went. */

import type { SummaryDevice } from '../../../engine/summary'
import type { CurrentComparison } from '../../../state/comparing/comparing'
import { visible } from '../../../state/filter'
import type { ComparedRuns, Run } from '../../../state/types'
import { useActions, usePage } from '../../context'
import { LaterView } from '../../shared/LaterView'
import '../../shared/verdict-bar.css'
import { AloneFindings } from '../findings/AloneFindings'
import { lostWords } from '../findings/findingWords'
import { accountOf, baselineFirst, figuresOf, partWords, severalRuns } from '../findings/words'
import { MomentsSheet } from '../moments/MomentsSheet'
import { stallsOf } from '../moments/moments'
import { useTriggers } from '../moments/triggers'
import { CopyText } from '../text/CopyText'
import { useCurrentComparison, useShownFigures } from '../useCurrentComparison'
import { caveatsOf } from './caveats'
import { FiguresSheet } from './FiguresSheet'
import { FindingsSheet } from './FindingsSheet'
import { Panel, type PanelSheet } from './Panel'
import { SilentBar } from './RangeFact'
import { Reading } from './Reading'
import { RunBar } from './RunBar'
import { changedSettings, SettingsSheet } from './SettingsSheet'
import { TimeSheet } from './TimeSheet'
import { VerdictBar } from './VerdictBar'
import { WhoSheet } from './WhoSheet'

export function Head() {
  useTriggers()
  const { runs: all, comparison: compared, ranged } = useShownFigures()
  const current = useCurrentComparison()
  const runs = visible(all).filter(r => r.status.kind !== 'failed')
  const devices = runs.flatMap(r => figuresOf(r) ?? [])
  const allRead = runs.length > 0 && devices.length === runs.length
  const live = runs.flatMap(run => (run.stream && !run.alone ? [{ run, stream: run.stream }] : []))
  if (live.length > 0)
    return <LaterView>{({ Stream }) => live.map(followed => <Stream key={followed.run.id} {...followed} />)}</LaterView>
  if (!allRead) return <Reading runs={runs} />
  const caveats = caveatsOf(runs, devices)
  const silent = runs.filter(run => ranged?.silent.includes(run.id)).map(run => run.letter)
  if (ranged && silent.length > 0)
    return (
      <section className="head" aria-label="Summary">
        <SilentBar letters={silent} range={ranged.range} />
      </section>
    )
  if (current && compared)
    return (
      <section className="head" aria-label="Summary">
        <VerdictBar current={current} compared={compared} caveats={caveats} />
        <ComparisonPanel current={current} compared={compared} runs={runs} devices={devices} />
      </section>
    )
  const [run] = runs
  return (
    <section className="head" aria-label="Summary">
      {runs.length === 1 && run ? (
        <>
          <RunBar run={run} caveats={caveats} />
          <RunPanel run={run} devices={devices} />
        </>
      ) : (
        <Uncompared runs={runs} />
      )}
    </section>
  )
}

interface ComparisonPanelProps {
  readonly current: CurrentComparison
  readonly compared: ComparedRuns
  readonly runs: readonly Run[]
  readonly devices: readonly SummaryDevice[]
}

function ComparisonPanel({ current, compared, runs, devices }: ComparisonPanelProps) {
  const actions = useActions()
  const { comparison, document, finding } = current
  const changed = changedSettings(comparison.findings).length
  const figures = comparison.figures.length + (document.zero?.length ?? 0)
  const sheets: readonly PanelSheet[] = [
    {
      key: 'findings',
      name: 'Findings',
      count: String(comparison.findings.length + (document.left_out?.[1] ?? 0)),
      aside: <CopyText compared={compared} />,
      content: <FindingsSheet current={current} compared={compared} />,
    },
    {
      key: 'figures',
      name: 'Figures',
      count: String(figures),
      aside: (
        <button type="button" className="link" onClick={() => actions.setLayout('difference')}>
          All {figures} figures in Difference
        </button>
      ),
      content: <FiguresSheet current={current} compared={compared} />,
    },
    {
      key: 'time',
      name: 'Where the time went',
      ...(comparison.lost_ns && {
        aside: <span>{lostWords(comparison, document.sides[document.baseline]?.label ?? '')}</span>,
      }),
      content: <TimeSheet runs={runs} devices={devices} current={current} compared={compared} />,
    },
    {
      key: 'settings',
      name: 'Settings',
      ...(changed > 0 && { count: `${changed} changed` }),
      aside: <CopyText compared={compared} />,
      content: <SettingsSheet current={current} compared={compared} />,
    },
    ...(finding
      ? [{ key: 'who', name: 'Who', content: <WhoSheet current={current} finding={finding} /> } as const]
      : []),
    ...momentSheets(runs),
  ]
  return <Panel sheets={sheets} />
}

/** The tab of stalls, where a device stalled. */
function momentSheets(runs: readonly Run[]): readonly PanelSheet[] {
  const moments = stallsOf(runs)
  if (moments.length === 0) return []
  return [
    {
      key: 'moments',
      name: 'Moments',
      count: String(moments.length),
      content: <MomentsSheet moments={moments} />,
    },
  ]
}

/** The panel of a single run: there is nothing to compare its figures with. */
function RunPanel({ run, devices }: { readonly run: Run; readonly devices: readonly SummaryDevice[] }) {
  const { explanation } = useShownFigures()
  const found = explanation?.runs[0] === run.id ? explanation.document.alone?.[0]?.findings.length : undefined
  const sheets: readonly PanelSheet[] = [
    {
      key: 'findings',
      name: 'What held it back',
      ...(found !== undefined && { count: String(found) }),
      aside: explanation && <CopyText compared={explanation} />,
      content: <AloneFindings run={run} />,
    },
    { key: 'time', name: 'Where the time went', content: <TimeSheet runs={[run]} devices={devices} /> },
    ...momentSheets([run]),
  ]
  return <Panel sheets={sheets} />
}

/** Several runs that are not compared yet, or cannot be. */
function Uncompared({ runs }: { readonly runs: readonly Run[] }) {
  const error = usePage(p => p.notCompared)
  return (
    <section className="verdict-bar head-bar" aria-label="Not compared">
      <div className="verdict-words">
        <h2 className="verdict-sentence">{partWords(runs) + severalRuns(runs)}</h2>
        <ul className="verdict-facts">
          {!error && <li>comparing…</li>}
          {baselineFirst(runs)
            .slice(0, 3)
            .map(run => (
              <li key={run.id}>
                {run.letter}: {accountOf(run)}
              </li>
            ))}
        </ul>
      </div>
      {error && (
        <div className="verdict-caveats">
          <p data-lost="">
            The runs could not be compared: {[error.message, error.remedy].filter(Boolean).join(' ')}{' '}
            <code>{error.code}</code>
          </p>
        </div>
      )}
    </section>
  )
}
