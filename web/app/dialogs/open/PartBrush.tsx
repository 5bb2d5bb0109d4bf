import { scaleLinear } from 'd3'
import { useRef, useState } from 'react'
import { useWidth } from '../../../charts/shared/frame/useWidth'
import type { TraceEstimate } from '../../../engine/protocol'
import { atTime, duration, shortCount } from '../../../lib/format'
import { countEvents, fitsUntil, type PartSelection, snapTime, stepOf, windowOf } from '../../../state/runs/part'

const HEIGHT = 128
const AXIS = 20
/** Margin for the handles at both ends, px. */
const SIDE = 8
/** Drags shorter than this are clicks, px. */
const CLICK = 4

interface BrushDrag {
  readonly kind: 'new' | 'move' | keyof PartSelection
  readonly start: number
  readonly x: number
  readonly selection: PartSelection
}

interface PartBrushProps {
  readonly estimate: TraceEstimate
  readonly selection: PartSelection
  readonly tooLarge: boolean
  onSelect(selection: PartSelection): void
}

/**
 * The selected part with the pointer at `pointer`, ns. A moved end stays one step away from the other; a moved part
 * keeps its length and stays within the recording.
 */
function movedPart(
  estimate: TraceEstimate,
  { kind, start, selection: { from, to } }: BrushDrag,
  pointer: number,
): PartSelection {
  const snap = (t: number) => snapTime(estimate, t)
  if (kind === 'from') return { from: snap(Math.min(pointer, to - stepOf(estimate))), to }
  if (kind === 'to') return { from, to: snap(Math.max(pointer, from + stepOf(estimate))) }
  if (kind === 'new') return { from: snap(Math.min(start, pointer)), to: snap(Math.max(start, pointer)) }
  const offset = Math.max(-from, Math.min(estimate.length - to, pointer - start))
  return { from: snap(from + offset), to: snap(to + offset) }
}

/**
 * Events per second over the recording, with the chosen part as a frame. Dragging the ground chooses a new part,
 * dragging the frame or its ends moves them.
 */
export function PartBrush({ estimate, selection, tooLarge, onSelect }: PartBrushProps) {
  const box = useRef<HTMLDivElement>(null)
  const area = useRef<SVGSVGElement>(null)
  const width = useWidth(box)
  const [drag, setDrag] = useState<BrushDrag>()
  const { length, overTime = [] } = estimate
  const x = scaleLinear()
    .domain([0, length])
    .range([SIDE, Math.max(SIDE, width - SIDE)])
  const maxRate = Math.max(1, ...overTime)
  const y = (n: number) => HEIGHT - ((HEIGHT - 18) * n) / maxRate
  const pointX = (i: number) => x((i * length) / overTime.length).toFixed(1)
  const steps = overTime.map((n, i) => `V${y(n).toFixed(1)}H${pointX(i + 1)}`).join('')
  const timeAt = (clientX: number) =>
    snapTime(estimate, x.invert(clientX - (area.current?.getBoundingClientRect().left ?? 0)))

  const begin = (event: React.PointerEvent<SVGElement>, kind: BrushDrag['kind']) => {
    if (event.button !== 0) return
    event.stopPropagation()
    area.current?.setPointerCapture(event.pointerId)
    setDrag({ kind, start: timeAt(event.clientX), x: event.clientX, selection })
  }
  const onPointerMove = (event: React.PointerEvent) => {
    if (!drag || (drag.kind === 'new' && Math.abs(event.clientX - drag.x) < CLICK)) return
    onSelect(movedPart(estimate, drag, timeAt(event.clientX)))
  }
  const onKey = (event: React.KeyboardEvent, end: keyof PartSelection) => {
    const step = Math.max(stepOf(estimate), (event.shiftKey ? 0.1 : 0.01) * length)
    const offset = { ArrowRight: step, ArrowUp: step, ArrowLeft: -step, ArrowDown: -step, Home: -length, End: length }[
      event.key
    ]
    if (offset === undefined) return
    event.preventDefault()
    event.stopPropagation()
    onSelect(movedPart(estimate, { kind: end, start: 0, x: 0, selection }, selection[end] + offset))
  }
  const ticks = x.ticks(Math.max(2, Math.min(8, Math.floor(width / 100))))
  const [x0, x1] = [x(selection.from), x(selection.to)]
  const complete = windowOf(estimate, selection) === undefined
  const fits = fitsUntil(estimate, selection.from)
  const perSecond = (maxRate * overTime.length) / (length / 1e9)
  return (
    <div className="part-brush" ref={box}>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot stand inside a picture */}
      <svg
        ref={area}
        width={width}
        height={HEIGHT + AXIS}
        role="group"
        aria-label="Events per second over the recording"
        data-too-large={tooLarge}
        onPointerDown={event => begin(event, 'new')}
        onPointerMove={onPointerMove}
        onPointerUp={() => setDrag(undefined)}
        onPointerCancel={() => setDrag(undefined)}
      >
        <rect className="part-ground" x={SIDE} width={Math.max(0, width - 2 * SIDE)} height={HEIGHT} />
        {ticks.map(t => (
          <line key={t} className="part-grid" x1={x(t)} x2={x(t)} y2={HEIGHT} />
        ))}
        {overTime.length > 0 && <path className="part-events" d={`M${pointX(0)},${HEIGHT}${steps}V${HEIGHT}Z`} />}
        <rect className="part-veil" x={SIDE} width={Math.max(0, x0 - SIDE)} height={HEIGHT} />
        <rect className="part-veil" x={x1} width={Math.max(0, width - SIDE - x1)} height={HEIGHT} />
        <rect
          className="part-range"
          x={x0}
          width={Math.max(1, x1 - x0)}
          y={0.5}
          height={HEIGHT - 1}
          data-movable={!complete}
          onPointerDown={event => begin(event, complete ? 'new' : 'move')}
        />
        {fits < length && (
          <g className="part-limit" transform={`translate(${x(fits)} 0)`}>
            <line y2={HEIGHT} />
            <text x={x(fits) > width / 2 ? -4 : 4} y={12} textAnchor={x(fits) > width / 2 ? 'end' : 'start'}>
              fits up to {duration(fits)}
            </text>
          </g>
        )}
        {(['from', 'to'] as const).map(end => (
          <Handle
            key={end}
            end={end}
            x={end === 'from' ? x0 : x1}
            estimate={estimate}
            selection={selection}
            onPointerDown={event => begin(event, end)}
            onKeyDown={event => onKey(event, end)}
          />
        ))}
        <PartAxis x={x} width={width} ticks={ticks} />
      </svg>
      <PartScale overTime={overTime} perSecond={perSecond} />
    </div>
  )
}

interface HandleProps extends Pick<PartBrushProps, 'estimate' | 'selection'> {
  readonly end: keyof PartSelection
  readonly x: number
  onPointerDown(event: React.PointerEvent<SVGElement>): void
  onKeyDown(event: React.KeyboardEvent): void
}

function Handle({ end, x, estimate, selection, onPointerDown, onKeyDown }: HandleProps) {
  return (
    <g
      className="part-handle"
      role="slider"
      tabIndex={0}
      aria-label={end === 'from' ? 'Start of the part' : 'End of the part'}
      aria-valuemin={0}
      aria-valuemax={estimate.length / 1e9}
      aria-valuenow={selection[end] / 1e9}
      aria-valuetext={`${duration(selection[end])}, about ${shortCount(countEvents(estimate, selection))} events`}
      transform={`translate(${x} 0)`}
      onPointerDown={onPointerDown}
      onKeyDown={onKeyDown}
    >
      <rect className="part-touch" x={-16} width={32} height={HEIGHT} />
      <line y2={HEIGHT} />
      <rect className="part-grip" x={-4} width={8} y={HEIGHT / 2 - 14} height={28} rx={2} />
    </g>
  )
}

interface PartAxisProps {
  /** Position of a time, px. */
  x(time: number): number
  readonly width: number
  readonly ticks: readonly number[]
}

function PartAxis({ x, width, ticks }: PartAxisProps) {
  const step = (ticks[1] ?? 1e9) - (ticks[0] ?? 0)
  return (
    <>
      <line className="part-axis" x1={SIDE} x2={width - SIDE} y1={HEIGHT} y2={HEIGHT} />
      {ticks.map(t => (
        <g key={t} className="part-tick" transform={`translate(${x(t)} ${HEIGHT})`}>
          <line y2={4} />
          <text y={16}>{atTime(t, step)}</text>
        </g>
      ))}
    </>
  )
}

interface PartScaleProps {
  readonly overTime: readonly number[]
  /** The largest rate, at the top of the scale. */
  readonly perSecond: number
}

function PartScale({ overTime, perSecond }: PartScaleProps) {
  return (
    <p className="caption part-scale">
      {overTime.length > 0 ? (
        <>Events per second over time in s, up to {shortCount(perSecond)}, estimated from samples of the files.</>
      ) : (
        <>Too little of these files can be sampled to show events over time; they are taken as evenly spread.</>
      )}
    </p>
  )
}
