/** Legends in pictures: swatches as on the page. */
import { LOG_SCALE, PER_CELL } from '../../../web/charts/shared/answers/words'
import { entryWords, type LegendEntry } from '../../../web/charts/shared/paint/legendEntry'
import { DENSITY_TOKENS } from '../../../web/charts/shared/paint/palette'
import { dashed, type Surface } from '../../../web/charts/shared/paint/surface'
import type { LegendPart } from '../../../web/charts/shared/spec'
import { fitted, type PictureFrame } from './pictureFrame'

const SIZE = 11
export const LEGEND_GAP = 12
const STEP = 14
/** Process names of text traces may have any length, px. */
const LONGEST = 240

const swatchWidth = (shape: LegendEntry['shape']): number =>
  shape === 'line' || shape === 'thin' || shape === 'dash' ? 14 : 10

function drawSwatch(
  { sheet, palette }: PictureFrame,
  { token, shape = 'square' }: LegendEntry,
  x: number,
  y: number,
): void {
  const colour = palette(token)
  const lines = (draw: (surface: Surface) => void) => sheet.paint(x, y - 9, 14, 10, draw)
  const level = (width: number, dash: readonly number[]) =>
    lines(surface => {
      surface.strokeStyle = colour
      surface.lineWidth = width
      dashed(surface, dash, () => {
        surface.beginPath()
        surface.moveTo(0, 5)
        surface.lineTo(14, 5)
        surface.stroke()
      })
    })
  if (shape === 'square') sheet.box(x, y - 9, 10, 10, colour)
  else if (shape === 'outlined') {
    sheet.box(x, y - 9, 10, 10, palette('axis'))
    sheet.box(x + 1, y - 8, 8, 8, colour)
  } else if (shape === 'hatch') sheet.hatched(x, y - 9, 10, 10, colour, palette('surface'))
  else if (shape === 'bar') sheet.box(x + 4, y - 9, 2, 10, colour)
  else if (shape === 'triangle' || shape === 'hollow-triangle') {
    const inset = shape === 'triangle' ? 0 : 0.75
    lines(surface => {
      surface.fillStyle = colour
      surface.strokeStyle = colour
      surface.lineWidth = 1.5
      surface.beginPath()
      surface.moveTo(5, 2 * inset)
      surface.lineTo(10 - inset, 10 - inset)
      surface.lineTo(inset, 10 - inset)
      surface.closePath()
      if (shape === 'triangle') surface.fill()
      else surface.stroke()
    })
  } else if (shape === 'hollow') {
    lines(surface => {
      surface.strokeStyle = colour
      surface.lineWidth = 1.5
      surface.strokeRect(0.75, 0.75, 8.5, 8.5)
    })
  } else level(shape === 'line' ? 2 : shape === 'thin' ? 1 : 1.5, shape === 'dash' ? [4, 3] : [])
}

/** Draws from the left; `y` is the baseline. Returns where it ends. */
export function drawLegend(frame: PictureFrame, legend: LegendPart, x: number, y: number, paint = true): number {
  const { sheet, palette } = frame
  let left = x
  const text = (words: string) => {
    if (paint) sheet.text(left, y, words, { size: SIZE, colour: palette('ink-2') })
    left += sheet.widthOf(words, SIZE)
  }
  if ('words' in legend) {
    text(legend.words)
    left += legend.words === '' ? 0 : LEGEND_GAP
  } else if ('most' in legend) {
    if (legend.most <= 1) text(`${PER_CELL}: 1`)
    else {
      text(`${PER_CELL} 1`)
      left += 5
      for (const token of DENSITY_TOKENS) {
        if (paint) sheet.box(left, y - 9, STEP, 10, palette(token))
        left += STEP
      }
      left += 5
      text(`${legend.most}, ${LOG_SCALE}`)
    }
    left += LEGEND_GAP
  } else if ('tokens' in legend) {
    for (const token of legend.tokens) {
      if (paint) drawSwatch(frame, { label: '', token }, left, y)
      left += swatchWidth('square') + 2
    }
    left += 2
    text(legend.label)
    left += LEGEND_GAP
  } else {
    for (const entry of legend.entries) {
      if (paint) drawSwatch(frame, entry, left, y)
      left += swatchWidth(entry.shape) + 4
      text(fitted(sheet, entryWords(entry), SIZE, LONGEST))
      left += LEGEND_GAP
    }
  }
  return left
}
