/** Results of benchmarks as one picture: what the page draws beside their matrices. */

import { type Palette, runDash } from '../../../web/charts/shared/paint/palette'
import { dashed, type Surface } from '../../../web/charts/shared/paint/surface'
import { drawBars } from '../../../web/compare/pictures/drawBars'
import { drawHistogram } from '../../../web/compare/pictures/drawHistogram'
import { drawLines } from '../../../web/compare/pictures/drawLines'
import { FONT_SIZE, type Mark, type MeasureText, type PictureDrawing } from '../../../web/compare/pictures/marks'
import { captionOf, titleOf } from '../../../web/compare/pictures/pictureWords'
import { histogramsOf, picturesOf, type ResultPicture } from '../../../web/compare/pictures/shape'
import { VERDICT_WORDS } from '../../../web/compare/verdicts'
import type { ResultMatrix, ResultsDocument } from '../../../web/engine/protocol'
import { loadFonts } from '../raster/fonts'
import type { PictureChoice } from './picture'
import { brokenUp, fitted, MARGIN } from './pictureFrame'
import { createSheet, pngOf, type Sheet, svgOf } from './sheet'
import { paletteOf } from './tokens'

/** Tables, and metrics of each, that are drawn. */
const MAX_TABLES = 8
const MAX_METRICS = 4
/** Without the margin, px. */
const WIDTH = 960
const LINE = 16
const GAP = 20

export interface TablePictures {
  readonly title: string
  readonly pictures: readonly ResultPicture[]
}

/** What the shape of a table asks for: one picture of all its metrics, or one per metric, and histograms. */
function picturesOfTable(table: ResultMatrix): TablePictures {
  const usual = table.figures.slice(0, MAX_METRICS).flatMap(figure => picturesOf(table, figure)[0] ?? [])
  const [first] = usual
  const metrics = first?.kind === 'bars' && first.isByMetric ? [first] : usual
  return { title: table.title, pictures: [...metrics, ...histogramsOf(table)] }
}

/** The tables that have pictures, and how many are left out. */
export function drawnTables({ tables }: ResultsDocument): {
  readonly tables: readonly TablePictures[]
  readonly more: number
} {
  const all = tables.map(picturesOfTable).filter(({ pictures }) => pictures.length > 0)
  return { tables: all.slice(0, MAX_TABLES), more: Math.max(0, all.length - MAX_TABLES) }
}

function drawing(picture: ResultPicture, measure: MeasureText): PictureDrawing {
  switch (picture.kind) {
    case 'bars':
      return drawBars(picture, WIDTH, measure, ({ text, verdict }) => `${text} ${VERDICT_WORDS[verdict]}`)
    case 'lines':
      return drawLines(picture, WIDTH, measure)
    case 'histogram':
      return drawHistogram(picture, 'histogram', WIDTH, measure)
  }
}

function paint(surface: Surface, mark: Exclude<Mark, { readonly kind: 'text' }>, palette: Palette): void {
  const colour = palette(mark.token)
  if (mark.kind === 'box') {
    surface.fillStyle = colour
    surface.fillRect(mark.x, mark.y, mark.w, mark.h)
    return
  }
  const trace = (points: readonly (readonly [number, number])[]) => {
    for (const [i, [x, y]] of points.entries()) {
      if (i === 0) surface.moveTo(x, y)
      else surface.lineTo(x, y)
    }
  }
  surface.beginPath()
  if (mark.kind === 'area') {
    trace(mark.points)
    surface.closePath()
    surface.fillStyle = colour
    surface.globalAlpha = mark.opacity
    surface.fill()
    surface.globalAlpha = 1
    return
  }
  const dash = mark.isDotted ? [2, 2] : mark.dashOf === undefined ? [] : runDash(palette, mark.dashOf)
  surface.strokeStyle = colour
  surface.lineWidth = mark.width
  dashed(surface, dash, () => {
    for (const path of mark.paths) trace(path)
    surface.stroke()
  })
}

/** Returns where the picture ends. */
function place(sheet: Sheet, palette: Palette, picture: ResultPicture, top: number): number {
  const measure: MeasureText = (text, isBold = false) => sheet.widthOf(text, FONT_SIZE, isBold ? 600 : 400)
  const title = { size: 13, weight: 600, colour: palette('ink') } as const
  sheet.text(MARGIN, top + 13, fitted(sheet, titleOf(picture), 13, WIDTH), title)
  let y = top + 20
  for (const line of brokenUp(sheet, captionOf(picture), FONT_SIZE, WIDTH)) {
    sheet.text(MARGIN, y + 11, line, { size: FONT_SIZE, colour: palette('ink-3') })
    y += LINE
  }
  y += 6
  const { marks, height } = drawing(picture, measure)
  sheet.paint(MARGIN, y, WIDTH, height, surface => {
    for (const mark of marks) if (mark.kind !== 'text') paint(surface, mark, palette)
  })
  for (const mark of marks) {
    if (mark.kind !== 'text') continue
    sheet.text(MARGIN + mark.x, y + mark.y, mark.text, {
      size: FONT_SIZE,
      colour: palette(mark.token),
      weight: mark.isBold ? 600 : 400,
      ...(mark.anchor && { anchor: mark.anchor }),
    })
  }
  return y + height + GAP
}

/** Absent where no table has anything to draw. */
export function resultsPicture(document: ResultsDocument, { format, dark }: PictureChoice): Uint8Array | undefined {
  const { tables, more } = drawnTables(document)
  if (tables.length === 0) return undefined
  const fonts = loadFonts()
  const sheet = createSheet(fonts)
  const palette = paletteOf(dark)
  let y = MARGIN
  for (const { title, pictures } of tables) {
    if (tables.length > 1) {
      sheet.text(MARGIN, y + 13, fitted(sheet, title, 13, WIDTH), { size: 13, colour: palette('ink-2') })
      y += 26
    }
    for (const picture of pictures) y = place(sheet, palette, picture, y)
  }
  if (more > 0) {
    sheet.text(MARGIN, y + 11, `Not drawn: ${more} more tables.`, { size: FONT_SIZE, colour: palette('ink-3') })
    y += LINE
  }
  const size = { width: WIDTH + 2 * MARGIN, height: Math.ceil(y), ground: palette('surface') }
  return format === 'svg' ? Buffer.from(svgOf(sheet, size, fonts, palette('font-ui'))) : pngOf(sheet, size, fonts)
}
