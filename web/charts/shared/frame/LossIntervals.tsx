/** The mark of figures that are unreliable, and the hatching of these intervals and of stalls in a plot. */
import { useId } from 'react'
import type { Range } from '../../../engine/protocol'
import { type LossSpan, WHY_UNRELIABLE } from '../answers/lost'
import type { StallSpan } from '../answers/stalled'
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

interface HatchedProps {
  readonly spans: readonly { readonly t0: number; readonly t1: number }[]
  readonly range: Range
  readonly width: number
  readonly height: number
  readonly kind: 'lost' | 'stall'
  /** Distance of two lines, px. */
  readonly step: number
}

/** Hatched intervals with a line at both ends, at least 3 px wide. */
function Hatched({ spans, range, width, height, kind, step }: HatchedProps) {
  const id = useId()
  const x = xOf(range, width)
  const seen = spans.filter(span => span.t1 >= range.t0 && span.t0 <= range.t1)
  if (seen.length === 0) return undefined
  return (
    <g className="hatched" data-kind={kind}>
      <pattern id={id} width={step} height={step} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <line className="hatched-stroke" x1={0} x2={0} y1={0} y2={step} />
      </pattern>
      {seen.map(span => {
        const from = Math.max(0, x(span.t0))
        const to = Math.min(width, Math.max(x(span.t1), from + 3))
        return (
          <g key={span.t0} {...{ [`data-${kind}`]: '' }}>
            <rect className="hatched-ground" x={from} y={0} width={to - from} height={height} />
            <rect x={from} y={0} width={to - from} height={height} fill={`url(#${id})`} />
            <path className="hatched-edge" d={`M${from + 0.5} 0V${height}M${to - 0.5} 0V${height}`} />
          </g>
        )
      })}
    </g>
  )
}

type IntervalsProps = Pick<HatchedProps, 'range' | 'width' | 'height'>

/** Times in which events were lost: what is drawn below is incomplete. */
export const LossIntervals = ({ lost, ...place }: IntervalsProps & { readonly lost: readonly LossSpan[] }) => (
  <Hatched spans={lost} kind="lost" step={6} {...place} />
)

/** Times in which the device stalled. */
export const StallIntervals = ({ stalls, ...place }: IntervalsProps & { readonly stalls: readonly StallSpan[] }) => (
  <Hatched spans={stalls} kind="stall" step={7} {...place} />
)
