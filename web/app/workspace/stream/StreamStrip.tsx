/** Throughput and queue depth of all seconds of a stream, including those whose events were dropped. */
import { useRef } from 'react'
import { useWidth } from '../../../charts/shared/frame/useWidth'
import type { StreamSecond, StreamStatus } from '../../../engine/protocol'
import { atTime, figure } from '../../../lib/format'

const LANE = 34
const GAP = 6

/** Steps of a value over time, closed at the bottom. */
function stepPath(
  seconds: readonly StreamSecond[],
  x: (t: number) => number,
  y: (value: number) => number,
  amountOf: (second: StreamSecond) => number,
): string {
  const parts = seconds.map(second => `V${y(amountOf(second)).toFixed(1)}H${x(second.at + second.length).toFixed(1)}`)
  return `M${x(seconds[0]?.at ?? 0).toFixed(1)} ${y(0)}${parts.join('')}V${y(0)}Z`
}

export function StreamStrip({
  seconds,
  status,
}: {
  readonly seconds: readonly StreamSecond[]
  readonly status: StreamStatus | undefined
}) {
  const box = useRef<HTMLElement>(null)
  const width = useWidth(box)
  const first = seconds[0]?.at ?? 0
  const last = seconds.at(-1)
  const end = last ? last.at + last.length : 1
  const x = (t: number) => ((t - first) / Math.max(1, end - first)) * width
  const maxRate = Math.max(1, ...seconds.map(s => s.readBps + s.writeBps))
  const deepest = Math.max(1, ...seconds.map(s => s.depth))
  const y = (value: number) => LANE - (value / maxRate) * (LANE - 2)
  const depthY = (value: number) => LANE - (value / deepest) * (LANE - 2)
  const droppedWidth = status?.shownFrom === undefined ? 0 : x(status.shownFrom)
  const label = `${figure((end - first) / 1e9)} s: up to ${figure(maxRate / 1e6)} MB/s and ${figure(deepest)} in flight`
  return (
    <figure className="stream-strip" ref={box}>
      <figcaption>
        <span>Complete time, per second</span>
        <span>
          <i data-op="read" /> read <i data-op="write" /> write, up to {figure(maxRate / 1e6)} MB/s
        </span>
        <span>
          <i data-op="depth" /> in flight, mean up to {figure(deepest)}
        </span>
      </figcaption>
      {width > 0 && (
        <svg width={width} height={2 * LANE + GAP + 14} role="img" aria-label={label}>
          <path className="stream-write" d={stepPath(seconds, x, y, s => s.readBps + s.writeBps)} />
          <path className="stream-read" d={stepPath(seconds, x, y, s => s.readBps)} />
          <line className="stream-base" x2={width} y1={LANE + 0.5} y2={LANE + 0.5} />
          <g transform={`translate(0 ${LANE + GAP})`}>
            <path className="stream-depth" d={stepPath(seconds, x, depthY, s => s.depth)} />
            <line className="stream-base" x2={width} y1={LANE + 0.5} y2={LANE + 0.5} />
          </g>
          {droppedWidth > 0 && <rect className="stream-gone" width={droppedWidth} height={2 * LANE + GAP} />}
          <text className="stream-time" x={0} y={2 * LANE + GAP + 12}>
            {atTime(first, 1e9)} s
          </text>
          <text className="stream-time" x={width} y={2 * LANE + GAP + 12} textAnchor="end">
            {atTime(end, 1e9)} s
          </text>
        </svg>
      )}
    </figure>
  )
}
