/** Legend entries: a swatch, line or glyph and its word. */
import type { ReactNode } from 'react'
import { LOG_SCALE, PER_CELL } from '../answers/words'
import type { LegendEntry } from '../paint/legendEntry'

export function Swatch({ token, shape = 'square' }: { readonly token: string; readonly shape?: LegendEntry['shape'] }) {
  return (
    <i className={`legend-swatch legend-${shape}`} style={{ '--swatch': `var(--${token})` } as React.CSSProperties} />
  )
}

export function Legend({
  entries,
  children,
}: {
  readonly entries: readonly LegendEntry[]
  readonly children?: ReactNode
}) {
  return (
    <span className="legend">
      {children}
      {entries.map(entry => (
        <span key={entry.label} className="legend-item">
          <Swatch token={entry.token} shape={entry.shape ?? 'square'} />
          {entry.label}
        </span>
      ))}
    </span>
  )
}

/** The five steps of a map, with the largest count of one cell. */
export function DensityLegend({ max }: { readonly max: number }) {
  if (max <= 1) return <span className="legend">{`${PER_CELL}: 1`}</span>
  return (
    <span className="legend legend-item">
      {`${PER_CELL} 1 `}
      <span className="legend-steps">
        {[1, 2, 3, 4, 5].map(step => (
          <i key={step} style={{ background: `var(--density-${step})` }} />
        ))}
      </span>
      {` ${max}, ${LOG_SCALE}`}
    </span>
  )
}

/** About how wide a legend is, px: entries of 11 px text with a swatch each. */
export const legendWidth = (labels: readonly string[]): number =>
  labels.reduce((sum, label) => sum + label.length * 6.6 + 26, 0)
