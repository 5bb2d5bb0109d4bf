/** A row of charts: one plot per run on the same axes, ticks outside, title and each run's figure in the head. */
import { type ReactNode, useEffect, useId, useRef } from 'react'
import type { ChartName } from '../../engine/protocol'
import type { Measured } from '../../lib/docs'
import { ABSENT_HEIGHT, absentReasons, absentSentence } from './absent'
import { ChartMenu } from './ChartMenu'
import { wheelFactor } from './gestures'
import { Legend } from './Legend'
import { lostIn, lostWords } from './lost'
import { noMatchWords } from './NoMatch'
import { type ChartFrame, columnsOf, nothingMatches, type Shown } from './shown'
import { TimeAxis } from './TimeAxis'
import type { Table } from './table'
import type { Tick } from './ticks'

export interface ChartRowProps {
  readonly frame: ChartFrame
  readonly title: string
  /** Runs whose recording lacks it show the reason instead. */
  readonly chart?: ChartName
  /** The axis, with unit and bin. */
  readonly what: string
  readonly height: number
  readonly ticks: readonly Tick[]
  /** The run's figure, at the right end of its head. */
  readonly figure: (run: Shown, i: number) => ReactNode
  readonly legend?: ReactNode
  /** Estimated width of the legend, px; one that does not fit next to the figure is placed below. */
  readonly legendWidth?: number
  /** Controls of this chart. */
  readonly controls?: ReactNode
  readonly words: readonly string[]
  readonly table: () => Table
  /** All drawn data for CSV, where the table is only a summary. */
  readonly data?: () => Table
  /** Section of measures.md with its definition. */
  readonly measured?: Measured
  readonly plot: (run: Shown, i: number) => ReactNode
  /** More marks on an axis: cuts. `left` says on which side. */
  readonly axis?: (left: boolean) => ReactNode
  /** Zooms the value axis under ctrl+wheel. */
  readonly zoomValue?: (y: number, factor: number) => void
  /** Draws the time axis below; stacked rows always have one. */
  readonly timed?: boolean
  /** One plot for several runs. */
  readonly joint?: boolean
}

interface ValueAxisProps {
  readonly ticks: readonly Tick[]
  readonly height: number
  readonly width: number
  readonly left: boolean
  readonly zoom?: ((y: number, factor: number) => void) | undefined
  readonly children?: ReactNode
}

/** Tick labels next to a plot; ctrl/cmd+wheel zooms where `zoom` is given. */
export function ValueAxis({ ticks, height, width, left, zoom, children }: ValueAxisProps) {
  const svg = useRef<SVGSVGElement>(null)
  useEffect(() => {
    const element = svg.current
    if (element === null || zoom === undefined) return
    const onWheel = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return
      event.preventDefault()
      zoom(event.clientY - element.getBoundingClientRect().top, wheelFactor(event.deltaY || event.deltaX))
    }
    element.addEventListener('wheel', onWheel, { passive: false })
    return () => element.removeEventListener('wheel', onWheel)
  }, [zoom])
  return (
    <svg ref={svg} className="value-axis" width={width} height={height} aria-hidden="true">
      {ticks.map(tick => (
        <text
          key={`${tick.at} ${tick.label}`}
          x={left ? width - 8 : 8}
          y={Math.min(Math.max(tick.at, 7), height - 4)}
          dy="0.32em"
          textAnchor={left ? 'end' : 'start'}
        >
          {tick.label}
        </text>
      ))}
      {children}
    </svg>
  )
}

const LOST = 'events lost'
/** Below this plot width the title has a line of its own above all columns, px. */
const NARROW = 470
/** Room for a run's figure next to the legend, px. */
const FIGURE = 170

export function Row(props: ChartRowProps) {
  const { frame, title, chart, legendWidth = 0, measured, axis, zoomValue, timed = false, joint } = props
  const { shown, stacked, axisWidth } = frame
  const nothing = nothingMatches(frame, shown)
  const table = nothing ? () => ({ title, columns: [], rows: [] }) : props.table
  const data = nothing ? undefined : props.data
  const reasons = absentReasons(shown, chart)
  const none = shown.length > 0 && reasons.every(reason => reason !== undefined)
  const what = none ? '' : props.what
  const height = none ? ABSENT_HEIGHT : props.height
  const ticks = none ? [] : props.ticks
  const controls = none ? undefined : props.controls
  const sentence = (i: number): string | undefined => {
    const [run, reason] = [shown[i], reasons[i]]
    return run && reason && absentSentence(title, run, reason)
  }
  const isEmpty = (run: Shown | undefined) => run !== undefined && frame.unmatched.has(run.id)
  const words = props.words.map((own, i) => sentence(i) ?? (isEmpty(shown[i]) ? noMatchWords(frame) : own))
  const figure = (run: Shown, i: number) =>
    reasons[i] !== undefined ? undefined : isEmpty(run) ? 'no request' : props.figure(run, i)
  const plot = (run: Shown, i: number) =>
    reasons[i] === undefined ? (
      props.plot(run, i)
    ) : (
      <p className="chart-sentence" data-absent={chart}>
        Absent: {reasons[i]}.
      </p>
    )
  const { range } = frame.view
  const lost = shown.some(run => lostIn(run).some(l => l.t1 >= range.t0 && l.t0 <= range.t1))
  const own = none ? undefined : props.legend
  const legend = lost ? (
    <>
      {own}
      <Legend entries={[{ label: LOST, token: 'bad', shape: 'hatch' }]} />
    </>
  ) : (
    own
  )
  const lines = Array.from({ length: Math.ceil(shown.length / frame.columns) }, (_, l) =>
    shown.slice(l * frame.columns, (l + 1) * frame.columns),
  )
  const id = useId()
  const section = useRef<HTMLElement>(null)
  const tight = frame.plotWidth < NARROW
  const narrow = shown.length === 1 || lost || legendWidth > frame.plotWidth - FIGURE
  const above = tight && shown.length > 1 && !stacked
  const name = (
    <>
      <h3 id={id}>{title}</h3>
      <span className="chart-what" title={what}>
        {what}
      </span>
      {controls}
      <ChartMenu
        title={title}
        words={words.map(
          (sentence, i) => sentence + (shown.length === words.length && shown[i] ? lostWords(shown[i]) : ''),
        )}
        table={table}
        data={data}
        section={section}
        measured={measured}
      />
    </>
  )
  if (stacked) {
    return (
      <section ref={section} className="chart-row" data-chart={measured} aria-labelledby={id}>
        <header className="chart-head">{name}</header>
        {legend !== undefined && <div className="chart-legend-line">{legend}</div>}
        {shown.map((run, i) => (
          <div key={run.id}>
            <div className="chart-run">
              {!joint && <Badge letter={run.letter} />} <span className="chart-figure">{figure(run, i)}</span>
            </div>
            <div className="chart-plots" style={{ gridTemplateColumns: `${axisWidth}px 1fr` }}>
              <ValueAxis ticks={ticks} height={height} width={axisWidth} left zoom={zoomValue}>
                {axis?.(true)}
              </ValueAxis>
              {plot(run, i)}
            </div>
            {!none && run.moved !== 0 && <TimeAxis frame={frame} of={run} />}
          </div>
        ))}
        {!none && shown.every(run => run.moved === 0) && <TimeAxis frame={frame} />}
      </section>
    )
  }
  return (
    <section ref={section} className="chart-row" data-chart={measured} aria-labelledby={id}>
      {above && (
        <header className="chart-head chart-title-line" style={{ margin: `0 ${axisWidth}px` }}>
          {name}
          {legend}
        </header>
      )}
      {lines.map((line, l) => (
        <div key={line[0]?.id}>
          <div className="chart-plots" style={{ gridTemplateColumns: columnsOf(frame) }}>
            {line.map((run, i) => (
              <header key={run.id} className="chart-head" style={{ gridColumn: 2 + 2 * i }}>
                {!above && l === 0 && i === 0 && name}
                {!above && l === 0 && i > 0 && i === line.length - 1 && !narrow && legend}
                <span className="chart-figure">
                  {lines.length > 1 && <Badge letter={run.letter} />} {figure(run, l * frame.columns + i)}
                </span>
              </header>
            ))}
          </div>
          {!above && l === 0 && narrow && legend !== undefined && (
            <div
              className="chart-legend-line"
              style={{ marginLeft: axisWidth, ...(shown.length === 1 && { maxWidth: frame.plotWidth }) }}
            >
              {legend}
            </div>
          )}
          <div className="chart-plots" style={{ gridTemplateColumns: columnsOf(frame) }}>
            <ValueAxis ticks={ticks} height={height} width={axisWidth} left zoom={zoomValue}>
              {axis?.(true)}
            </ValueAxis>
            {line.map((run, i) => (
              <div key={run.id} style={{ gridColumn: 2 + 2 * i }}>
                {plot(run, l * frame.columns + i)}
              </div>
            ))}
            {line.length > 1 && (
              <div style={{ gridColumn: 1 + 2 * line.length }}>
                <ValueAxis ticks={ticks} height={height} width={axisWidth} left={false} zoom={zoomValue}>
                  {axis?.(false)}
                </ValueAxis>
              </div>
            )}
          </div>
        </div>
      ))}
      {timed && !none && <TimeAxis frame={frame} />}
    </section>
  )
}

/** The letter of a run on its colour. */
export function Badge({ letter }: { readonly letter: string }) {
  return (
    <span className="badge" data-run={letter}>
      {letter}
    </span>
  )
}
