/** One run's plot: grid, canvas, annotations, then cursor and preview. With focus, keys do what the pointer does. */
import { type ReactNode, useMemo } from 'react'
import { duration } from '../../../lib/format'
import { ns } from '../../../lib/units'
import { type LossSpan, lostIn, lostWords } from '../answers/lost'
import { NoMatch, noMatchWords } from '../answers/NoMatch'
import { type ChartFrame, labelledRange, nothingMatches, type Shown } from '../answers/shown'
import { stalledIn, stallWords } from '../answers/stalled'
import { StretchButton } from '../menu/OwnLength'
import type { Surface } from '../paint/surface'
import { timeTicks } from '../paint/ticks'
import { xOf } from '../paint/viewport'
import { AnnotationMarks, annotationWords, usePlacedAnnotations } from './AnnotationMarks'
import { Canvas } from './Canvas'
import { LossIntervals, StallIntervals } from './LossIntervals'
import { PlotOverlay } from './PlotOverlay'
import { type PlotPointing, usePlotPointer } from './usePlotPointer'

export type { PlotSectors } from './usePlotPointer'

export interface PlotProps extends PlotPointing {
  /** The runs that are drawn, where it is not one alone: their annotations are shown. */
  readonly joint?: readonly Shown[] | undefined
  /** What the picture shows, in words for screen readers. */
  readonly words: string
  /** y of horizontal gridlines, px. */
  readonly lines?: readonly number[]
  readonly draw: (surface: Surface) => void
  /** Must be the same function as long as the picture is the same: a new one paints again. */
  readonly readout?: ((t: number) => string | undefined) | undefined
  /** Shown after the run's end; only in the first row of charts. */
  readonly endNote?: string | undefined
  /** Whether the area after the run's end offers to stretch the run over it. */
  readonly isStretchable?: boolean
  readonly first?: boolean
  /** Shown instead of the chart. */
  readonly instead?: ReactNode
  /** Loss intervals. Absent: those of the run. */
  readonly lost?: readonly LossSpan[]
  /** SVG annotations above the picture. */
  readonly children?: ReactNode
}

/** What the pointer finds in a plot without a request: nothing. */
const WITHOUT_REQUESTS = {
  readout: undefined,
  tip: undefined,
  pick: undefined,
  request: undefined,
  next: undefined,
  children: undefined,
} as const
/** A note needs so much room beside the run, px. */
const MIN_NOTE_WIDTH = 90

export function Plot(props: PlotProps) {
  const { frame, run, name, words, height, draw, first = false } = props
  const { info, device } = run
  const isEmpty = nothingMatches(frame, props.joint ?? [run])
  const { readout, children, ...pointed } = isEmpty ? { ...props, ...WITHOUT_REQUESTS } : props
  const instead = props.instead ?? (isEmpty ? <NoMatch frame={frame} /> : undefined)
  const alone = useMemo(() => [run], [run])
  const placed = usePlacedAnnotations(frame, props.joint ?? alone)
  const lost = useMemo(() => props.lost ?? lostIn({ info, device }), [props.lost, info, device])
  const { run: ownRun, shift } = run
  const stalls = useMemo(
    () => (props.joint === undefined ? stalledIn({ run: ownRun, device, shift }) : []),
    [props.joint, ownRun, device, shift],
  )
  const { plotWidth: width, actions } = frame
  const { range } = frame.view
  const key = `${name} ${run.id}`
  const extent = runExtent(frame, run)
  const { box, outline, onKeyDown, leave } = usePlotPointer(pointed, { key, placed, lost, stalls })
  return (
    // biome-ignore lint/a11y/useSemanticElements: no HTML element for a group of picture and cursor
    <div
      ref={box}
      className="plot"
      role="group"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys move the cursor here
      tabIndex={0}
      aria-label={`${name}, ${run.letter}: arrow keys move the cursor`}
      style={{ height }}
      onKeyDown={onKeyDown}
      // The cursor stays where a menu of this place was opened.
      onBlur={({ relatedTarget }) => relatedTarget?.closest('[role=menu]') ?? leave()}
    >
      <div
        role="img"
        aria-label={
          (isEmpty
            ? noMatchWords(frame)
            : props.lost === undefined
              ? words + lostWords(run) + stallWords(stalls)
              : words) + annotationWords(placed)
        }
      >
        <PlotGrid {...props} extent={extent} />
        {instead === undefined && <Canvas width={width} height={height} draw={draw} />}
        <svg width={width} height={height} aria-hidden="true">
          <StallIntervals stalls={stalls} range={range} width={width} height={height} />
          <LossIntervals lost={lost} range={range} width={width} height={height} />
          {children}
          <AnnotationMarks
            placed={placed}
            width={width}
            height={height}
            sectorY={props.sectors?.y}
            show={actions.listAnnotation}
          />
          <RunEnds extent={extent} height={height} />
        </svg>
      </div>
      <EndNotes {...props} extent={extent} isEmpty={isEmpty} />
      {instead !== undefined && (
        <div className="plot-instead">
          <div>{instead}</div>
        </div>
      )}
      <div ref={outline} className="plot-outline" hidden />
      <PlotOverlay frame={frame} plot={key} readout={readout} first={first} />
    </div>
  )
}

/** x of the begin and the end of the run, px. */
interface RunExtent {
  readonly begin: number
  readonly end: number
  /** Whether the end is shown: it is not for a run that ends with the others. */
  readonly ends: boolean
  /** It is being read: more may come after its end. */
  readonly reading: boolean
}

function runExtent({ plotWidth, view: { range }, extent }: ChartFrame, run: Shown): RunExtent {
  const x = xOf(range, plotWidth)
  const reading = !run.info.complete
  return {
    begin: Math.min(plotWidth, Math.max(0, x(run.begin))),
    end: Math.min(plotWidth, Math.max(0, x(run.end))),
    ends: run.end < range.t1 && (reading || extent.t1 - run.end > (extent.t1 - extent.t0) * 0.002),
    reading,
  }
}

interface PlotGridProps extends Pick<PlotProps, 'frame' | 'run' | 'height' | 'lines'> {
  readonly extent: RunExtent
}

/** Gridlines, and a ground where the run was not recorded. */
function PlotGrid({ frame, run, height, lines = [], extent: { begin, end, ends } }: PlotGridProps) {
  const { plotWidth: width, view } = frame
  return (
    <svg className="plot-grid" width={width} height={height} aria-hidden="true">
      {timeTicks(labelledRange(run, view.range), width).map(tick => (
        <line key={tick.position} x1={tick.position} x2={tick.position} y1={0} y2={height} />
      ))}
      {lines.map(y => (
        <line key={y} x1={0} x2={width} y1={y} y2={y} />
      ))}
      {begin > 0 && <rect className="plot-sunken" x={0} y={0} width={begin} height={height} />}
      {ends && <rect className="plot-sunken" x={end} y={0} width={width - end} height={height} />}
      <line x1={width - 0.5} x2={width - 0.5} y1={0} y2={height} />
    </svg>
  )
}

interface RunEndsProps {
  readonly extent: RunExtent
  readonly height: number
}

function RunEnds({ extent: { begin, end, ends, reading }, height }: RunEndsProps) {
  return (
    <>
      {begin > 0 && <line className="plot-end" x1={begin} x2={begin} y1={0} y2={height} />}
      {ends && end > 0 && (
        <line className={reading ? 'plot-reading' : 'plot-end'} x1={end} x2={end} y1={0} y2={height} />
      )}
    </>
  )
}

interface EndNotesProps extends Pick<PlotProps, 'frame' | 'run' | 'endNote' | 'isStretchable' | 'first'> {
  readonly extent: RunExtent
  readonly isEmpty: boolean
}

function EndNotes(props: EndNotesProps) {
  const { frame, run, endNote, isStretchable = false, first = false, isEmpty } = props
  const { begin, end, ends } = props.extent
  const room = frame.plotWidth - end
  return (
    <>
      {first && begin > MIN_NOTE_WIDTH && (
        <div className="plot-end-note" style={{ left: 6, maxWidth: begin - 10 }}>
          {`${run.letter} starts at ${duration(ns(run.begin - run.moved))}`}
        </div>
      )}
      {ends && !isEmpty && endNote !== undefined && room > MIN_NOTE_WIDTH && (
        <div className="plot-end-note" style={{ left: end + 6, maxWidth: room - 10 }}>
          {endNote}
          {isStretchable && <StretchButton frame={frame} letter={run.letter} />}
        </div>
      )}
    </>
  )
}
