/** A row of charts: one plot per run on the same axes, ticks outside, title and each run's figure in the head. */
import { Fragment, type ReactNode, useEffect, useId, useRef } from 'react'
import type { ChartName } from '../../../engine/protocol'
import type { Measured } from '../../../lib/docs'
import { ABSENT_HEIGHT, absentReasons, absentSentence } from '../answers/absent'
import { LOST_ENTRY, lostIn, lostWords } from '../answers/lost'
import { noMatchWords } from '../answers/NoMatch'
import { type ChartFrame, columnsOf, nothingMatches, type Shown } from '../answers/shown'
import { STALL_ENTRY, type StallSpan, stalledIn } from '../answers/stalled'
import type { Table } from '../answers/table'
import { NO_REQUEST } from '../answers/words'
import { Step } from '../groups/Step'
import { ChartMenu } from '../menu/ChartMenu'
import { PlotMenu } from '../menu/PlotMenu'
import type { Tick } from '../paint/ticks'
import { ChartHead, captionId, type HeadName } from './ChartHead'
import { wheelFactor } from './gestures'
import { Legend } from './Legend'

import { TimeAxis } from './TimeAxis'

export interface ChartRowProps {
  readonly frame: ChartFrame
  readonly title: string
  /** Runs whose recording lacks it show the reason instead. */
  readonly chart?: ChartName
  /** Why a run cannot have it, whatever was recorded. */
  readonly missing?: (run: Shown) => string | undefined
  /** The axis, with unit and bin. */
  readonly what: string
  readonly height: number
  readonly ticks: readonly Tick[]
  /** The run's figure, at the right end of its head; absent where the legend has them. */
  readonly figure?: (run: Shown, i: number) => ReactNode
  readonly legend?: ReactNode
  /** More of the legend, in a line below the head: it is too long for that. */
  readonly legendBelow?: ReactNode
  readonly controls?: ReactNode
  readonly words: readonly string[]
  readonly table: () => Table
  /** All drawn data for CSV, where the table is only a summary. */
  readonly data?: () => Table
  /** Section of measures.md with its definition. */
  readonly measured?: Measured
  readonly plot: (run: Shown, i: number) => ReactNode
  /** More marks on an axis: cuts. `left` says on which side of the run with index `i` it is. */
  readonly axis?: (left: boolean, i: number) => ReactNode
  /** Room for marks between the plots and the words of the axes, px. */
  readonly axisRoom?: number
  /** Zooms the value axis under ctrl+wheel. */
  readonly zoomValue?: (y: number, factor: number) => void
  /** Draws the time axis below; stacked rows always have one. */
  readonly timed?: boolean
  /** The row has a single plot, which several runs share. */
  readonly joint?: boolean
}

interface ValueAxisProps {
  readonly ticks: readonly Tick[]
  readonly height: number
  readonly width: number
  readonly left: boolean
  readonly room?: number | undefined
  readonly zoom?: ((y: number, factor: number) => void) | undefined
  readonly children?: ReactNode
}

/** Tick labels next to a plot; ctrl/cmd+wheel zooms where `zoom` is given. */
export function ValueAxis({ ticks, height, width, left, room = 0, zoom, children }: ValueAxisProps) {
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
          key={`${tick.position} ${tick.label}`}
          x={left ? width - 8 - room : 8 + room}
          y={Math.min(Math.max(tick.position, 7), height - 4)}
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

/** The title has a line of its own above all columns if plots are narrower, px. */
const NARROW = 420

/** What a row shows: without requests, or without its figures, less than its properties say. */
function rowContents(props: ChartRowProps) {
  const { frame, title, chart } = props
  const { shown } = frame
  const nothing = nothingMatches(frame, shown)
  const missing = shown.map(run => props.missing?.(run))
  const reasons = absentReasons(shown, chart).map((reason, i) => (missing[i] === undefined ? reason : undefined))
  const none = shown.length > 0 && reasons.every(reason => reason !== undefined)
  const isEmpty = (run: Shown | undefined) => run !== undefined && frame.unmatched.has(run.id)
  const wordsFor = (words: string, i: number) => {
    const [run, reason] = [shown[i], reasons[i]]
    if (run && reason) return absentSentence(title, run, reason)
    return isEmpty(run) ? noMatchWords(frame) : words
  }
  return {
    none,
    what: none ? '' : props.what,
    height: none ? ABSENT_HEIGHT : props.height,
    ticks: none ? [] : props.ticks,
    controls: none ? undefined : props.controls,
    table: nothing ? () => ({ title, columns: [], rows: [] }) : props.table,
    data: nothing ? undefined : props.data,
    words: props.words.map(wordsFor),
    figure: (run: Shown, i: number) =>
      reasons[i] !== undefined ? undefined : isEmpty(run) ? NO_REQUEST : props.figure?.(run, i),
    plot: (run: Shown, i: number) => {
      if (missing[i] !== undefined) return <p className="chart-sentence">{missing[i]}</p>
      if (reasons[i] === undefined) return props.plot(run, i)
      return (
        <p className="chart-sentence" data-absent={chart}>
          Absent: {reasons[i]}.
        </p>
      )
    },
  }
}

type RowContents = ReturnType<typeof rowContents>

/** The legend of the row; with losses or stalls in the visible range, also what marks these. */
function legendOf({ frame, legend }: ChartRowProps, none: boolean): ReactNode {
  const { range } = frame.view
  const inView = (span: Pick<StallSpan, 't0' | 't1'>) => span.t1 >= range.t0 && span.t0 <= range.t1
  const marks = [
    ...(frame.shown.some(run => lostIn(run).some(inView)) ? [LOST_ENTRY] : []),
    ...(frame.shown.some(run => stalledIn(run).some(inView)) ? [STALL_ENTRY] : []),
  ]
  const entries = none ? undefined : legend
  if (marks.length === 0) return entries
  return (
    <>
      {entries}
      <Legend entries={marks} />
    </>
  )
}

export function Row(props: ChartRowProps) {
  const { frame, title, measured, timed = false } = props
  const { shown } = frame
  const contents = rowContents(props)
  const { what, words } = contents
  const legend = legendOf(props, contents.none)
  const id = useId()
  const section = useRef<HTMLElement>(null)
  const { table, data } = contents
  const acting = {
    ...{ title, table, data, section },
    words: words.map(
      (sentence, i) => sentence + (shown.length === words.length && shown[i] ? lostWords(shown[i]) : ''),
    ),
  }
  const controls = (
    <>
      {contents.controls}
      <ChartMenu {...acting} measured={measured} />
    </>
  )
  const parts = { row: props, contents, name: { id, title, what, controls }, legend }
  return (
    <>
      <section
        ref={section}
        className="chart-row"
        data-chart={measured}
        aria-labelledby={id}
        {...(what !== '' && { 'aria-describedby': captionId(id) })}
      >
        <PlotMenu {...acting}>{frame.stacked ? <StackedRow {...parts} /> : <ColumnsRow {...parts} />}</PlotMenu>
      </section>
      {timed && !frame.stacked && !contents.none && <TimeAxis frame={frame} />}
    </>
  )
}

interface RowPartsProps {
  readonly row: ChartRowProps
  readonly contents: RowContents
  readonly name: HeadName
  readonly legend: ReactNode
}

/** The runs of a stacked page, one below the other. */
function StackedRow({
  row: { frame, axis, axisRoom, zoomValue, joint, legendBelow },
  contents,
  name,
  legend,
}: RowPartsProps) {
  const { shown, axisWidth } = frame
  const { none, ticks, height, figure, plot } = contents
  return (
    <>
      <ChartHead name={name} />
      {(legend || legendBelow) && (
        <div className="chart-legend-line">
          {legend}
          {legendBelow}
        </div>
      )}
      {shown.map((run, i) => (
        <div key={columnKey(frame, i)}>
          {!joint && (
            <div className="chart-run">
              {stepOf(frame, i) ?? <Badge letter={run.letter} />} <span className="chart-figure">{figure(run, i)}</span>
            </div>
          )}
          <div className="chart-plots" style={{ gridTemplateColumns: `${axisWidth}px 1fr` }}>
            <ValueAxis ticks={ticks} height={height} width={axisWidth} left room={axisRoom} zoom={zoomValue}>
              {axis?.(true, i)}
            </ValueAxis>
            <Fragment key={run.id}>{plot(run, i)}</Fragment>
          </div>
          {!none && (frame.ownFrames || run.moved !== 0) && <TimeAxis frame={frame} single={run} />}
        </div>
      ))}
      {!none && !frame.ownFrames && shown.every(run => run.moved === 0) && <TimeAxis frame={frame} />}
    </>
  )
}

/** The runs side by side, in lines of as many as there are columns. */
function ColumnsRow(props: RowPartsProps) {
  const { row, contents, name, legend } = props
  const { frame, legendBelow } = row
  const { shown, axisWidth, columns, plotWidth } = frame
  const above = plotWidth < NARROW && shown.length > 1
  const lines = Array.from({ length: Math.ceil(shown.length / columns) }, (_, line) =>
    shown.slice(line * columns, (line + 1) * columns),
  )
  const badge = lines.length > 1
  return (
    <>
      {above && <ChartHead name={name} legend={legend} style={{ margin: `0 ${axisWidth}px` }} />}
      {!above && <Heads line={lines[0] ?? []} first={0} badge={badge} {...props} />}
      {legendBelow && (
        <div className="chart-legend-line" style={{ margin: `0 ${axisWidth}px` }}>
          {legendBelow}
        </div>
      )}
      {lines.map((line, l) => (
        <div key={line[0]?.id}>
          {(above || l > 0) && (
            <Heads {...props} line={line} first={l * columns} badge={badge} name={undefined} legend={undefined} />
          )}
          <PlotLine {...props} contents={contents} line={line} first={l * columns} />
        </div>
      ))}
    </>
  )
}

/** The same for all runs of a group: its head stays, and keeps the focus, when another one of them is shown. */
const columnKey = ({ shown, sides }: ChartFrame, i: number): string | undefined =>
  sides?.[i]?.runs[0]?.id ?? shown[i]?.id

/** The control for the run of a group that a plot shows. */
function stepOf({ sides }: ChartFrame, i: number): ReactNode {
  const side = sides?.[i]
  return side && side.runs.length > 1 ? <Step side={side} /> : undefined
}

interface HeadsProps extends Omit<RowPartsProps, 'name'>, Pick<PlotLineProps, 'line' | 'first'> {
  /** What the chart is, in the first column. */
  readonly name: HeadName | undefined
  /** Whether letters say of which run a figure is: the page's heads of runs are above the first line only. */
  readonly badge: boolean
}

/** A head per run: the first has the name of the chart, the last its legend. */
function Heads({ row: { frame }, contents, line, first, name, legend, badge }: HeadsProps) {
  return (
    <div className="chart-plots" style={{ gridTemplateColumns: columnsOf(frame) }}>
      {line.map((run, i) => {
        const figure = contents.figure(run, first + i)
        return (
          <ChartHead
            key={columnKey(frame, first + i)}
            name={i === 0 ? name : undefined}
            step={stepOf(frame, first + i)}
            legend={i === line.length - 1 ? legend : undefined}
            figure={
              figure !== undefined &&
              (badge ? (
                <>
                  <Badge letter={run.letter} /> {figure}
                </>
              ) : (
                figure
              ))
            }
            style={{ gridColumn: 2 + 2 * i }}
          />
        )
      })}
    </div>
  )
}

interface PlotLineProps extends Pick<RowPartsProps, 'row' | 'contents'> {
  readonly line: readonly Shown[]
  /** Index of the first run of the line. */
  readonly first: number
}

/** Plots of a line of runs between two value axes. */
function PlotLine({ row: { frame, axis, axisRoom, zoomValue }, contents, line, first }: PlotLineProps) {
  const { ticks, height, plot } = contents
  const { axisWidth } = frame
  return (
    <div className="chart-plots" style={{ gridTemplateColumns: columnsOf(frame) }}>
      <ValueAxis ticks={ticks} height={height} width={axisWidth} left room={axisRoom} zoom={zoomValue}>
        {axis?.(true, first)}
      </ValueAxis>
      {line.map((run, i) => (
        <div key={run.id} style={{ gridColumn: 2 + 2 * i }}>
          {plot(run, first + i)}
        </div>
      ))}
      {(line.length > 1 || frame.columns === 1) && (
        <div style={{ gridColumn: 1 + 2 * line.length }}>
          <ValueAxis ticks={ticks} height={height} width={axisWidth} left={false} room={axisRoom} zoom={zoomValue}>
            {axis?.(false, first + line.length - 1)}
          </ValueAxis>
        </div>
      )}
    </div>
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
