import { useId, useState } from 'react'
import { groupsOf, type RunGroup } from '../../../state/runs/grouping'
import type { Run } from '../../../state/types'
import { useActions, usePage } from '../../context'
import { Dialog } from '../Dialog'

/** The existing groups, and a new one for a run that is in none. */
function groupsToEdit(runs: readonly Run[], run: Run | undefined): readonly RunGroup[] {
  const groups = groupsOf(runs).map(({ label, runs }) => ({ label, runs: runs.map(({ id }) => id) }))
  const isNew = run ? run.group === undefined : groups.length === 0
  return isNew ? [...groups, { label: '', runs: run ? [run.id] : [] }] : groups
}

/** Moves a run into the group at `index`, or out of all groups: a run has at most one group. */
const withMember = (groups: readonly RunGroup[], index: number, id: string, member: boolean): readonly RunGroup[] =>
  groups.map((group, i) => {
    const otherRuns = group.runs.filter(run => run !== id)
    return { ...group, runs: member && i === index ? [...otherRuns, id] : otherRuns }
  })

/** All runs in one list: those that are checked are the group whose name stands above it. */
export function Groups({ run }: { run?: Run | undefined }) {
  const { close, group } = useActions()
  const runs = usePage(p => p.runs)
  const [groups, setGroups] = useState(() => groupsToEdit(runs, run))
  const initial = groups.findIndex(group => run && group.runs.includes(run.id))
  const [selected, setSelected] = useState(Math.max(0, initial))
  const id = useId()
  const edited = groups[selected] ?? { label: '', runs: [] }
  const nameless = groups.some(group => group.runs.length > 0 && group.label.trim() === '')
  const apply = (event: React.FormEvent) => {
    event.preventDefault()
    group(groups.filter(group => group.runs.length > 0).map(group => ({ label: group.label.trim(), runs: group.runs })))
    close()
  }
  const setLabel = (label: string) =>
    setGroups(groups.map((group, i) => (i === selected ? { ...group, label } : group)))
  const otherGroupOf = (id: string) => groups.find(group => group !== edited && group.runs.includes(id))
  return (
    <Dialog
      title="Groups"
      lead="Group repeated measurements. A group is compared as one side, with mean and spread."
      onClose={close}
    >
      <form className="groups-form" onSubmit={apply}>
        <div className="groups-names">
          {groups.map((group, i) => (
            <button
              // biome-ignore lint/suspicious/noArrayIndexKey: groups are neither moved nor removed here
              key={i}
              type="button"
              className="button"
              aria-pressed={i === selected}
              onClick={() => setSelected(i)}
            >
              {group.label || 'New group'} <span className="caption">{group.runs.length}</span>
            </button>
          ))}
          <button
            type="button"
            className="button quiet"
            onClick={() => {
              setGroups([...groups, { label: '', runs: [] }])
              setSelected(groups.length)
            }}
          >
            Add a group
          </button>
        </div>
        <label htmlFor={id}>Name</label>
        <input
          id={id}
          className="field"
          data-first
          value={edited.label}
          maxLength={200}
          autoComplete="off"
          placeholder="6.1"
          onChange={event => setLabel(event.target.value)}
        />
        <fieldset className="groups-runs">
          <legend>Runs of this group</legend>
          {runs.map(({ id, letter, label }) => {
            const otherGroup = otherGroupOf(id)
            return (
              <label key={id} data-run={letter}>
                <input
                  type="checkbox"
                  checked={edited.runs.includes(id)}
                  onChange={event => setGroups(withMember(groups, selected, id, event.target.checked))}
                />
                <span className="badge">{letter}</span>
                <span className="groups-label">{label}</span>
                {otherGroup && <span className="caption">{`in ${otherGroup.label || 'New group'}`}</span>}
              </label>
            )
          })}
        </fieldset>
        <footer className="dialog-foot">
          <button type="submit" className="button primary large" disabled={nameless}>
            Apply
          </button>
          <button
            type="button"
            className="button large"
            disabled={groups.every(group => group.runs.length === 0)}
            onClick={() => setGroups(groups.map(group => ({ ...group, runs: [] })))}
          >
            Ungroup all
          </button>
          <button type="button" className="button large" onClick={close}>
            Cancel
          </button>
        </footer>
      </form>
    </Dialog>
  )
}
