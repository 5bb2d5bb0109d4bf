import type { ChartSide } from '../answers/shown'
import './groups.css'

/** Says which run of a group a plot shows, and goes to the others: `‹ A1 of 3 ›`. */
export function Step({ side: { runs, index, show } }: { readonly side: ChartSide }) {
  const run = runs[index]
  if (run === undefined || runs.length < 2) return undefined
  const arrow = (step: number, sign: string, word: string) => {
    const next = (index + step + runs.length) % runs.length
    const words = `Show ${runs[next]?.letter}, the ${word} run of this group`
    return (
      <button type="button" className="run-step-arrow" aria-label={words} title={words} onClick={() => show(next)}>
        <span aria-hidden="true">{sign}</span>
      </button>
    )
  }
  return (
    <span className="run-step">
      {arrow(-1, '\u2039', 'previous')}
      <span className="run-step-name" aria-live="polite" title={run.run.label}>
        {`${run.letter} of ${runs.length}`}
      </span>
      {arrow(1, '\u203a', 'next')}
    </span>
  )
}
