/** The moment that is looked at, with buttons to the others: on a narrow page the list of moments is on another tab. */
import { Badge } from '../../../charts/shared/frame/Row'
import { seconds, typographic } from '../../../lib/format'
import { stallInWords } from '../../../lib/moments'
import { useMoments } from './useMoments'

export function MomentBar() {
  const { moments, current, step, leave } = useMoments()
  if (!current) return undefined
  const { run, stall, trigger, from } = current
  const words = [
    `${seconds(from, 3)} s`,
    stall && stallInWords(stall, typographic),
    trigger && `trigger ${trigger.condition} at ${seconds(trigger.time, 3)} s`,
  ]
  return (
    <section className="moment-bar" aria-label="Shown moment">
      <b aria-live="polite">
        Moment {moments.indexOf(current) + 1} of {moments.length}
      </b>
      <span className="moment-bar-steps">
        <button type="button" className="button quiet" aria-label="Previous moment" onClick={() => step(-1)}>
          <span aria-hidden="true">‹</span>
        </button>
        <button type="button" className="button quiet" aria-label="Next moment" onClick={() => step(1)}>
          <span aria-hidden="true">›</span>
        </button>
      </span>
      <span className="moment-bar-words">
        <Badge letter={run.letter} /> {words.filter(Boolean).join(' · ')}
      </span>
      <button type="button" className="link" onClick={leave}>
        Show all
      </button>
    </section>
  )
}
