/** Whether all runs are complete, in place of one column header per run. */
import { counted } from '../../../lib/format'
import { useActions, usePage } from '../../context'
import { RunsAside } from '../runs/Chips'
import '../runs/chips.css'
import { qualityVerdict } from '../runs/quality'

export function MatrixHead() {
  const actions = useActions()
  const runs = usePage(p => p.runs)
  const reading = runs.filter(run => run.status.kind === 'reading')
  const failed = runs.filter(run => run.status.kind === 'failed')
  const read = runs.flatMap(run => {
    const quality = run.status.kind === 'ready' ? qualityVerdict(run.info, run.cut) : undefined
    return quality ? [{ run, said: quality }] : []
  })
  const broken = read.filter(({ said: quality }) => !quality.complete)
  const names = (group: readonly { readonly letter: string }[]) => group.map(run => run.letter).join(', ')
  return (
    <div className="chips-bar matrix-bar-head">
      <p aria-live="polite">
        {broken.length === 0 && failed.length === 0 && reading.length === 0 && (
          <span className="good">✓ all {runs.length} complete</span>
        )}
        {reading.length > 0 && <span>{counted(reading.length, 'run', 'runs')} reading</span>}
        {broken.map(({ run, said: quality }) => (
          <button
            key={run.id}
            type="button"
            className="link warn"
            onClick={() => actions.show({ kind: 'quality', run: run.id })}
          >
            ! {run.letter}: {quality.text}
          </button>
        ))}
        {failed.length > 0 && <span className="bad">! not read: {names(failed)}</span>}
      </p>
      <RunsAside />
    </div>
  )
}
