import { useId, useState } from 'react'
import type { Run } from '../../state/types'
import { useActions, usePage } from '../context'
import { Dialog } from './Dialog'

/** Sets the group of a run: a new name or an existing group. */
export function GroupForm({ run }: { run: Run }) {
  const { close, group } = useActions()
  const groups = usePage(p => p.runs).flatMap(r => r.group ?? [])
  const names = [...new Set(groups)]
  const [name, setName] = useState(run.group ?? '')
  const id = useId()
  const put = (to: string) => {
    group(run.id, to)
    close()
  }
  const submit = (event: React.FormEvent) => {
    event.preventDefault()
    put(name)
  }
  return (
    <Dialog
      title={`Group of ${run.letter}: ${run.label}`}
      lead="Group repeated measurements. A group is compared as one side, with mean and spread."
      onClose={close}
    >
      <form className="format-form" onSubmit={submit}>
        <label htmlFor={id}>Name</label>
        <div>
          <input
            id={id}
            className="field"
            data-first
            value={name}
            maxLength={200}
            autoComplete="off"
            placeholder="6.1"
            onChange={event => setName(event.target.value)}
          />
          <button
            type="submit"
            className="button primary large"
            disabled={name.trim() === '' || name.trim() === run.group}
          >
            Add to group
          </button>
        </div>
      </form>
      {names.length > 0 && (
        <ul className="group-names" aria-label="Groups">
          {names.map(n => (
            <li key={n}>
              <button type="button" className="button" disabled={n === run.group} onClick={() => put(n)}>
                {n} <span className="caption">{groups.filter(g => g === n).length}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      <footer className="dialog-foot">
        {run.group !== undefined && (
          <button type="button" className="button large" onClick={() => put('')}>
            Remove from group
          </button>
        )}
        <button type="button" className="button large" onClick={close}>
          Cancel
        </button>
      </footer>
    </Dialog>
  )
}
