/** Which part of the time the sentence and the figures are of, while a range is visible. */
import { listed } from '../../../charts/shared/answers/shown'
import type { Range } from '../../../engine/protocol'
import { timesInWords } from '../../../state/range'
import { current as currentRange } from '../../../state/trail'
import { useActions, usePage } from '../../context'
import '../../shared/verdict-bar.css'
import { useShownFigures } from '../useCurrentComparison'
import './head.css'

/** The range of the shown figures; `complete`: they are of complete runs, although a range is visible. */
export function useShownRange() {
  const { ranged } = useShownFigures()
  const isZoomed = usePage(p => currentRange(p.trail) !== undefined)
  return ranged?.range ?? (isZoomed ? 'complete' : undefined)
}

/** In place of the verdict where a run has no request in the range: there is nothing to compare or explain. */
export function SilentBar({ letters, range }: { readonly letters: readonly string[]; readonly range: Range }) {
  return (
    <section className="verdict-bar head-bar" aria-label="Verdict">
      <div className="verdict-words">
        <h2 className="verdict-sentence" aria-live="polite">
          {`No request of ${listed(letters)} begins or ends from ${timesInWords(range)}.`}
        </h2>
        <ul className="verdict-facts">
          <RangeFact />
          <li>no verdict</li>
        </ul>
      </div>
    </section>
  )
}

export function RangeFact() {
  const actions = useActions()
  const range = useShownRange()
  if (range === undefined) return undefined
  if (range === 'complete') return <li className="verdict-range">of the complete run</li>
  return (
    <li className="verdict-range">
      <strong>only {timesInWords(range)}</strong>:{' '}
      <button type="button" className="link" onClick={actions.whole}>
        Full run
      </button>
    </li>
  )
}
