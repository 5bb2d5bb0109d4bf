/** The mark of figures that are unreliable, and the hatching of those intervals in a plot. */
import { useId } from 'react'
import type { Range } from '../../../engine/protocol'
import { type LossSpan, WHY_UNRELIABLE } from '../answers/lost'
import { xOf } from '../paint/viewport'

const WHY = `Unreliable: ${WHY_UNRELIABLE}`

/** A dagger after a figure that the summary lists in `spoiled`. */
export function UnreliableMark({
  spoiled,
  names,
}: {
  readonly spoiled: readonly string[] | undefined
  readonly names: readonly string[]
}) {
  if (!names.some(name => spoiled?.includes(name))) return undefined
  return (
    <span className="unreliable-mark" role="img" aria-label={WHY} title={WHY}>
      †
    </span>
  )
}

/** Hatched loss intervals with a dashed line at both ends, at least 3 px wide. */
export function LossIntervals({
  lost,
  range,
  width,
  height,
}: {
  readonly lost: readonly LossSpan[]
  readonly range: Range
  readonly width: number
  readonly height: number
}) {
  const id = useId()
  const x = xOf(range, width)
  const seen = lost.filter(l => l.t1 >= range.t0 && l.t0 <= range.t1)
  if (seen.length === 0) return undefined
  return (
    <g>
      <pattern id={id} width={6} height={6} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <line className="lost-stroke" x1={0} x2={0} y1={0} y2={6} />
      </pattern>
      {seen.map(l => {
        const from = Math.max(0, x(l.t0))
        const to = Math.min(width, Math.max(x(l.t1), from + 3))
        return (
          <g key={l.t0} data-lost="">
            <rect className="lost-ground" x={from} y={0} width={to - from} height={height} />
            <rect x={from} y={0} width={to - from} height={height} fill={`url(#${id})`} />
            <path className="lost-edge" d={`M${from + 0.5} 0V${height}M${to - 0.5} 0V${height}`} />
          </g>
        )
      })}
    </g>
  )
}
