/** One run's plot: grid, canvas, annotations, then cursor and preview. With focus, keys do what the pointer does. */
import { type KeyboardEvent, type ReactNode, useMemo, useRef } from 'react'
import { duration } from '../../lib/format'
import { type Ns, ns, type Sector, sector } from '../../lib/units'
import { asPointed } from '../../state/annotations'
import type { AnnotationPlace } from '../../state/types'
import { AnnotationMarks, annotationRow, annotationWords, usePlacedAnnotations } from './AnnotationMarks'
import { Canvas } from './Canvas'
import { useGestures } from './gestures'
import { LossIntervals } from './LossIntervals'
import { type LossSpan, lostIn, lostRow, lostWords } from './lost'
import { NoMatch, noMatchWords } from './NoMatch'
import { PlotOverlay } from './PlotOverlay'
import { type ChartFrame, labelledRange, nothingMatches, type Shown } from './shown'
import type { Surface } from './surface'
import { timeTicks } from './ticks'
import type { Tip } from './tips'
import { between, timeAt, xOf } from './viewport'

/** Sectors of a value axis. */
export interface PlotSectors {
  at(y: number): Sector | undefined
  y(lba: number): number | undefined
}

export interface PlotProps {
  readonly frame: ChartFrame
  readonly run: Shown
  /** The runs that are drawn, where it is not one alone: their annotations are shown. */
  readonly joint?: readonly Shown[] | undefined
  /** Of the chart: `Seek map`. */
  readonly name: string
  /** The same facts in words, for screen readers. */
  readonly words: string
  readonly height: number
  /** y of horizontal gridlines, px. */
  readonly lines?: readonly number[]
  readonly draw: (surface: Surface) => void
  /** Keep its identity stable. */
  readonly readout?: (t: number) => string | undefined
  readonly tip?: (t: number, y: number) => Tip | undefined
  /** Without `y`: the nearest in time. */
  readonly pick?: (t: number, y?: number) => void
  /** The mark after (1) or before (-1) a time, for arrow keys. Absent: they move by a hundredth of the range. */
  readonly next?: (t: number, by: 1 | -1) => { readonly t: number; readonly y: number } | undefined
  readonly zoomValue?: (y: number, factor: number) => void
  /** Shown after the run's end; only in the first row of charts. */
  readonly endNote?: string | undefined
  readonly first?: boolean
  /** Shown instead of the chart. */
  readonly instead?: ReactNode
  /** Loss intervals. Absent: those of the run. */
  readonly lost?: readonly LossSpan[]
  /** Of the value axis, where it has sectors. */
  readonly sectors?: PlotSectors
  /** SVG annotations above the picture. */
  readonly children?: ReactNode
}

/** Of a plot without a request. */
const EMPTY: Pick<PlotProps, 'readout' | 'tip' | 'pick' | 'next' | 'children'> = {}

export function Plot(props: PlotProps) {
  const { frame, run, name, words, height, lines = [], draw, zoomValue, endNote, first = false, sectors } = props
  const { info, device } = run
  const isEmpty = nothingMatches(frame, props.joint ?? [run])
  const { readout, tip, pick, next, children } = isEmpty ? EMPTY : props
  const instead = props.instead ?? (isEmpty ? <NoMatch frame={frame} /> : undefined)
  const own = useMemo(() => [run], [run])
  const placed = usePlacedAnnotations(frame, props.joint ?? own)
  const lost = useMemo(() => props.lost ?? lostIn({ info, device }), [props.lost, info, device])
  const { plotWidth: width, live, tips, actions, extent } = frame
  const { range } = frame.view
  const box = useRef<HTMLDivElement>(null)
  const outline = useRef<HTMLDivElement>(null)
  /** y of the mark selected by keys. */
  const keyY = useRef<number>(undefined)
  /** The last click, as long as the cursor is there. */
  const clicked = useRef<{ readonly t: number; readonly y: number }>(undefined)
  const key = `${name} ${run.id}`
  const x = xOf(range, width)
  const over = Math.min(width, Math.max(0, x(run.end)))
  const before = Math.min(width, Math.max(0, x(run.begin)))
  const reading = !run.info.complete
  const ends = run.end < range.t1 && (reading || extent.t1 - run.end > (extent.t1 - extent.t0) * 0.002)

  const hover = (t: Ns, y: number, clientX: number, clientY: number) => {
    live.set({ cursor: t })
    const text = withRow(withRow(tip?.(t, y), lostRow(lost, t)), annotationRow(placed, x(t)))
    tips.show(text && { tip: text, x: clientX, y: clientY })
    if (outline.current) outlineAt(outline.current, text?.box)
  }
  const leave = () => {
    live.set({ cursor: live.pinned() })
    tips.show(undefined)
    if (outline.current) outlineAt(outline.current, undefined)
  }
  useGestures(box, {
    frame,
    origin: key,
    hover: (px, y, clientX, clientY) => {
      keyY.current = undefined
      hover(timeAt(range, width, px), y, clientX, clientY)
    },
    leave,
    pick: (px, y) => {
      const t = timeAt(range, width, px)
      clicked.current = { t, y }
      actions.point(placeAt(t, y))
      pick?.(t, y)
    },
    zoomValue,
  })

  /** In the time of the run. */
  const placeAt = (t: number, y: number | undefined): AnnotationPlace => {
    const lba = y === undefined ? undefined : sectors?.at(y)
    const at = Math.max(0, t - run.shift)
    return {
      run: run.id,
      at: asPointed(at, (range.t1 - range.t0) / width),
      ...(lba !== undefined && { lba: sector(Math.floor(lba)) }),
    }
  }

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target !== box.current) return
    const at = live.get().cursor ?? timeAt(range, width, width / 2)
    const handled = () => {
      event.preventDefault()
      event.stopPropagation()
    }
    const rect = box.current.getBoundingClientRect()
    if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') {
      handled()
      const by = event.key === 'ArrowRight' ? 1 : -1
      const mark = event.shiftKey ? undefined : next?.(at, by)
      const to =
        mark === undefined
          ? ns(Math.min(range.t1, Math.max(range.t0, at + by * ((range.t1 - range.t0) / 100))))
          : ns(mark.t)
      keyY.current = mark?.y
      const y = mark?.y ?? height / 2
      hover(to, y, rect.left + x(to), rect.top + y)
      if (event.shiftKey) {
        const old = live.get().preview
        const from = old === undefined ? at : Math.abs(old.t0 - at) < Math.abs(old.t1 - at) ? old.t1 : old.t0
        live.set({ preview: between(from, to), origin: key })
        actions.preview(live.get().preview)
      }
    } else if (event.key.toLowerCase() === 'i' && live.get().preview === undefined) {
      handled()
      const click = clicked.current
      actions.annotate(placeAt(at, click && Math.abs(click.t - at) <= 1 ? click.y : keyY.current))
    } else if (event.key === 'Enter' && live.get().preview !== undefined) {
      handled()
      actions.commit(live.get().preview)
    } else if (event.key === 'Enter' && pick) {
      handled()
      pick(at, keyY.current)
    } else if (event.key === 'Escape' && (tips.get() !== undefined || live.get().preview !== undefined)) {
      handled()
      leave()
      actions.preview(undefined)
    }
  }

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
      onBlur={leave}
    >
      <div
        role="img"
        aria-label={
          (isEmpty ? noMatchWords(frame) : props.lost === undefined ? words + lostWords(run) : words) +
          annotationWords(placed)
        }
      >
        <svg className="plot-grid" width={width} height={height} aria-hidden="true">
          {timeTicks(labelledRange(run, range), width).map(tick => (
            <line key={tick.at} x1={tick.at} x2={tick.at} y1={0} y2={height} />
          ))}
          {lines.map(y => (
            <line key={y} x1={0} x2={width} y1={y} y2={y} />
          ))}
          {before > 0 && <rect className="plot-sunken" x={0} y={0} width={before} height={height} />}
          {ends && <rect className="plot-sunken" x={over} y={0} width={width - over} height={height} />}
          <line x1={width - 0.5} x2={width - 0.5} y1={0} y2={height} />
        </svg>
        {instead === undefined && <Canvas width={width} height={height} draw={draw} />}
        <svg width={width} height={height} aria-hidden="true">
          <LossIntervals lost={lost} range={range} width={width} height={height} />
          {children}
          <AnnotationMarks
            placed={placed}
            width={width}
            height={height}
            sectorY={sectors?.y}
            show={actions.listAnnotation}
          />
          {before > 0 && <line className="plot-end" x1={before} x2={before} y1={0} y2={height} />}
          {ends && over > 0 && (
            <line className={reading ? 'plot-reading' : 'plot-end'} x1={over} x2={over} y1={0} y2={height} />
          )}
        </svg>
      </div>
      {first && before > 90 && (
        <div className="plot-end-note" style={{ left: 6, maxWidth: before - 10 }}>
          {`${run.letter} starts at ${duration(ns(run.begin - run.moved))}`}
        </div>
      )}
      {ends && !isEmpty && endNote !== undefined && width - over > 90 && (
        <div className="plot-end-note" style={{ left: over + 6, maxWidth: width - over - 10 }}>
          {endNote}
        </div>
      )}
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

/** Adds a row to the tip; shows only that row where there is no tip. */
function withRow(tip: Tip | undefined, row: readonly string[] | undefined): Tip | undefined {
  if (row === undefined) return tip
  if (tip === undefined) return { title: row[0] ?? '', rows: [row.slice(1)] }
  return { ...tip, rows: [...tip.rows, row] }
}

function outlineAt(element: HTMLElement, box: Tip['box']): void {
  element.hidden = box === undefined
  if (box === undefined) return
  element.style.transform = `translate(${box.x - 2}px, ${box.y - 2}px)`
  element.style.width = `${box.w + 4}px`
  element.style.height = `${box.h + 4}px`
}
