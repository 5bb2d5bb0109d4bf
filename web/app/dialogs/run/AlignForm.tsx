import { useState } from 'react'
import { duration } from '../../../lib/format'
import { visible } from '../../../state/filter'
import { clockError, noClock, shiftsOf } from '../../../state/runs/align'
import type { Run, View } from '../../../state/types'
import { useActions, usePage } from '../../context'
import { Dialog, DialogFoot } from '../Dialog'

const METHODS: readonly (readonly [View['align'], string, string])[] = [
  [undefined, 'First event', 'Each run starts at 0, as in blkparse.'],
  ['io', 'First I/O', 'The first request queued on the shown device is at the same time in all runs.'],
  ['clock', 'Wall clock', 'Simultaneous events line up; for traces recorded at the same time.'],
  ['hand', 'Manual', 'Enter offsets below, or drag a letter in the timeline.'],
]

/** How runs are aligned on the common time axis. */
export function AlignForm() {
  const { close, setAlign } = useActions()
  const runs = usePage(p => p.runs)
  const align = usePage(p => p.view.align)
  const clockProblem = noClock(runs)
  const error = clockError(runs)
  const shownRuns = visible(runs)
  const baseline = shownRuns.find(r => r.baseline) ?? shownRuns[0]
  return (
    <Dialog title="Align runs in time" lead="Shifts runs in time; no figures change." onClose={close}>
      <fieldset className="align-ways">
        <legend className="visually-hidden">Align by</legend>
        {METHODS.map(([way, name, description]) => {
          const unavailable = way === 'clock' ? clockProblem : undefined
          return (
            <label key={name} data-off={unavailable !== undefined}>
              <input
                type="radio"
                name="align"
                checked={align === way}
                disabled={unavailable !== undefined}
                onChange={() => setAlign(way)}
              />
              <span>
                <b>{name}</b> {unavailable ?? description}
                {way === 'clock' && error !== undefined && ` The clocks agree within ${duration(error)}.`}
              </span>
            </label>
          )
        })}
      </fieldset>
      <table className="align-table">
        <caption className="visually-hidden">Start of each run</caption>
        <thead>
          <tr>
            <th scope="col">Run</th>
            <th scope="col">start, s after {baseline?.letter}</th>
            <th scope="col">duration</th>
          </tr>
        </thead>
        <tbody>
          {shownRuns.map(run => (
            <AlignRow key={run.id} run={run} baseline={baseline} />
          ))}
        </tbody>
      </table>
      <DialogFoot onClose={close} />
    </Dialog>
  )
}

function AlignRow({ run, baseline }: { run: Run; baseline: Run | undefined }) {
  const { shift } = useActions()
  const runs = usePage(p => p.runs)
  const previous = baseline?.shift ?? 0
  const current = String(((run.shift ?? 0) - previous) / 1e9)
  const [draft, setDraft] = useState<string>()
  const save = () => {
    const seconds = draft?.trim() === '' ? Number.NaN : Number(draft)
    if (draft !== undefined && Number.isFinite(seconds) && Math.abs(seconds) < 1e7)
      shift({ ...shiftsOf(runs), [run.id]: previous + seconds * 1e9 })
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
            aria-label={`Start of ${run.letter}, seconds after ${baseline?.letter}`}
            value={draft ?? current}
            onChange={event => setDraft(event.target.value)}
            onBlur={save}
            onKeyDown={event => event.key === 'Enter' && save()}
          />
        )}
      </td>
      <td className="mono">{run.info ? duration(run.info.span) : ''}</td>
    </tr>
  )
}
