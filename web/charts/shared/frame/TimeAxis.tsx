/** One time axis for all rows above it, with the cursor's time in a box. */
import { useEffect, useRef } from 'react'
import { atTime } from '../../../lib/format'
import { ns } from '../../../lib/units'
import { type ChartFrame, columnsOf, frameOf, labelledRange, type Shown } from '../answers/shown'
import { CHAR, timeTicks } from '../paint/ticks'
import { xOf } from '../paint/viewport'

interface AxisProps {
  readonly frame: ChartFrame
  readonly run: Shown
  readonly last: boolean
}

function Axis({ frame: all, run, last }: AxisProps) {
  const frame = frameOf(all, run)
  const { plotWidth: width, live, sizes } = frame
  const { range } = frame.view
  const { moved } = run
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const x = xOf(range, width)
    return live.watch(({ cursor }) => {
      if (box.current === null) return
      const left = cursor === undefined ? -1 : x(cursor)
      box.current.hidden = left < 0 || left > width
      if (cursor === undefined || box.current.hidden) return
      box.current.textContent = atTime(ns(cursor - moved), (range.t1 - range.t0) / width)
      box.current.style.transform = `translateX(${left.toFixed(1)}px) translateX(-50%)`
    })
  }, [live, range, width, moved])
  const ticks = timeTicks(labelledRange(run, range), width)
  return (
    <div className="time-axis-run">
      <svg width={width} height={sizes.timeAxis} aria-hidden="true">
        {ticks.map(tick => (
          <g key={tick.position} transform={`translate(${tick.position} 0)`}>
            <line y2={4} />
            {(last || tick.position + (tick.label.length * CHAR) / 2 <= width) && (
              <text y={15} textAnchor="middle">
                {tick.label}
              </text>
            )}
          </g>
        ))}
      </svg>
      <div ref={box} className="time-axis-cursor" hidden />
    </div>
  )
}

/** `single`: one run of a stacked row; absent: the runs side by side. */
export function TimeAxis({ frame, single }: { readonly frame: ChartFrame; readonly single?: Shown }) {
  const { shown, stacked, axisWidth } = frame
  const runs = single ? [single] : shown.slice(0, stacked ? 1 : frame.columns)
  return (
    <div
      className="chart-plots time-axis"
      style={{ gridTemplateColumns: stacked ? `${axisWidth}px 1fr` : columnsOf(frame) }}
    >
      <span className="time-axis-unit">{stacked ? 's' : 'time, s'}</span>
      {runs.map((run, i) => (
        <div key={run.id} style={{ gridColumn: 2 + 2 * i }}>
          <Axis frame={frame} run={run} last={i === runs.length - 1} />
        </div>
      ))}
    </div>
  )
}
