import { listed } from '../../charts/shared/shown'
import { Dagger } from '../../compare/Differences'
import { verdictOf } from '../../compare/rows'
import { count } from '../../lib/format'
import { visible } from '../../state/filter'
import { current } from '../../state/trail'
import type { Run } from '../../state/types'
import { usePage } from '../context'
import { mainFigures, withUnit } from './mainFigures'
import { lost } from './quality'
import { barsOf, StateBars } from './StateBars'
import { account, baselineFirst, figuresOf, noDepth, oneRun, requestsSoFar, sameWork, severalRuns, soFar } from './words'

/** The first thing that is read: one sentence of figures, how the time went, and the main figures side by side. */
export function Headline() {
  const runs = visible(usePage(p => p.runs)).filter(r => r.status.kind !== 'failed')
  const devices = runs.flatMap(r => figuresOf(r) ?? [])
  const whole = runs.length > 0 && devices.length === runs.length
  if (!whole) return <Reading runs={runs} />
  const [a, b] = devices
  const missing = noDepth(runs)
  const lost = runs.filter((_, i) => (devices[i]?.spoiled ?? []).length > 0).map(r => r.letter)
  return (
    <section className="headline" aria-label="In short">
      <div className="headline-words">
        <p className="headline-kind">{runs.length === 1 ? 'One run' : 'Run time'}</p>
        <h2 className="headline-sentence">{runs.length === 1 && runs[0] ? oneRun(runs[0]) : severalRuns(runs)}</h2>
        {runs.length === 1 ? (
          <p className="headline-more">Differences compare runs: add a second trace to see them.</p>
        ) : runs.length === 2 && a && b && sameWork(a, b) && runs[0] ? (
          <p className="headline-more">The same work in both: {account(runs[0])?.replace(/, mean queue depth.*/, '')}.</p>
        ) : (
          <p className="headline-more">
            {baselineFirst(runs)
              .slice(0, 3)
              .map(r => `${r.letter}: ${account(r)}.`)
              .join(' ')}
          </p>
        )}
        {missing && <p className="headline-more">{missing}</p>}
        {lost.length > 0 && (
          <p className="headline-more headline-lost">
            † Events of {listed(lost)} were lost: shaded in the charts. Figures of {lost.length === 1 ? 'this run' : 'these runs'} are wrong as far as
            they count what was lost.
          </p>
        )}
        {barsOf(devices).map(kind => (
          <StateBars key={kind} runs={runs} devices={devices} kind={kind} />
        ))}
      </div>
      {runs.length > 1 && <MainTable runs={runs} devices={devices} />}
    </section>
  )
}

const MOST_COLUMNS = 5

function MainTable({ runs, devices }: { runs: readonly Run[]; devices: Parameters<typeof mainFigures>[0] }) {
  const zoomed = usePage(p => current(p.trail) !== undefined)
  const shown = runs.slice(0, MOST_COLUMNS)
  const base = Math.max(
    0,
    shown.findIndex(r => r.baseline),
  )
  const rows = mainFigures(devices.slice(0, MOST_COLUMNS), base)
  const other = shown.length === 2 ? 1 - base : undefined
  return (
    <table className="main-figures">
      <caption className="visually-hidden">Main figures</caption>
      <thead>
        <tr>
          <th scope="col">Main figures{zoomed && ', whole run'}</th>
          {shown.map(r => (
            <th key={r.id} scope="col">
              {r.letter}
            </th>
          ))}
          {other !== undefined && <th scope="col">change</th>}
        </tr>
      </thead>
      <tbody>
        {rows.map(row => {
          const verdict = other === undefined ? undefined : verdictOf(row, base, other)
          return (
            <tr key={row.key}>
              <th scope="row">{row.label}</th>
              {row.values.map((value, i) => (
                <td key={shown[i]?.id ?? i} data-other={i === other}>
                  {withUnit(row, value)}
                  <Dagger row={row} run={i} />
                </td>
              ))}
              {other !== undefined && (
                <td className="change" data-verdict={verdict}>
                  {row.changes[other]}
                  {(verdict === 'worse' || verdict === 'better') && <span className="visually-hidden"> {verdict}</span>}
                </td>
              )}
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

/** While a trace is read: what is known, marked as such. */
function Reading({ runs }: { runs: readonly Run[] }) {
  const percent = (r: Run) =>
    r.status.kind === 'reading' && r.status.progress.totalBytes > 0
      ? `, ${Math.floor((r.status.progress.bytes / r.status.progress.totalBytes) * 100)}%`
      : ''
  return (
    <section className="headline" aria-label="So far">
      <div className="headline-words">
        <p className="headline-kind">
          <span className="tag">reading</span> figures come when the traces are whole
        </p>
        <h2 className="headline-sentence dim">{runs.length === 0 ? 'No run could be read.' : soFar(runs)}</h2>
        {runs.length > 0 && (
          <p className="headline-more">The picture below grows while the trace is read. Figures marked “so far” will still change.</p>
        )}
      </div>
      {runs.length > 0 && (
        <table className="main-figures">
          <thead>
            <tr>
              <th scope="col">So far</th>
              {runs.slice(0, MOST_COLUMNS).map(r => (
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
              {runs.slice(0, MOST_COLUMNS).map(r => (
                <td key={r.id}>{requestsSoFar(r).replace(/ requests?$/, '')}</td>
              ))}
            </tr>
            <tr>
              <th scope="row">Events</th>
              {runs.slice(0, MOST_COLUMNS).map(r => (
                <td key={r.id}>{r.info ? count(r.info.events) : '…'}</td>
              ))}
            </tr>
            <tr>
              <th scope="row">Lost events</th>
              {runs.slice(0, MOST_COLUMNS).map(r => (
                <td key={r.id}>{r.info ? lost(r.info) : '…'}</td>
              ))}
            </tr>
          </tbody>
        </table>
      )}
    </section>
  )
}
