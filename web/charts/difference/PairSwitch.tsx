/** Selects the run that is compared with the baseline. */
import type { ChartFrame } from '../shared/answers/shown'
import type { Pair } from './pair'

export function PairSwitch({ frame, pair }: { readonly frame: ChartFrame; readonly pair: Pair }) {
  const { base, other } = pair
  const others = frame.shown.filter(run => run !== base)
  return (
    <p className="pair-switch">
      {others.length > 1 ? (
        <select
          value={other.id}
          onChange={event => frame.actions.compare(event.target.value)}
          aria-label="Run compared with the baseline"
        >
          {others.map(run => (
            <option key={run.id} value={run.id}>
              {`${run.letter} ${run.run.label}`}
            </option>
          ))}
        </select>
      ) : (
        <b>{`${other.letter} ${other.run.label}`}</b>
      )}{' '}
      minus the baseline, <b>{`${base.letter} ${base.run.label}`}</b>
    </p>
  )
}
