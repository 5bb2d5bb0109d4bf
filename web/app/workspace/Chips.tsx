import { usePage } from '../context'
import { Chip } from './Chip'

/** The runs as heads of their columns; they stay when the page scrolls. */
export function Chips() {
  const runs = usePage(p => p.runs)
  return (
    <ul
      className="chips"
      aria-label="Runs"
      data-columns={Math.max(2, runs.length)}
      style={{ '--columns': Math.max(2, runs.length) } as React.CSSProperties}
    >
      {runs.map((run, i) => (
        <Chip key={run.id} run={run} place={i} runs={runs.length} />
      ))}
    </ul>
  )
}
