import { count } from '../../../lib/format'
import type { Run } from '../../../state/types'
import { progressOf, progressWords } from '../findings/words'
import { lostCount } from '../runs/quality'
import '../../shared/verdict-bar.css'
import './head.css'
import './panel.css'

/** More runs are in their charts. */
const MAX_COLUMNS = 5

/** The head while traces are read, with what they show so far. */
export function Reading({ runs }: { runs: readonly Run[] }) {
  const percent = (r: Run) =>
    r.status.kind === 'reading' && r.status.progress.totalBytes > 0
      ? `, ${Math.floor((r.status.progress.bytes / r.status.progress.totalBytes) * 100)}%`
      : ''
  const knownCount = (run: Run, kind: 'requests' | 'events') => {
    const n = progressOf(run)?.[kind]
    return n === undefined ? '…' : count(n)
  }
  return (
    <section className="head" aria-label="So far">
      <div className="verdict-bar">
        <h2 className="verdict-sentence head-dim">
          {runs.length === 0 ? 'No run could be read.' : progressWords(runs)}
        </h2>
        {runs.length > 0 && (
          <p className="verdict-facts">
            {runs.some(r => r.status.kind === 'reading' && r.info)
              ? 'Figures appear once reading finishes. The picture below grows until then; figures marked “so far” will still change.'
              : 'Figures appear once reading finishes. The picture follows; figures marked “so far” will still change.'}
          </p>
        )}
      </div>
      {runs.length > 0 && (
        <table className="so-far">
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
