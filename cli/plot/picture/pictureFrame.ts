/** Where the charts of a picture are: widths, columns of runs, colours. */

import { MAX_COLUMNS, type Shown } from '../../../web/charts/shared/answers/shown'
import { type ChartSizes, type Palette, readSizes, runToken } from '../../../web/charts/shared/paint/palette'
import type { PlotFrame } from '../frame'
import type { Sheet } from './sheet'

/** Free margin around the picture, px. */
export const MARGIN = 16
/** Between the axes, px: two columns are as wide as on a screen of 1440. */
const WIDTH = 1216
const PANEL = 720

export interface PictureFrame extends PlotFrame {
  readonly sheet: Sheet
  readonly palette: Palette
  readonly sizes: ChartSizes
  /** Without the margin. */
  readonly width: number
  /** Runs side by side. */
  readonly columns: number
  readonly plotWidth: number
  readonly axisWidth: number
  readonly panelWidth: number
}

export function pictureFrame(frame: PlotFrame, sheet: Sheet, palette: Palette, panelsOnly: boolean): PictureFrame {
  const sizes = readSizes(palette)
  const { shown } = frame
  const columns = Math.max(1, Math.ceil(shown.length / Math.ceil(shown.length / MAX_COLUMNS)))
  const width = panelsOnly ? PANEL : WIDTH
  const plotWidth = Math.floor((width - 2 * sizes.axis - sizes.gap * (columns - 1)) / columns)
  return {
    ...frame,
    sheet,
    palette,
    sizes,
    width,
    columns,
    plotWidth,
    axisWidth: sizes.axis,
    panelWidth: Math.min(width, PANEL),
  }
}

/** Left edge of a column's plot. */
export const columnX = ({ axisWidth, plotWidth, sizes }: PictureFrame, column: number): number =>
  MARGIN + axisWidth + column * (plotWidth + sizes.gap)

export const BADGE = 16

/** The letter of a run in its colour. */
export function drawBadge({ sheet, palette }: PictureFrame, run: Shown, x: number, y: number): void {
  sheet.box(x, y, BADGE, BADGE, palette(runToken(run.letter)))
  sheet.text(x + BADGE / 2, y + 12, run.letter, { size: 11, weight: 600, anchor: 'middle', colour: palette('surface') })
}

/** As much of a text as there is room for. */
export function fitted(sheet: Sheet, text: string, size: number, room: number): string {
  if (sheet.widthOf(text, size) <= room) return text
  let shortened = text
  while (shortened.length > 1 && sheet.widthOf(`${shortened}\u2026`, size) > room) shortened = shortened.slice(0, -1)
  return `${shortened.trimEnd()}\u2026`
}

/** A sentence in lines of at most `room` px. */
export function brokenUp(sheet: Sheet, text: string, size: number, room: number): readonly string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && sheet.widthOf(`${last} ${word}`, size) <= room)
      lines[lines.length - 1] = `${last} ${word}`
    else lines.push(fitted(sheet, word, size, room))
  }
  return lines
}
