import { useState } from 'react'
import { duration } from '../../lib/format'
import { noClock, shiftsOf } from '../../state/align'
import { visible } from '../../state/filter'
import type { Run, View } from '../../state/types'
import { useActions, usePage } from '../context'
import { Dialog, DialogFoot } from './Dialog'

const WAYS: readonly (readonly [View['align'], string, string])[] = [
  [undefined, 'First event', 'Each run begins at 0, as blkparse counts its time.'],
  ['io', 'First I/O', 'The first request queued on the shown device stands at the same time in all runs.'],
  ['clock', 'Wall clock', 'What happened at the same moment stands below each other: for traces that were recorded at the same time.'],
  ['hand', 'By hand', 'Each run where you put it: type below, or drag its letter in the time line.'],
]

/** How runs are placed on the one time axis. */
export function AlignForm() {
  const { close, setAlign } = useActions()
  const runs = usePage(p => p.runs)
  const align = usePage(p => p.view.align)
  const why = noClock(runs)
  const shown = visible(runs)
  const baseline = shown.find(r => r.baseline) ?? shown[0]
  return (
    <Dialog title="Align runs in time" lead="All charts have one time axis. It moves runs against each other and changes no figure." onClose={close}>
      <fieldset className="align-ways">
        <legend className="visually-hidden">Align by</legend>
        {WAYS.map(([way, name, what]) => {
          const off = way === 'clock' ? why : undefined
          return (
            <label key={name} data-off={off !== undefined}>
              <input type="radio" name="align" checked={align === way} disabled={off !== undefined} onChange={() => setAlign(way)} />
              <span>
                <b>{name}</b> {off ?? what}
              </span>
            </label>
          )
        })}
      </fieldset>
      <table className="align-table">
        <caption className="visually-hidden">Where runs begin</caption>
        <thead>
          <tr>
            <th scope="col">Run</th>
            <th scope="col">begins, s after {baseline?.letter}</th>
            <th scope="col">lasts</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(run => (
            <Placed key={run.id} run={run} baseline={baseline} />
          ))}
        </tbody>
      </table>
      <DialogFoot onClose={close} />
    </Dialog>
  )
}

function Placed({ run, baseline }: { run: Run; baseline: Run | undefined }) {
  const { shift } = useActions()
  const runs = usePage(p => p.runs)
  const from = baseline?.shift ?? 0
  const now = String(((run.shift ?? 0) - from) / 1e9)
  const [draft, setDraft] = useState<string>()
  const keep = () => {
    const seconds = draft?.trim() === '' ? Number.NaN : Number(draft)
    if (draft !== undefined && Number.isFinite(seconds) && Math.abs(seconds) < 1e7) shift({ ...shiftsOf(runs), [run.id]: from + seconds * 1e9 })
    setDraft(undefined)
  }
  return (
    <tr>
      <th scope="row">
        <span className="badge" data-run={run.letter}>
          {run.letter}
        </span>{' '}
        {run.label}
      </th>
      <td>
        {run === baseline ? (
          <span className="mono">0</span>
        ) : (
          <input
            className="field mono"
            type="number"
            step="any"
            aria-label={`Seconds by which ${run.letter} begins after ${baseline?.letter}`}
            value={draft ?? now}
            onChange={event => setDraft(event.target.value)}
            onBlur={keep}
            onKeyDown={event => event.key === 'Enter' && keep()}
          />
        )}
      </td>
      <td className="mono">{run.info ? duration(run.info.span) : ''}</td>
    </tr>
  )
}
