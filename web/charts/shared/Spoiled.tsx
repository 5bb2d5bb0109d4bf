/** The mark of figures that are wrong because events were lost, and the shading of those times in a plot. */
import { useId } from 'react'
import type { Range } from '../../engine/protocol'
import type { Lost } from './lost'
import { xOf } from './viewport'

const WHY = 'Spoiled: events were lost in this run'

/** A dagger behind a figure that the summary names as spoiled. */
export function SpoiledMark({ spoiled, names }: { readonly spoiled: readonly string[] | undefined; readonly names: readonly string[] }) {
  if (!names.some(name => spoiled?.includes(name))) return undefined
  return (
    <span className="spoiled" role="img" aria-label={WHY} title={WHY}>
      †
    </span>
  )
}

/** Hatched where events were lost, with a dashed line at either end. None is narrower than 3 px. */
export function LostTimes({
  lost,
  range,
  width,
  height,
}: {
  readonly lost: readonly Lost[]
  readonly range: Range
  readonly width: number
  readonly height: number
}) {
  const id = useId()
  const x = xOf(range, width)
  const seen = lost.filter(l => l.t1 >= range.t0 && l.t0 <= range.t1)
  if (seen.length === 0) return undefined
  return (
    <g className="lost">
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
