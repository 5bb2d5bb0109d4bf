/** Values with their intervals, drawn from 0 across the width of a cell. The cells beside them have the figures. */
import type { CSSProperties } from 'react'
import type { BisectEvidence, BisectLevel } from '../../engine/protocol'
import { quantity } from '../../lib/format'
import './level-plot.css'

/** A place on the axis, in percent; what lies outside is at its end. */
const placeOf = (value: number, end: number): number => Math.min(100, Math.max(0, (value / end) * 100))

const stretch = ([low, high]: readonly [number, number], end: number): CSSProperties => ({
  left: `${placeOf(low, end)}%`,
  width: `${placeOf(high, end) - placeOf(low, end)}%`,
})

interface LevelPlotProps {
  readonly figure: BisectEvidence
  readonly level: BisectLevel | undefined
  /** The value at the end of the axis. */
  readonly end: number
}

/** A dot with its interval, on the ground of the intervals of good and bad. */
export function LevelPlot({ figure, level, end }: LevelPlotProps) {
  return (
    <span className="level-plot" aria-hidden="true">
      <span className="level-ground" data-side="good" style={stretch(figure.good.ci95, end)} />
      <span className="level-ground" data-side="bad" style={stretch(figure.bad.ci95, end)} />
      {level && (
        <>
          <span className="level-interval" style={stretch(level.ci95, end)} />
          <span className="level-dot" style={{ left: `${placeOf(level.value, end)}%` }} />
        </>
      )}
    </span>
  )
}

/** Where good and bad are on the axis. Each has a line of its own, so that near levels do not overlap. */
export function PlotScale({ figure, end }: Omit<LevelPlotProps, 'level'>) {
  return (
    <span className="level-scale" aria-hidden="true">
      {(['good', 'bad'] as const).map(side => {
        const place = placeOf(figure[side].value, end)
        return (
          <span key={side} style={{ left: `${place}%`, translate: `-${place}%` }}>
            {side} {quantity(figure.unit, figure[side].value)}
          </span>
        )
      })}
    </span>
  )
}

/** The figure of the finding as a bar from 0, with its interval. */
export function FindingBar({ figure, level, end }: LevelPlotProps) {
  return (
    <span className="level-bar" aria-hidden="true" data-key={figure.key}>
      {level && (
        <>
          <span className="level-fill" style={stretch([0, level.value], end)} />
          <span className="level-interval" style={stretch(level.ci95, end)} />
        </>
      )}
    </span>
  )
}
