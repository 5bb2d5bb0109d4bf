/** Pointer and keys in a plot: the cursor, the tip, the selected range, marks and annotations. */
import { type KeyboardEvent, type RefObject, useContext, useRef } from 'react'
import { type Ns, ns, type Sector, sector } from '../../../lib/units'
import { asPointed } from '../../../state/annotations/annotations'
import type { AnnotationPlace } from '../../../state/types'
import { LegendFiltersContext } from '../answers/legendFilters'
import { type LossSpan, lostRow } from '../answers/lost'
import type { ChartFrame, Shown } from '../answers/shown'
import { type StallSpan, stallRow } from '../answers/stalled'
import { PlotMenuContext } from '../menu/PlotMenu'
import { placeItems } from '../menu/placeItems'
import { between, timeAt, xOf } from '../paint/viewport'
import { annotationRow, type PlacedAnnotation } from './AnnotationMarks'
import { useGestures } from './gestures'
import type { Tip } from './tips'

/** The value axis of a plot whose values are sectors. */
export interface PlotSectors {
  sectorAt(y: number): Sector | undefined
  y(lba: number): number | undefined
}

/** What a plot knows of the places in it. */
export interface PlotPointing {
  readonly frame: ChartFrame
  readonly run: Shown
  /** Name of the chart: `Seek map`. */
  readonly name: string
  readonly height: number
  readonly tip?: ((t: number, y: number) => Tip | undefined) | undefined
  /** The nearest in time if `y` is absent. */
  readonly pick?: ((t: number, y?: number) => void) | undefined
  /** The row of the request at a place, the nearest in time if `y` is absent: what a menu can filter to. */
  readonly request?: ((t: number, y?: number) => Promise<number | undefined>) | undefined
  /** The mark after (1) or before (-1) a time, for arrow keys. Absent: they move by a hundredth of the range. */
  readonly next?: ((t: number, direction: 1 | -1) => { readonly t: number; readonly y: number } | undefined) | undefined
  readonly zoomValue?: (y: number, factor: number) => void
  /** The value axis, where it has sectors. */
  readonly sectors?: PlotSectors
}

interface PlotMarks {
  /** Id of the plot among all plots of the page. */
  readonly key: string
  readonly placed: readonly PlacedAnnotation[]
  readonly lost: readonly LossSpan[]
  readonly stalls: readonly StallSpan[]
}

export interface PlotPointer {
  readonly box: RefObject<HTMLDivElement | null>
  /** The frame around the mark under the pointer. */
  readonly outline: RefObject<HTMLDivElement | null>
  onKeyDown(event: KeyboardEvent): void
  leave(): void
}

export function usePlotPointer(plot: PlotPointing, { key, placed, lost, stalls }: PlotMarks): PlotPointer {
  const { frame, tip, pick, zoomValue } = plot
  const { plotWidth: width, live, tips, actions } = frame
  const { range } = frame.view
  const box = useRef<HTMLDivElement>(null)
  const outline = useRef<HTMLDivElement>(null)
  /** y of the mark selected by keys. */
  const keyY = useRef<number>(undefined)
  /** The last click, as long as the cursor is there. */
  const clicked = useRef<{ readonly t: number; readonly y: number }>(undefined)

  const openMenu = useContext(PlotMenuContext)
  const filters = useContext(LegendFiltersContext)
  /** The last menu that was asked for: what is at its place is found later. */
  const asked = useRef<object>(undefined)
  const menu = async (t: Ns, y: number | undefined, clientX: number, clientY: number) => {
    const question = {}
    asked.current = question
    tips.show(undefined)
    const items = await placeItems(plot, filters, t, y)
    if (asked.current === question) openMenu({ x: clientX, y: clientY, items, origin: box.current })
  }

  const hover = (t: Ns, y: number, clientX: number, clientY: number) => {
    live.set({ cursor: t })
    const rows = [lostRow(lost, t), stallRow(stalls, t), annotationRow(placed, xOf(range, width)(t))]
    const text = rows.reduce(withRow, tip?.(t, y))
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
    menu: (px, y, clientX, clientY) => void menu(timeAt(range, width, px), y, clientX, clientY),
    pick: (px, y) => {
      const t = timeAt(range, width, px)
      clicked.current = { t, y }
      actions.point(placeAt(plot, t, y))
      pick?.(t, y)
    },
    zoomValue,
  })

  const moveCursor = (cursor: Ns, direction: 1 | -1, extend: boolean) => {
    const mark = extend ? undefined : plot.next?.(cursor, direction)
    const step = direction * ((range.t1 - range.t0) / 100)
    const to = ns(mark === undefined ? Math.min(range.t1, Math.max(range.t0, cursor + step)) : mark.t)
    const y = mark?.y ?? plot.height / 2
    const rect = box.current?.getBoundingClientRect() ?? { left: 0, top: 0 }
    keyY.current = mark?.y
    hover(to, y, rect.left + xOf(range, width)(to), rect.top + y)
    if (!extend) return
    const preview = extendRange(live.get().preview, cursor, to)
    live.set({ preview, origin: key })
    actions.preview(live.get().preview)
  }
  const annotate = (cursor: Ns) => {
    const click = clicked.current
    const isClicked = click !== undefined && Math.abs(click.t - cursor) <= 1
    actions.annotate(placeAt(plot, cursor, isClicked ? click.y : keyY.current))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target !== box.current) return
    const cursor = live.get().cursor ?? timeAt(range, width, width / 2)
    const { preview } = live.get()
    if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) {
      event.preventDefault()
      event.stopPropagation()
      const rect = box.current.getBoundingClientRect()
      const y = keyY.current
      void menu(ns(cursor), y, rect.left + xOf(range, width)(cursor), rect.top + (y ?? plot.height / 2))
      return
    }
    const command = commandOf(event.key, { selecting: preview !== undefined, picks: pick !== undefined })
    if (command === undefined || (command === 'leave' && preview === undefined && tips.get() === undefined)) return
    event.preventDefault()
    event.stopPropagation()
    if (command === 'left') moveCursor(cursor, -1, event.shiftKey)
    else if (command === 'right') moveCursor(cursor, 1, event.shiftKey)
    else if (command === 'annotate') annotate(cursor)
    else if (command === 'commit') actions.commit(preview)
    else if (command === 'pick') pick?.(cursor, keyY.current)
    else {
      leave()
      actions.preview(undefined)
    }
  }
  return { box, outline, onKeyDown, leave }
}

type PlotCommand = 'left' | 'right' | 'annotate' | 'commit' | 'pick' | 'leave'

/** What a key does: while a range is selected, Enter zooms to it and `i` is the page's. */
function commandOf(
  key: string,
  { selecting, picks }: { readonly selecting: boolean; readonly picks: boolean },
): PlotCommand | undefined {
  if (key === 'ArrowLeft') return 'left'
  if (key === 'ArrowRight') return 'right'
  if (key === 'Escape') return 'leave'
  if (key.toLowerCase() === 'i') return selecting ? undefined : 'annotate'
  if (key !== 'Enter') return undefined
  if (selecting) return 'commit'
  return picks ? 'pick' : undefined
}

/** The range from its farther end to `to`; without one, from the cursor. */
function extendRange(range: ReturnType<typeof between> | undefined, cursor: Ns, to: Ns) {
  if (range === undefined) return between(cursor, to)
  const isAtBegin = Math.abs(range.t0 - cursor) < Math.abs(range.t1 - cursor)
  return between(isAtBegin ? range.t1 : range.t0, to)
}

/** Annotations have the time of the run, not of the axis. */
function placeAt({ frame, run, sectors }: PlotPointing, t: number, y: number | undefined): AnnotationPlace {
  const { range } = frame.view
  const lba = y === undefined ? undefined : sectors?.sectorAt(y)
  return {
    run: run.id,
    at: asPointed(Math.max(0, t - run.shift), (range.t1 - range.t0) / frame.plotWidth),
    ...(lba !== undefined && { lba: sector(Math.floor(lba)) }),
  }
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
