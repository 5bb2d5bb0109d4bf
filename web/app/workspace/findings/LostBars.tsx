import type { CurrentComparison } from '../../../state/comparing/comparing'
import type { ComparedRuns } from '../../../state/types'
import { usePage } from '../../context'
import { badgedSides, SideBadge } from '../head/SideSentence'
import './lost-bars.css'
import { lostParts, lostWords, signedTimes } from './findingWords'

interface LostBarsProps {
  readonly current: CurrentComparison
  readonly compared: ComparedRuns
}

/**
 * Where the additional time of one side went: each bar begins where the one before ends, and the last one is their sum.
 */
export function LostBars({ current: { document, comparison }, compared }: LostBarsProps) {
  const runs = usePage(p => p.runs)
  const other = badgedSides(compared, runs)[comparison.side]
  const parts = lostParts(comparison)
  if (parts.length === 0 || !other) return undefined
  const total = parts.reduce((sum, { ns }) => sum + ns, 0)
  const begins = parts.map((_, i) => parts.slice(0, i).reduce((sum, { ns }) => sum + ns, 0))
  const ends = parts.map(({ ns }, i) => (begins[i] ?? 0) + ns)
  const lowest = Math.min(0, ...ends)
  const extent = Math.max(0, ...ends) - lowest || 1
  const percent = (ns: number) => `${(ns / extent) * 100}%`
  const times = signedTimes([...parts.map(({ ns }) => ns), total])
  const bars = parts.map((part, i) => ({ ...part, begin: begins[i] ?? 0 }))
  const base = document.sides[document.baseline]?.label ?? ''
  return (
    <figure className="lost-bars">
      <figcaption className="visually-hidden">{lostWords(comparison, base)}</figcaption>
      {bars.map(({ name, token, ns, begin }, i) => (
        <div key={name} className="lost-bars-row">
          <span>{name}</span>
          <span className="lost-bars-ns">{times[i]}</span>
          <span className="lost-bars-plot" aria-hidden="true">
            <span className="lost-bars-zero" style={{ left: percent(-lowest) }} />
            <span
              className="lost-bars-bar"
              data-starved={token === '--starved'}
              style={
                {
                  left: percent(Math.min(begin, begin + ns) - lowest),
                  width: percent(Math.abs(ns)),
                  '--part': `var(${token})`,
                } as React.CSSProperties
              }
            />
          </span>
        </div>
      ))}
      <div className="lost-bars-row" data-total="">
        <span>
          <SideBadge side={other} /> took {total < 0 ? 'less' : 'longer'}, in all
        </span>
        <span className="lost-bars-ns">{times.at(-1)}</span>
        <span className="lost-bars-plot" aria-hidden="true">
          <span className="lost-bars-zero" style={{ left: percent(-lowest) }} />
          <span
            className="lost-bars-bar"
            style={{ left: percent(Math.min(0, total) - lowest), width: percent(Math.abs(total)) }}
          />
        </span>
      </div>
    </figure>
  )
}
