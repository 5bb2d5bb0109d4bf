/** A row of a picture: one plot per run on the same axes, as on the page, with a time axis below. */
import { absentReasons } from '../../../web/charts/shared/answers/absent'
import { LOST_ENTRY, lostIn } from '../../../web/charts/shared/answers/lost'
import type { Shown } from '../../../web/charts/shared/answers/shown'
import { endNoteOf } from '../../../web/charts/shared/paint/ends'
import { dashed, hatch, type Surface } from '../../../web/charts/shared/paint/surface'
import { type Tick, timeTicks } from '../../../web/charts/shared/paint/ticks'
import { xOf } from '../../../web/charts/shared/paint/viewport'
import { type AxisStrip, type LegendPart, STRIP_WIDTH } from '../../../web/charts/shared/spec'
import type { ChartName } from '../../../web/engine/protocol'
import { BADGE, brokenUp, columnX, drawBadge, fitted, MARGIN, type PictureFrame } from './pictureFrame'
import { drawLegend, LEGEND_GAP } from './pictureLegend'

/** Draws from `y` on; returns where it ends. */
export type DrawPanel = (y: number) => number

export interface PictureRow {
  readonly title: string
  readonly chart?: ChartName
  /** The axis, with unit and bin. */
  readonly what: string
  readonly height: number
  readonly ticks: readonly Tick[]
  /** y of horizontal lines. */
  readonly lines: readonly number[]
  /** y of zero lines, which end with the run. */
  readonly zeros: readonly number[]
  readonly legend: readonly LegendPart[]
  readonly figure: (run: Shown) => string
  readonly draw: (surface: Surface, run: Shown) => void
  /** Why a run cannot have a plot, whatever was recorded. */
  readonly missing?: (run: Shown) => string | undefined
  /** Words instead of the plot. */
  readonly instead?: (run: Shown) => string | undefined
  /** Texts in the plot, whose corner is at x, y. */
  readonly annotate?: (run: Shown, x: number, y: number) => void
  /** y where the axis is cut. */
  readonly cuts?: readonly number[]
  /** Colours beside the plot of a run. */
  readonly strip?: (run: Shown) => AxisStrip
  /** Words where a run has ended. */
  readonly ends?: true
}

const HEAD = 26
const FIGURES = 22
const FOOT = 24
const BETWEEN = 14
const TICK = 11

function drawGround(surface: Surface, frame: PictureFrame, row: PictureRow, run: Shown): void {
  const { palette, plotWidth: width, view, extent } = frame
  const { height } = row
  const x = xOf(view.range, width)
  const line = (x1: number, y1: number, x2: number, y2: number) =>
    surface.fillRect(x1, y1, Math.max(1, x2 - x1), Math.max(1, y2 - y1))
  const over = Math.min(width, Math.max(0, x(run.end)))
  const before = Math.min(width, Math.max(0, x(run.begin)))
  const ends = run.end < view.range.t1 && extent.t1 - run.end > (extent.t1 - extent.t0) * 0.002
  surface.fillStyle = palette('sunken')
  if (before > 0) surface.fillRect(0, 0, before, height)
  if (ends) surface.fillRect(over, 0, width - over, height)
  surface.fillStyle = palette('grid')
  for (const tick of timeTicks(view.range, width)) line(Math.round(tick.position), 0, Math.round(tick.position), height)
  for (const y of row.lines) line(0, Math.round(y), width, Math.round(y))
  line(width - 1, 0, width - 1, height)
}

/** Loss intervals, zero lines, begin and end of the run. */
function drawNotes(surface: Surface, frame: PictureFrame, row: PictureRow, run: Shown): void {
  const { palette, plotWidth: width, view, extent } = frame
  const { height } = row
  const x = xOf(view.range, width)
  for (const { t0, t1 } of lostIn(run)) {
    if (t1 < view.range.t0 || t0 > view.range.t1) continue
    const from = Math.max(0, x(t0))
    const to = Math.min(width, Math.max(x(t1), from + 3))
    surface.fillStyle = palette('surface')
    surface.globalAlpha = 0.45
    surface.fillRect(from, 0, to - from, height)
    surface.globalAlpha = 0.5
    hatch(surface, from, 0, to - from, height, palette('bad'), 8)
    surface.globalAlpha = 1
    surface.strokeStyle = palette('bad')
    surface.lineWidth = 1
    dashed(surface, [4, 2], () => {
      for (const edge of [from + 0.5, to - 0.5]) {
        surface.beginPath()
        surface.moveTo(edge, 0)
        surface.lineTo(edge, height)
        surface.stroke()
      }
    })
  }
  const over = Math.min(width, Math.max(0, x(run.end)))
  const before = Math.min(width, Math.max(0, x(run.begin)))
  surface.fillStyle = palette('axis')
  for (const y of row.zeros) surface.fillRect(before, y - 1, over - before, 1)
  surface.strokeStyle = palette('axis')
  surface.lineWidth = 1
  const ends = run.end < view.range.t1 && extent.t1 - run.end > (extent.t1 - extent.t0) * 0.002
  const edges = [...(before > 0 ? [before] : []), ...(ends && over > 0 ? [over] : [])]
  dashed(surface, [2, 3], () => {
    for (const edge of edges) {
      surface.beginPath()
      surface.moveTo(Math.round(edge) + 0.5, 0)
      surface.lineTo(Math.round(edge) + 0.5, height)
      surface.stroke()
    }
  })
}

function drawEndNote(frame: PictureFrame, run: Shown, x: number, y: number, height: number): void {
  const { sheet, palette, plotWidth, view, shown } = frame
  const over = Math.min(plotWidth, Math.max(0, xOf(view.range, plotWidth)(run.end)))
  const note = run.end < view.range.t1 ? endNoteOf(run, shown) : undefined
  if (note === undefined || plotWidth - over <= 90) return
  brokenUp(sheet, note, TICK, plotWidth - over - 12).forEach((text, i) => {
    sheet.text(x + over + 6, y + height * 0.43 + i * 14, text, { size: TICK, colour: palette('ink-2') })
  })
}

function drawValueAxis(
  { sheet, palette, axisWidth, plotWidth, columns }: PictureFrame,
  row: PictureRow,
  left: number,
  top: number,
): void {
  const right = columns > 1
  const away = 8 + (hasStrip(row, columns) ? STRIP_WIDTH : 0)
  const x1 = left + (columns - 1) * (plotWidth + 16) + plotWidth
  for (const { position, label } of row.ticks) {
    const y = top + Math.min(Math.max(position, 7), row.height - 4) + 4
    const look = { size: TICK, colour: palette('ink-3') }
    sheet.text(left - away, y, fitted(sheet, label, TICK, axisWidth - away), { ...look, anchor: 'end' })
    if (right) sheet.text(x1 + away, y, fitted(sheet, label, TICK, axisWidth - away), look)
  }
  for (const y of row.cuts ?? []) {
    for (const x of right ? [left + 3 - away, x1 - 3 + away] : [left + 3 - away]) {
      sheet.paint(x - 6, top + y - 8, 12, 16, surface => {
        surface.strokeStyle = palette('axis')
        surface.lineWidth = 1
        for (const down of [1, 6]) {
          surface.beginPath()
          surface.moveTo(1, 8 + down)
          surface.lineTo(10, 2 + down)
          surface.stroke()
        }
      })
    }
  }
}

function drawTimeAxis({ sheet, palette, plotWidth, view }: PictureFrame, x: number, y: number, unit: boolean): void {
  for (const { position, label } of timeTicks(view.range, plotWidth)) {
    sheet.box(x + Math.round(position), y, 1, 4, palette('axis'))
    const half = sheet.widthOf(label, TICK) / 2
    if (position + half <= plotWidth + (unit ? 40 : 0))
      sheet.text(x + position, y + 15, label, { size: TICK, anchor: 'middle', colour: palette('ink-3') })
  }
}

/** Heading of a chart: title and axis left, legend right, or below where both do not fit. Returns its height. */
export function drawHead(
  frame: PictureFrame,
  head: Pick<PictureRow, 'title' | 'what' | 'legend'>,
  y: number,
  width: number,
): number {
  const { sheet, palette } = frame
  sheet.text(MARGIN, y + 17, head.title, { size: 13, weight: 600, colour: palette('ink') })
  const from = MARGIN + sheet.widthOf(head.title, 13, 600) + 12
  sheet.text(from, y + 17, fitted(sheet, head.what, TICK, width - from + MARGIN), {
    size: TICK,
    colour: palette('ink-3'),
  })
  const room = MARGIN + width - (from + sheet.widthOf(head.what, TICK) + 24)
  // Each entry is followed by a gap.
  const wide = Math.max(
    0,
    head.legend.reduce((end, legend) => drawLegend(frame, legend, end, 0, false), 0) - LEGEND_GAP,
  )
  const fits = wide <= room
  let left = fits ? MARGIN + width - wide : MARGIN
  for (const legend of head.legend) left = drawLegend(frame, legend, left, y + (fits ? 17 : 17 + 20))
  return fits || wide === 0 ? HEAD : HEAD + 20
}

/** Draws from `y` on; returns where the row ends. */
export function drawRow(frame: PictureFrame, row: PictureRow, y: number): number {
  const { shown, columns, view } = frame
  const absent = absentReasons(shown, row.chart)
  const reasons = shown.map((run, i) => {
    const missing = row.missing?.(run)
    if (missing !== undefined) return missing
    return absent[i] === undefined ? row.instead?.(run) : `Absent: ${absent[i]}.`
  })
  const none = reasons.every(reason => reason !== undefined)
  const isAbsent = shown.every((run, i) => absent[i] !== undefined && row.missing?.(run) === undefined)
  const lost = !none && shown.some(run => lostIn(run).some(l => l.t1 >= view.range.t0 && l.t0 <= view.range.t1))
  const legend: readonly LegendPart[] = lost ? [...row.legend, { entries: [LOST_ENTRY] }] : row.legend
  let top =
    y + drawHead(frame, isAbsent ? { title: row.title, what: '', legend: [] } : { ...row, legend }, y, frame.width)
  for (let from = 0; from < shown.length; from += columns) {
    const line = shown.slice(from, from + columns)
    const sentences = line.map((run, column) =>
      drawColumn(frame, row, { run, column, reason: reasons[from + column], top }),
    )
    if (none) {
      top += FIGURES + Math.max(...sentences)
      continue
    }
    drawAxes(frame, row, top + FIGURES)
    top += FIGURES + row.height + FOOT
  }
  return top + BETWEEN
}

interface RowColumn {
  readonly run: Shown
  readonly column: number
  /** Instead of the plot. */
  readonly reason: string | undefined
  readonly top: number
}

/** A run's figure and its plot; returns the height of the words instead of it. */
function drawColumn(frame: PictureFrame, row: PictureRow, { run, column, reason, top }: RowColumn): number {
  const { sheet, palette, columns, plotWidth } = frame
  const x = columnX(frame, column)
  drawBadge(frame, run, x, top)
  const below = top + FIGURES
  if (reason !== undefined) {
    const lines = brokenUp(sheet, reason, 12, plotWidth)
    for (const [i, text] of lines.entries())
      sheet.text(x, below + 14 + i * 16, text, { size: 12, colour: palette('ink-2') })
    return lines.length * 16 + 4
  }
  sheet.text(x + BADGE + 8, top + 12, fitted(sheet, row.figure(run), 12, plotWidth - BADGE - 8), {
    size: 12,
    colour: palette('ink-2'),
  })
  sheet.paint(x, below, plotWidth, row.height, surface => {
    drawGround(surface, frame, row, run)
    row.draw(surface, run)
    drawNotes(surface, frame, row, run)
  })
  row.annotate?.(run, x, below)
  drawStrip(frame, row, { run, column, x, top: below })
  if (row.ends) drawEndNote(frame, run, x, below, row.height)
  drawTimeAxis(frame, x, below + row.height, column === columns - 1)
  return 0
}

/**
 * Strips stand where a plot has an axis beside it: at the left of the first of two plots, at the right of the other.
 */
const hasStrip = ({ strip }: PictureRow, columns: number): boolean => strip !== undefined && columns <= 2

interface StripPlace {
  readonly run: Shown
  readonly column: number
  readonly x: number
  readonly top: number
}

function drawStrip(frame: PictureFrame, row: PictureRow, { run, column, x, top }: StripPlace): void {
  const { sheet, palette, columns, plotWidth } = frame
  const strip = hasStrip(row, columns) ? row.strip?.(run) : undefined
  if (strip === undefined) return
  const left = column === 0 ? x - 2 - STRIP_WIDTH : x + plotWidth + 2
  for (const part of strip.ground)
    sheet.box(left, top + part.top, STRIP_WIDTH, part.bottom - part.top, palette('sunken'))
  for (const owned of strip.rows)
    sheet.box(left, top + owned.top, STRIP_WIDTH, owned.bottom - owned.top, palette(owned.token))
}

/** Values on both sides of a line of plots, and the unit of time. */
function drawAxes(frame: PictureFrame, row: PictureRow, top: number): void {
  const { sheet, palette } = frame
  drawValueAxis(frame, row, columnX(frame, 0), top)
  sheet.text(MARGIN, top + row.height + 15, 'time, s', { size: TICK, colour: palette('ink-3') })
}

/** The dagger of a figure that is unreliable. */
export const dagger = (run: Shown, names: readonly string[]): string =>
  names.some(name => run.figures?.spoiled?.includes(name)) ? '\u2020' : ''
