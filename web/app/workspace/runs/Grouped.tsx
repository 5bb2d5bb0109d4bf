import { groupsOf } from '../../../state/runs/grouping'
import { lettersOfSide } from '../../../state/runs/letters'
import { useActions, usePage } from '../../context'

/** Says that the runs were grouped by their names, with a button that undoes it. */
export function Grouped() {
  const actions = useActions()
  const byName = usePage(p => p.grouping === 'name')
  const runs = usePage(p => p.runs)
  const groups = byName ? groupsOf(runs) : []
  if (groups.length < 2) return undefined
  return (
    <p className="grouped" role="status">
      <b>Grouped by name:</b>{' '}
      <span className="grouped-sides">
        {groups.map(({ label, runs }, i) => {
          const letter = lettersOfSide(runs.map(run => run.letter))
          return (
            <span key={label}>
              {i > 0 && (i === 1 ? ' against ' : ' and ')}
              <span className="badge" data-run={letter}>
                {letter}
              </span>{' '}
              {`${label} (${runs.length})`}
            </span>
          )
        })}
      </span>
      <span className="grouped-why">names differ in the number of the repeat only</span>
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
