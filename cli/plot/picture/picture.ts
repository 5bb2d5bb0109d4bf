/** Charts as one picture: a head with the runs, then each chart as the page draws it. */
import { type AnySpec, SPECS } from '../../../web/charts/specs'
import { duration } from '../../../web/lib/format'
import type { PlotFrame } from '../frame'
import { lacksGeometry, NO_GEOMETRY } from '../load'
import type { PlotName } from '../names'
import { loadFonts } from '../raster/fonts'
import { BADGE, drawBadge, fitted, MARGIN, type PictureFrame, pictureFrame } from './pictureFrame'
import { type DrawPanel, drawRow } from './pictureRow'
import { createSheet, pngOf, type Sheet, svgOf } from './sheet'
import { specRow } from './specRow'
import { paletteOf } from './tokens'

export interface PictureChoice {
  readonly format: 'svg' | 'png'
  readonly dark: boolean
}

const LINE = 22

/** Letter, label and length of each run. Returns where the head ends. */
function drawRuns(frame: PictureFrame): number {
  const { sheet, palette, shown, width } = frame
  let [x, y] = [0, MARGIN]
  for (const run of shown) {
    const words = `${run.run.label}, ${duration(run.end - run.begin)}`
    const text = fitted(sheet, words, 12, width - BADGE - 6)
    const wide = BADGE + 6 + sheet.widthOf(text, 12)
    if (x > 0 && x + wide > width) [x, y] = [0, y + LINE]
    drawBadge(frame, run, MARGIN + x, y)
    sheet.text(MARGIN + x + BADGE + 6, y + 12, text, { size: 12, colour: palette('ink') })
    x += wide + 24
  }
  return y + LINE + 8
}

async function chartOf(frame: PictureFrame, spec: AnySpec): Promise<DrawPanel> {
  if (spec.kind === 'panel') return (await import('./picturePanels')).specPanel(frame, spec)
  if (!lacksGeometry(spec, frame)) {
    const row = await specRow(frame, spec)
    return y => drawRow(frame, row, y)
  }
  const { sheet, palette } = frame
  return y => {
    sheet.text(MARGIN, y + 17, spec.title, { size: 13, weight: 600, colour: palette('ink') })
    sheet.text(MARGIN, y + 36, NO_GEOMETRY, { size: 12, colour: palette('ink-2') })
    return y + 56
  }
}

/** The charts on a sheet, and how high it is. */
async function drawCharts(
  frame: PlotFrame,
  names: readonly PlotName[],
  sheet: Sheet,
  dark: boolean,
): Promise<{ readonly width: number; readonly height: number }> {
  const specs = await Promise.all(names.map(name => SPECS[name]()))
  const picture = pictureFrame(frame, sheet, paletteOf(dark), !specs.some(({ kind }) => kind === 'row'))
  let y = drawRuns(picture)
  for (const spec of specs) y = (await chartOf(picture, spec))(y)
  return { width: picture.width + 2 * MARGIN, height: Math.ceil(y) }
}

export async function chartsPicture(
  frame: PlotFrame,
  names: readonly PlotName[],
  { format, dark }: PictureChoice,
): Promise<Uint8Array> {
  const fonts = loadFonts()
  const sheet = createSheet(fonts)
  const palette = paletteOf(dark)
  const size = { ...(await drawCharts(frame, names, sheet, dark)), ground: palette('surface') }
  return format === 'svg' ? Buffer.from(svgOf(sheet, size, fonts, palette('font-ui'))) : pngOf(sheet, size, fonts)
}
