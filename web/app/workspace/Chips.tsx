import type { Run } from '../../state/types'
import { useActions, usePage } from '../context'
import { Chip } from './Chip'

/** Whether the charts have a column for it: hidden runs, and those that never said anything, have none. */
const hasColumn = (run: Run): boolean => !run.hidden && (run.status.kind !== 'failed' || run.info !== undefined)

/** The runs as heads of their columns; they stay when the page scrolls. */
export function Chips() {
  const runs = usePage(p => p.runs)
  const heads = runs.filter(hasColumn)
  const columns = Math.max(2, heads.length)
  return (
    <nav className="chips-bar" aria-label="Runs">
      <ul className="chips" data-columns={columns} style={{ '--columns': columns } as React.CSSProperties}>
        {heads.map(run => (
          <Chip key={run.id} run={run} place={runs.indexOf(run)} runs={runs.length} />
        ))}
      </ul>
      <RunsAside />
    </nav>
  )
}

/** Runs without a column: a badge to show them again, or to say why they could not be read. */
export function RunsAside() {
  const actions = useActions()
  const runs = usePage(p => p.runs)
  const aside = runs.filter(r => !hasColumn(r))
  if (aside.length === 0) return undefined
  return (
    <ul className="runs-aside" aria-label="Runs without a column">
      {aside.map(({ id, letter, label, status, hidden }) => (
        <li key={id} data-run={letter}>
          {status.kind === 'failed' ? (
            <button
              type="button"
              className="badge failed"
              aria-label={`${letter}: why ${label} could not be read`}
              title={`${label} could not be read`}
              onClick={() => actions.show({ kind: 'errors', title: `${label} could not be read`, errors: [status.error], run: id })}
            >
              {letter}!
            </button>
          ) : (
            <button
              type="button"
              className="badge off"
              aria-pressed={!hidden}
              aria-label={`${letter}: show ${label}`}
              title={`Show ${label}`}
              onClick={() => actions.toggle(id)}
            >
              {letter}
            </button>
          )}
        </li>
      ))}
    </ul>
  )
}
