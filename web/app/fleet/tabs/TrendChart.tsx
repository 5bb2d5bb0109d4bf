/** The runs of each build as dots, the medians as a line, levels and change points. */
import { useRef, useState } from 'react'
import { useWidth } from '../../../charts/shared/frame/useWidth'
import { amountTicks } from '../../../charts/shared/paint/ticks'
import { type BuildPoint, extentOf, type FleetSeries } from '../../../fleet/changes/trend'
import { count, factor } from '../../../lib/format'
import { inUnit, type Written } from '../fields'

const HEIGHT = 220
const TOP = 22
const BOTTOM = 30
const LEFT_MARGIN = 64
const RIGHT_MARGIN = 16
/** Width of a character of a tick label, px. */
const CHAR = 7

interface TrendProps {
  readonly series: FleetSeries
  readonly builds: readonly string[]
  readonly written: Written
  readonly title: string
  onBuild(build: BuildPoint): void
}

/** Domain of the value axis: from 0, unless all values are far from it. */
function domainOf(series: FleetSeries): readonly [number, number] {
  const [min, max] = extentOf(series)
  if (!(min > max / 2)) return [Math.min(0, min), max > 0 ? max : 1]
  const room = Math.max((max - min) * 0.15, max * 0.01)
  return [min - room, max + room]
}

/** Positions of builds and values in the chart, px. */
interface TrendScale {
  /** Width per build, px. */
  readonly step: number
  readonly right: number
  x(build: number): number
  y(value: number): number
}

interface ValueLinesProps {
  readonly low: number
  readonly high: number
  readonly written: Written
  readonly scale: TrendScale
}

function ValueLines({ low, high, written, scale: { y, right } }: ValueLinesProps) {
  return (
    <>
      {ticksOf(low, high).map(value => (
        <g key={value}>
          <line className="fleet-gridline" x1={LEFT_MARGIN} x2={right} y1={y(value)} y2={y(value)} />
          <text className="fleet-tick" x={LEFT_MARGIN - 8} y={y(value) + 4} textAnchor="end">
            {written.text(value)}
          </text>
        </g>
      ))}
      <text className="fleet-tick" x={LEFT_MARGIN - 8} y={12} textAnchor="end">
        {written.unit}
      </text>
      <line className="fleet-axis" x1={LEFT_MARGIN} x2={right} y1={HEIGHT - BOTTOM} y2={HEIGHT - BOTTOM} />
      {low > 0 && <path className="fleet-cut" d={`M${LEFT_MARGIN - 5} ${HEIGHT - BOTTOM - 3}l10 -5m-10 9l10 -5`} />}
    </>
  )
}

interface ChangeMarksProps extends Pick<TrendProps, 'series' | 'written'> {
  readonly scale: TrendScale
}

/** Marks of changes: a step at one build, or a drift over several. */
function ChangeMarks({ series, written, scale: { x, step, right } }: ChangeMarksProps) {
  return series.found?.changes.map(({ index, range, previous, kind, ratio, before, after }) => {
    const center = (x(previous) + x(index)) / 2
    const [from, to] = kind === 'drift' ? [x(range[0]), x(range[1])] : [x(range[0]) - step, x(range[1])]
    return (
      <g key={`${kind} ${index}`} className="fleet-change">
        <rect
          x={Math.max(LEFT_MARGIN, from)}
          y={TOP}
          width={Math.max(1, Math.min(right, to) - Math.max(LEFT_MARGIN, from))}
          height={HEIGHT - TOP - BOTTOM}
        />
        {kind === 'step' && <line x1={center} x2={center} y1={TOP - 4} y2={HEIGHT - BOTTOM} />}
        <text x={kind === 'drift' ? (from + to) / 2 : center} y={TOP - 8} textAnchor="middle">
          {after > before ? '▲' : '▼'} {ratio === undefined ? inUnit(written, after) : factor(ratio)}
        </text>
      </g>
    )
  })
}

export function TrendChart({ series, builds, written, title, onBuild }: TrendProps) {
  const box = useRef<HTMLDivElement>(null)
  const width = useWidth(box)
  const [pointed, point] = useState<number>()
  const [low, high] = domainOf(series)
  const inner = Math.max(1, width - LEFT_MARGIN - RIGHT_MARGIN)
  const step = inner / Math.max(1, builds.length)
  const x = (index: number) => LEFT_MARGIN + (index + 0.5) * step
  const y = (value: number) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - (value - low) / (high - low || 1))
  const scale = { x, y, step, right: width - RIGHT_MARGIN }
  const longest = builds.reduce((max, name) => Math.max(max, name.length), 1)
  const every = Math.max(1, Math.ceil((longest * CHAR + 10) / step))
  const dots = series.builds
    .flatMap(({ values }, index) => values.map(value => `M${x(index).toFixed(1)} ${y(value).toFixed(1)}h0`))
    .join('')
  const present = series.builds.flatMap(({ median }, index) => (Number.isNaN(median) ? [] : [{ index, median }]))
  const line = present
    .map(({ index, median }, i) => `${i === 0 ? 'M' : 'L'}${x(index).toFixed(1)} ${y(median).toFixed(1)}`)
    .join('')
  const pointedBuild = pointed === undefined ? undefined : series.builds[pointed]
  const changes = series.found ? count(series.found.changes.length) : 'no'
  const heading = series.name ? `${title}, ${series.name}` : title
  const words = `${heading}: ${count(builds.length)} builds, ${changes} change points`
  const choose = (offset: number) => {
    const last = builds.length - 1
    point(Math.max(0, Math.min(last, (pointed ?? (offset > 0 ? -1 : last + 1)) + offset)))
  }
  return (
    <div className="fleet-chart" ref={box}>
      {width > 0 && (
        <svg
          width={width}
          height={HEIGHT}
          role="img"
          aria-label={words}
          tabIndex={0}
          onPointerMove={event => {
            const index = Math.floor(
              (event.clientX - event.currentTarget.getBoundingClientRect().left - LEFT_MARGIN) / step,
            )
            point(index >= 0 && index < builds.length ? index : undefined)
          }}
          onPointerLeave={() => point(undefined)}
          onClick={() => pointedBuild && pointedBuild.rows.length > 0 && onBuild(pointedBuild)}
          onKeyDown={event => {
            const offset = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
            if (offset !== undefined) choose(offset)
            else if (event.key === 'Enter' && pointedBuild && pointedBuild.rows.length > 0) onBuild(pointedBuild)
            else return
            event.preventDefault()
            event.stopPropagation()
          }}
        >
          <ValueLines low={low} high={high} written={written} scale={scale} />
          {builds.map((name, index) =>
            index % every === 0 ? (
              <text key={name} className="fleet-tick" x={x(index)} y={HEIGHT - BOTTOM + 16} textAnchor="middle">
                {name}
              </text>
            ) : undefined,
          )}
          <ChangeMarks series={series} written={written} scale={scale} />
          <path className="fleet-dots" d={dots} />
          <path className="fleet-line" d={line} />
          {series.found?.levels.map(({ from, to, value }) => (
            <line
              key={from}
              className="fleet-level"
              x1={x(from) - step / 2}
              x2={x(to) + step / 2}
              y1={y(value)}
              y2={y(value)}
            />
          ))}
          {pointed !== undefined && (
            <line className="fleet-cursor" x1={x(pointed)} x2={x(pointed)} y1={TOP} y2={HEIGHT - BOTTOM} />
          )}
        </svg>
      )}
      <p className="fleet-under caption" role="status">
        {pointedBuild
          ? buildWords(pointedBuild, written)
          : low > 0
            ? `The axis begins at ${inUnit(written, low)}.`
            : ' '}
      </p>
    </div>
  )
}

/** A build in words, for the line under the chart. */
function buildWords({ build, rows, median }: BuildPoint, written: Written): string {
  if (rows.length === 0) return `${build}: no run`
  return `${build}: median ${inUnit(written, median)} of ${count(rows.length)}; Enter or a click shows them`
}

/** Round tick values within the domain. */
function ticksOf(low: number, high: number): readonly number[] {
  if (low === 0) return amountTicks(high, 4)
  const step = amountTicks(high - low, 4)[1] ?? high - low
  const first = Math.ceil(low / step)
  return Array.from({ length: Math.max(0, Math.floor(high / step) - first + 1) }, (_, i) => (first + i) * step)
}
