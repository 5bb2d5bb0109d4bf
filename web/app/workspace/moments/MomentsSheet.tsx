/** The moments at which devices stalled, one per row: what the device did, whose requests waited, and what to do. */
import { deviceName } from '../../../charts/shared/answers/names'
import { seconds, typographic } from '../../../lib/format'
import { stalledInWords, stallInWords } from '../../../lib/moments'
import { ns } from '../../../lib/units'
import { useActions } from '../../context'
import { comparisonWithQuiet, type NumberedStall } from './moments'
import { markMoment } from './useMoments'
import './moments-sheet.css'

export function MomentsSheet({ moments }: { readonly moments: readonly NumberedStall[] }) {
  const several = new Set(moments.map(({ run }) => run.id)).size > 1
  return (
    <ol className="moment-rows" aria-label="Moments at which a device stalled">
      {moments.map(moment => (
        <li key={`${moment.run.id} ${moment.number}`}>
          <MomentRow {...moment} several={several} />
        </li>
      ))}
    </ol>
  )
}

function MomentRow({ run, stall, number, several }: NumberedStall & { readonly several: boolean }) {
  const actions = useActions()
  const shift = run.shift ?? 0
  const { around_ns: around, quiet_ns: quiet } = stall
  const whose = stalledInWords(stall)
  return (
    <>
      <span className="moment-number">{number}</span>
      <span className="moment-place">
        {several && (
          <span className="badge" data-run={run.letter}>
            {run.letter}
          </span>
        )}
        {deviceName(stall.device, run)}
      </span>
      <span className="moment-time">
        {seconds(stall.from_ns, 3)} to {seconds(stall.to_ns, 3)} s
      </span>
      <span className="moment-words">
        {stallInWords(stall, typographic)}
        {whose !== '' && <span className="moment-whose"> · {whose}</span>}
      </span>
      <span className="moment-buttons">
        {!run.whole && (
          <button
            type="button"
            className="link"
            onClick={() => {
              actions.commit({ t0: ns(around[0] + shift), t1: ns(around[1] + shift) })
              markMoment(run, stall.from_ns)
            }}
          >
            Show<span className="visually-hidden"> moment {number}</span>
          </button>
        )}
        {quiet && run.rereadable && (
          <button
            type="button"
            className="link"
            title={`Reads ${seconds(around[0], 1)} to ${seconds(around[1], 1)} s and, as the baseline, ${seconds(quiet[0], 1)} to ${seconds(quiet[1], 1)} s of this recording`}
            onClick={() => {
              void actions.compareMoment(run.id, comparisonWithQuiet({ run, from: stall.from_ns, stall, number }))
              markMoment(run, stall.from_ns)
            }}
          >
            Compare with quiet<span className="visually-hidden"> time, moment {number}</span>
          </button>
        )}
      </span>
    </>
  )
}
