/** Which part of the time the sentence and the figures are of, while a range is visible. */
import { atTime } from '../../../lib/format'
import { width } from '../../../state/range'
import { current as currentRange } from '../../../state/trail'
import { useActions, usePage } from '../../context'
import { useShownFigures } from '../useCurrentComparison'

/** The range of the shown figures; `complete`: they are of complete runs, although a range is visible. */
export function useShownRange() {
  const { ranged } = useShownFigures()
  const isZoomed = usePage(p => currentRange(p.trail) !== undefined)
  return ranged?.range ?? (isZoomed ? 'complete' : undefined)
}

export function RangeFact() {
  const actions = useActions()
  const range = useShownRange()
  if (range === undefined) return undefined
  if (range === 'complete') return <li className="verdict-range">of the complete run</li>
  const digits = width(range) / 100
  return (
    <li className="verdict-range">
      <strong>
        only {atTime(range.t0, digits)} to {atTime(range.t1, digits)} s
      </strong>
      :{' '}
      <button type="button" className="link" onClick={actions.whole}>
        Full run
      </button>
    </li>
  )
}
