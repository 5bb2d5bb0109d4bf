import type { CurrentComparison } from '../../../state/comparing/comparing'
import { lostParts, lostWords, signedTime } from './findingWords'

/** Where the additional time of one side went: bars around a zero line, which add up to the difference. */
export function LostBars({ current: { document, comparison } }: { current: CurrentComparison }) {
  const labelOf = (side: number) => document.sides[side]?.label ?? ''
  const parts = lostParts(comparison)
  if (parts.length === 0) return undefined
  const lowest = Math.min(0, ...parts.map(p => p.ns))
  const extent = Math.max(0, ...parts.map(p => p.ns)) - lowest || 1
  const position = (ns: number) => `${((ns - lowest) / extent) * 100}%`
  return (
    <figure className="lost-bars">
      <figcaption>
        {lostWords(comparison, { other: labelOf(comparison.side), base: labelOf(document.baseline) })}
      </figcaption>
      {parts.map(({ name, token, ns }) => (
        <div key={name} className="lost-bars-row">
          <span>{name}</span>
          <span className="lost-bars-ns">{signedTime(ns)}</span>
          <span className="lost-bars-plot" aria-hidden="true">
            <span className="lost-bars-zero" style={{ left: position(0) }} />
            <span
              className="lost-bars-bar"
              data-starved={token === '--starved'}
              style={
                {
                  left: position(Math.min(0, ns)),
                  width: `${(Math.abs(ns) / extent) * 100}%`,
                  '--part': `var(${token})`,
                } as React.CSSProperties
              }
            />
          </span>
        </div>
      ))}
    </figure>
  )
}
