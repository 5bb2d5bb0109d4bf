import { counted } from '../../lib/format'
import { useActions, usePage } from '../context'
import './results-line.css'

/** A line above the charts of a text with events and tables; it leads to the tables. */
export function ResultsLine() {
  const actions = useActions()
  const tables = usePage(p => p.results?.document.tables.length ?? 0)
  if (tables === 0) return undefined
  return (
    <p className="results-line">
      <button type="button" className="button" onClick={() => actions.show({ kind: 'results' })}>
        Benchmark results in the same file ({counted(tables, 'table')})
      </button>
    </p>
  )
}
