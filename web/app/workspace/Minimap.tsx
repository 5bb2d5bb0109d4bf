import { scaleLinear } from 'd3'
import { useEffect, useRef, useState } from 'react'
import { LossIntervals } from '../../charts/shared/LossIntervals'
import { lostIn } from '../../charts/shared/lost'
import { type Shown, shownRuns } from '../../charts/shared/shown'
import { useAnswers } from '../../charts/shared/useAnswers'
import { useWidth } from '../../charts/shared/useWidth'
import type { Range } from '../../engine/protocol'
import { atTime, duration } from '../../lib/format'
import { ns } from '../../lib/units'
import { numbered } from '../../state/annotations'
import { extentOf, visible } from '../../state/filter'
import { panRange, width as rangeWidth, zoomRange } from '../../state/range'
import { useActions, usePage } from '../context'
import { LaneLetters } from './LaneLetters'
import { depthLane, outline, type RunLane, rateLane, wash } from './lanes'

const LANES_H = 40
const MAX_LANES = 4
const WASH_BINS = 48
/** Delay after the last change of size. */
const REST_MS = 120

type TimelineDrag = { readonly what: 'new' | 'move' | 'left' | 'right'; readonly from: number; readonly range: Range }

/** Whether its lane shows queue depth; others show throughput. */
const deep = (run: Shown | undefined): boolean => run?.device.role === 'disk' && run.device.absent?.depth === undefined

/**
 * The timeline: all runs in small, with the visible range marked. Drag to select; drag the range or its ends to move
 * them.
 */
export function Minimap() {
  const actions = useActions()
  const all = usePage(p => p.runs)
  const view = usePage(p => p.view)
  const evidence = usePage(p => p.evidence)
  const runs = shownRuns(all, view).slice(0, MAX_LANES)
  const extent = extentOf(all)
  const annotations = usePage(p => p.annotations)
  const noted = numbered(annotations, all)
  const box = useRef<HTMLElement>(null)
  const area = useRef<SVGSVGElement>(null)
  const width = useWidth(box)
  const [grip, setGrip] = useState<TimelineDrag>()

  const n = Math.max(50, Math.min(600, Math.round(width / 2)))
  const depth = useAnswers(
    'depth',
    runs,
    r => (deep(r) ? { device: r.device.index, range: extent, n } : undefined),
    'minimap',
    REST_MS,
  )
  const rates = useAnswers(
    'rate',
    runs,
    r => (deep(r) ? undefined : { filter: { device: r.device.index }, range: extent, n: Math.min(n, 120) }),
    'minimap-rate',
    REST_MS,
  )
  const lanes = runs.map((_, i): RunLane | undefined => {
    const [series, rate] = [depth[i]?.answer, rates[i]?.answer]
    return series ? depthLane(series) : rate && rateLane(rate)
  })
  // Depths have one scale, bytes another.
  const most = (disk: boolean) =>
    Math.max(
      0,
      ...lanes.map((l, i) => (deep(runs[i]) === disk ? (l?.load.reduce((a, b) => Math.max(a, b), 0) ?? 0) : 0)),
    )
  const laneH = LANES_H / Math.max(1, runs.length)
  const x = scaleLinear().domain([extent.t0, extent.t1]).range([0, width])
  const shown = view.preview ?? view.range
  const timeAt = (clientX: number) => {
    const left = area.current?.getBoundingClientRect().left ?? 0
    return Math.max(extent.t0, Math.min(extent.t1, x.invert(clientX - left)))
  }

  const latest = useRef({ view, extent, timeAt })
  latest.current = { view, extent, timeAt }
  useEffect(() => {
    const element = area.current
    const onWheel = (event: WheelEvent) => {
      const { view: v, extent: whole, timeAt: at } = latest.current
      const sideways = event.shiftKey ? event.deltaY : event.deltaX
      if (event.ctrlKey || event.metaKey)
        actions.look(zoomRange(v.range, Math.exp(event.deltaY * 0.002), at(event.clientX), whole))
      else if (sideways !== 0) actions.look(panRange(v.range, sideways / 600, whole))
      else return
      event.preventDefault()
    }
    element?.addEventListener('wheel', onWheel, { passive: false })
    return () => element?.removeEventListener('wheel', onWheel)
  }, [actions])

  const dragged = (g: TimelineDrag, to: number): Range => {
    const by = to - g.from
    switch (g.what) {
      case 'new':
        return { t0: ns(Math.min(g.from, to)), t1: ns(Math.max(g.from, to)) }
      case 'move':
        return panRange(g.range, by / rangeWidth(g.range), extent)
      case 'left':
        return { t0: ns(Math.min(to, g.range.t1)), t1: ns(Math.max(to, g.range.t1)) }
      case 'right':
        return { t0: ns(Math.min(to, g.range.t0)), t1: ns(Math.max(to, g.range.t0)) }
    }
  }
  const begin = (event: React.PointerEvent<SVGElement>, what: TimelineDrag['what']) => {
    if (event.button !== 0) return
    event.stopPropagation()
    area.current?.setPointerCapture(event.pointerId)
    setGrip({ what, from: timeAt(event.clientX), range: view.range })
  }
  const onPointerMove = (event: React.PointerEvent) => {
    if (grip) actions.preview(dragged(grip, timeAt(event.clientX)))
  }
  const onPointerUp = (event: React.PointerEvent) => {
    if (!grip) return
    setGrip(undefined)
    const range = dragged(grip, timeAt(event.clientX))
    const tooShort = rangeWidth(range) < rangeWidth(extent) * 0.002
    if (tooShort || (range.t0 === grip.range.t0 && range.t1 === grip.range.t1)) actions.preview(undefined)
    else actions.commit(range)
  }
  const onHandleKey = (event: React.KeyboardEvent, end: 't0' | 't1') => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (by === 0) return
    event.preventDefault()
    const step = rangeWidth(extent) * (event.shiftKey ? 0.05 : 0.01)
    const moved = { ...view.range, [end]: ns(Math.max(extent.t0, Math.min(extent.t1, view.range[end] + by * step))) }
    if (moved.t1 > moved.t0) actions.look(moved)
  }

  const ticks = x.ticks(Math.max(2, Math.min(10, Math.floor(width / 90))))
  const step = (ticks[1] ?? 1e9) - (ticks[0] ?? 0)
  const [x0, x1] = [x(shown.t0), x(shown.t1)]
  const zoomed = rangeWidth(view.range) < rangeWidth(extent) * 0.999
  return (
    <section className="minimap" ref={box} aria-label="Timeline">
      <LaneLetters runs={runs.map(r => r.run)} extent={extent} width={width} laneH={laneH} />
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot stand inside a picture */}
      <svg
        ref={area}
        className="minimap-area"
        width={width}
        height={64}
        role="group"
        aria-label="Time, all runs"
        data-grip={grip?.what}
        onPointerDown={event => begin(event, 'new')}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onPointerCancel={() => {
          setGrip(undefined)
          actions.preview(undefined)
        }}
        onDoubleClick={actions.whole}
      >
        <rect className="minimap-ground" width={width} height={64} />
        {ticks.map(t => (
          <line key={t} className="minimap-grid" x1={x(t)} x2={x(t)} y1={2} y2={2 + LANES_H} />
        ))}
        {lanes.map((lane, i) => (
          <g key={runs[i]?.id ?? i} transform={`translate(0 ${2 + i * laneH})`}>
            {lane?.starved &&
              wash(lane.starved, WASH_BINS).map(w => (
                <rect
                  key={w.at}
                  className="minimap-starved"
                  x={w.at * width}
                  width={width / WASH_BINS + 0.5}
                  height={laneH - 1}
                  style={{ '--share': w.share } as React.CSSProperties}
                />
              ))}
            {lane && (
              <path
                className="minimap-load"
                d={outline(lane.load, width, laneH - 3, most(deep(runs[i])))}
                transform="translate(0 2)"
              />
            )}
            {runs[i] && <LossIntervals lost={lostIn(runs[i])} range={extent} width={width} height={laneH - 1} />}
            <line className="minimap-base" x1={0} x2={width} y1={laneH - 0.5} y2={laneH - 0.5} />
          </g>
        ))}
        {evidence?.windows ? (
          runs.map((run, i) => {
            const moved = evidence.windows?.[run.id] ?? 0
            const [from, to] = [x(view.range.t0 - moved), x(view.range.t1 - moved)]
            return (
              <rect
                key={run.id}
                className="minimap-window"
                x={from}
                width={Math.max(2, to - from)}
                y={2 + i * laneH}
                height={laneH - 1}
              />
            )
          })
        ) : (
          <>
            <rect className="minimap-veil" x={0} width={Math.max(0, x0)} y={2} height={LANES_H} />
            <rect className="minimap-veil" x={x1} width={Math.max(0, width - x1)} y={2} height={LANES_H} />
          </>
        )}
        <rect
          className="minimap-range"
          data-movable={zoomed}
          data-windows={evidence?.windows !== undefined}
          x={x0}
          width={Math.max(1, x1 - x0)}
          y={1.5}
          height={LANES_H + 1}
          onPointerDown={zoomed ? event => begin(event, 'move') : undefined}
        />
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
            x={(end === 't0' ? x0 : x1) - 3.5}
            y={14}
            width={7}
            height={16}
            rx={1.5}
            onPointerDown={event => begin(event, end === 't0' ? 'left' : 'right')}
            onKeyDown={event => onHandleKey(event, end)}
          />
        ))}
        {noted.map(({ id, at, of }) => (
          <path key={id} className="minimap-annotation" d={`M${x(at + (of.shift ?? 0))} ${2 + LANES_H}l-4 -7h8z`} />
        ))}
        {view.cursor !== undefined && (
          <line className="minimap-cursor" x1={x(view.cursor)} x2={x(view.cursor)} y1={2} y2={2 + LANES_H} />
        )}
        <line className="minimap-axis" x1={0} x2={width} y1={2 + LANES_H} y2={2 + LANES_H} />
        {ticks.map(t => (
          <g key={t} className="minimap-tick" transform={`translate(${x(t)} ${2 + LANES_H})`}>
            <line y2={4} />
            <text y={16}>{atTime(t, step)}</text>
          </g>
        ))}
      </svg>
      <span className="minimap-unit" aria-hidden="true">
        s
      </span>
    </section>
  )
}

const BY = { start: 'by first event', io: 'by first I/O', clock: 'by wall clock', hand: 'manual offset' } as const

/** The visible range in words, next to the timeline. */
export function TimeWords() {
  const actions = useActions()
  const runs = usePage(p => p.runs)
  const range = usePage(p => p.view.range)
  const preview = usePage(p => p.view.preview)
  const steps = usePage(p => p.trail.at)
  const align = usePage(p => p.view.align)
  const lanes = visible(runs)
  const several = runs.filter(r => !r.hidden).length > 1
  const extent = extentOf(runs)
  const zoomed = rangeWidth(range) < rangeWidth(extent) * 0.999
  const digits = rangeWidth(range) / 100
  const own = usePage(p => p.evidence?.windows !== undefined)
  return (
    <section className="time-words" aria-label="Visible range">
      <h2>
        Time
        {several && (
          <button
            type="button"
            className="link"
            title="Align runs in time"
            onClick={() => actions.show({ kind: 'align' })}
          >
            {BY[align ?? 'start']}
          </button>
        )}
      </h2>
      <p>
        {own
          ? `${duration(rangeWidth(range))} of each run`
          : zoomed
            ? `${atTime(range.t0, digits)} to ${atTime(range.t1, digits)} s`
            : extent.t0 > 0
              ? `all that was read, ${duration(extent.t0)} to ${duration(extent.t1)}`
              : `full run, 0 to ${duration(extent.t1)}`}
      </p>
      {preview ? (
        <button type="button" className="link" onClick={() => actions.commit()}>
          Zoom to {duration(rangeWidth(preview))} <kbd>Enter</kbd>
        </button>
      ) : zoomed || steps > 0 ? (
        <p>
          <button type="button" className="link" onClick={actions.back}>
            Back
          </button>{' '}
          <button type="button" className="link" onClick={actions.whole}>
            Full run
          </button>
        </p>
      ) : (
        <p>
          {lanes.length > MAX_LANES ? (
            `${lanes[0]?.letter} to ${lanes[MAX_LANES - 1]?.letter} of ${lanes.length} are drawn`
          ) : (
            <>
              drag to select <kbd>W</kbd> <kbd>S</kbd> zoom
            </>
          )}
        </p>
      )}
    </section>
  )
}
