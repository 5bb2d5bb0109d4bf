import { usePage } from '../context'
import { Chip } from './Chip'

/** The runs as heads of their columns; they stay when the page scrolls. */
export function Chips() {
  const runs = usePage(p => p.runs)
  const columns = Math.max(2, runs.length)
  return (
    <nav className="chips-bar" aria-label="Runs">
      <ul className="chips" data-columns={columns} style={{ '--columns': columns } as React.CSSProperties}>
        {runs.map((run, i) => (
          <Chip key={run.id} run={run} place={i} runs={runs.length} />
        ))}
      </ul>
    </nav>
  )
}
