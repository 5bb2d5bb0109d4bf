import { groupedWords } from '../../../state/runs/grouping'
import { useActions, usePage } from '../../context'

/** Says that the runs were grouped by their names, with a button that undoes it. */
export function Grouped() {
  const actions = useActions()
  const byName = usePage(p => p.grouping === 'name')
  const runs = usePage(p => p.runs)
  const words = byName ? groupedWords(runs) : ''
  if (words === '') return undefined
  return (
    <p className="grouped" role="status">
      <span>{words}</span>
      <span className="grouped-actions">
        <button type="button" className="link" onClick={() => actions.groupByName(false)}>
          Undo
        </button>
        <button type="button" className="link" onClick={() => actions.show({ kind: 'groups' })}>
          Change groups…
        </button>
      </span>
    </p>
  )
}
