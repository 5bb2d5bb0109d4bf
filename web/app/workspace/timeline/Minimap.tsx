/**
 * The timeline: all runs in small, with the visible range marked. Drag to select; drag the range or its ends to move
 * them.
 */
import { type ScaleLinear, scaleLinear } from 'd3'
import { type CSSProperties, type PointerEvent, useRef } from 'react'
import { lostIn } from '../../../charts/shared/answers/lost'
import { type Shown, shownRuns } from '../../../charts/shared/answers/shown'
import { stalledIn } from '../../../charts/shared/answers/stalled'
import { LossIntervals, StallIntervals } from '../../../charts/shared/frame/LossIntervals'
import { useWidth } from '../../../charts/shared/frame/useWidth'
import type { Range } from '../../../engine/protocol'
import { atTime, duration } from '../../../lib/format'
import { numbered } from '../../../state/annotations/annotations'
import { extentOf } from '../../../state/filter'
import { useActions, usePage } from '../../context'
import { LaneLetters } from './LaneLetters'
import { isZoomed, laneRuns, outline, starvedShares } from './lanes'
import { type TimelineLane, useLanes } from './useLanes'
import { type DragKind, useTimelineDrag, useTimelineWheel } from './useTimelineDrag'

const LANES_TOP = 2
const LANES_HEIGHT = 40
const HEIGHT = 64
const WASH_BINS = 48

/** Position of a time, px. */
type TimeScale = ScaleLinear<number, number>

export function Minimap() {
  const actions = useActions()
  const allRuns = usePage(p => p.runs)
  const view = usePage(p => p.view)
  const runs = laneRuns(shownRuns(allRuns, view), ({ run }) => run)
  const extent = extentOf(allRuns)
  const box = useRef<HTMLElement>(null)
  const area = useRef<SVGSVGElement>(null)
  const width = useWidth(box)
  const lanes = useLanes(runs, extent, width)
  const laneHeight = LANES_HEIGHT / Math.max(1, runs.length)
  const x = scaleLinear().domain([extent.t0, extent.t1]).range([0, width])
  const timeAt = (clientX: number) => {
    const left = area.current?.getBoundingClientRect().left ?? 0
    return Math.max(extent.t0, Math.min(extent.t1, x.invert(clientX - left)))
  }
  const { drag, begin, move, finish, cancel, pressKey } = useTimelineDrag(extent, timeAt)
  useTimelineWheel(area, extent, timeAt)
  const ticks = x.ticks(Math.max(2, Math.min(10, Math.floor(width / 90))))
  return (
    <section className="minimap" ref={box} aria-label="Timeline">
      <LaneLetters runs={runs.map(r => r.run)} extent={extent} width={width} laneH={laneHeight} />
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot stand inside a picture */}
      <svg
        ref={area}
        className="minimap-area"
        width={width}
        height={HEIGHT}
        role="group"
        aria-label="Time, all runs"
        data-grip={drag?.kind}
        onPointerDown={event => begin(event, 'new')}
        onPointerMove={move}
        onPointerUp={finish}
        onPointerCancel={cancel}
        onDoubleClick={actions.whole}
      >
        <rect className="minimap-ground" width={width} height={HEIGHT} />
        {ticks.map(t => (
          <line key={t} className="minimap-grid" x1={x(t)} x2={x(t)} y1={LANES_TOP} y2={LANES_TOP + LANES_HEIGHT} />
        ))}
        {lanes.map((lane, i) => (
          <g key={lane.run.id} transform={`translate(0 ${LANES_TOP + i * laneHeight})`}>
            <LanePicture {...lane} extent={extent} width={width} height={laneHeight} />
          </g>
        ))}
        <VisibleRange runs={runs} extent={extent} x={x} width={width} laneHeight={laneHeight} begin={begin} />
        {(['t0', 't1'] as const).map(end => (
          <rect
            key={end}
            className="minimap-handle"
            role="slider"
            tabIndex={0}
            aria-label={end === 't0' ? 'Start of range' : 'End of range'}
            aria-valuemin={extent.t0 / 1e9}
            aria-valuemax={extent.t1 / 1e9}
            aria-valuenow={view.range[end] / 1e9}
            aria-valuetext={duration(view.range[end])}
            x={x((view.preview ?? view.range)[end]) - 3.5}
            y={14}
            width={7}
            height={16}
            rx={1.5}
            onPointerDown={event => begin(event, end === 't0' ? 'left' : 'right')}
            onKeyDown={event => pressKey(event, end)}
          />
        ))}
        <Marks x={x} />
        <TimeAxis x={x} width={width} ticks={ticks} />
      </svg>
      <span className="minimap-unit" aria-hidden="true">
        s
      </span>
    </section>
  )
}

interface LanePictureProps extends TimelineLane {
  readonly extent: Range
  readonly width: number
  readonly height: number
}

function LanePicture({ run, lane, max, extent, width, height }: LanePictureProps) {
  return (
    <>
      {lane?.starved &&
        starvedShares(lane.starved, WASH_BINS).map(bin => (
          <rect
            key={bin.start}
            className="minimap-starved"
            x={bin.start * width}
            width={width / WASH_BINS + 0.5}
            height={height - 1}
            style={{ '--share': bin.share } as CSSProperties}
          />
        ))}
      {lane && (
        <path className="minimap-load" d={outline(lane.load, width, height - 3, max)} transform="translate(0 2)" />
      )}
      <StallIntervals stalls={stalledIn(run)} range={extent} width={width} height={height - 1} />
      <LossIntervals lost={lostIn(run)} range={extent} width={width} height={height - 1} />
      <line className="minimap-base" x1={0} x2={width} y1={height - 0.5} y2={height - 0.5} />
    </>
  )
}

interface VisibleRangeProps {
  readonly runs: readonly Shown[]
  readonly extent: Range
  readonly x: TimeScale
  readonly width: number
  readonly laneHeight: number
  begin(event: PointerEvent<SVGElement>, kind: DragKind): void
}

/** The visible range as a frame. The rest is veiled; with evidence, each lane has a window of its own instead. */
function VisibleRange({ runs, extent, x, width, laneHeight, begin }: VisibleRangeProps) {
  const { range, preview } = usePage(p => p.view)
  const windows = usePage(p => p.evidence?.windows)
  const zoomed = isZoomed(range, extent)
  const { t0, t1 } = preview ?? range
  const [left, right] = [x(t0), x(t1)]
  return (
    <>
      {windows ? (
        runs.map((run, i) => {
          const shift = windows[run.id] ?? 0
          const [from, to] = [x(range.t0 - shift), x(range.t1 - shift)]
          return (
            <rect
              key={run.id}
              className="minimap-window"
              x={from}
              width={Math.max(2, to - from)}
              y={LANES_TOP + i * laneHeight}
              height={laneHeight - 1}
            />
          )
        })
      ) : (
        <>
          <rect className="minimap-veil" x={0} width={Math.max(0, left)} y={LANES_TOP} height={LANES_HEIGHT} />
          <rect
            className="minimap-veil"
            x={right}
            width={Math.max(0, width - right)}
            y={LANES_TOP}
            height={LANES_HEIGHT}
          />
        </>
      )}
      <rect
        className="minimap-range"
        data-movable={zoomed}
        data-windows={windows !== undefined}
        x={left}
        width={Math.max(1, right - left)}
        y={LANES_TOP - 0.5}
        height={LANES_HEIGHT + 1}
        onPointerDown={zoomed ? event => begin(event, 'move') : undefined}
      />
    </>
  )
}

/** Marks of annotations, and the time cursor. */
function Marks({ x }: { readonly x: TimeScale }) {
  const runs = usePage(p => p.runs)
  const annotations = usePage(p => p.annotations)
  const cursor = usePage(p => p.view.cursor)
  const bottom = LANES_TOP + LANES_HEIGHT
  return (
    <>
      {numbered(annotations, runs).map(({ id, at: time, owner: run }) => (
        <path key={id} className="minimap-annotation" d={`M${x(time + (run.shift ?? 0))} ${bottom}l-4 -7h8z`} />
      ))}
      {cursor !== undefined && (
        <line className="minimap-cursor" x1={x(cursor)} x2={x(cursor)} y1={LANES_TOP} y2={bottom} />
      )}
    </>
  )
}

interface TimeAxisProps {
  readonly x: TimeScale
  readonly width: number
  readonly ticks: readonly number[]
}

function TimeAxis({ x, width, ticks }: TimeAxisProps) {
  const y = LANES_TOP + LANES_HEIGHT
  const step = (ticks[1] ?? 1e9) - (ticks[0] ?? 0)
  return (
    <>
      <line className="minimap-axis" x1={0} x2={width} y1={y} y2={y} />
      {ticks.map(t => (
        <g key={t} className="minimap-tick" transform={`translate(${x(t)} ${y})`}>
          <line y2={4} />
          <text y={16}>{atTime(t, step)}</text>
        </g>
      ))}
    </>
  )
}
