/** Charts as one picture: a head with the runs, then each chart as the page draws it. */
import { duration } from '../../../web/lib/format'
import type { PlotFrame } from '../frame'
import type { PlotName } from '../names'
import { loadFonts } from '../raster/fonts'
import { BADGE, drawBadge, fitted, MARGIN, type PictureFrame, pictureFrame } from './pictureFrame'
import { seekMapRow } from './pictureMap'
import {
  alignmentPanel,
  type DrawPanel,
  flushesPanel,
  percentilesPanel,
  sizesPanel,
  stagesPanel,
} from './picturePanels'
import { drawRow, type PictureRow } from './pictureRow'
import { latencyRow, stripesRow } from './pictureTime'
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

const rowOf = (frame: PictureFrame, row: PictureRow | undefined, title: string): DrawPanel =>
  row === undefined
    ? y => {
        frame.sheet.text(MARGIN, y + 17, title, { size: 13, weight: 600, colour: frame.palette('ink') })
        frame.sheet.text(MARGIN, y + 36, 'No geometry is set: --stripe SPEC sets one.', {
          size: 12,
          colour: frame.palette('ink-2'),
        })
        return y + 56
      }
    : y => drawRow(frame, row, y)

const CHARTS: Readonly<Record<PlotName, (frame: PictureFrame) => Promise<DrawPanel>>> = {
  'seek-map': async frame => rowOf(frame, await seekMapRow(frame), ''),
  'queue-depth': async frame =>
    rowOf(frame, await specRow(frame, (await import('../../../web/charts/queue-depth/spec')).queueDepth), ''),
  throughput: async frame =>
    rowOf(frame, await specRow(frame, (await import('../../../web/charts/throughput/spec')).throughput), ''),
  iops: async frame =>
    rowOf(frame, await specRow(frame, (await import('../../../web/charts/throughput/spec')).iops), ''),
  latency: async frame => rowOf(frame, await latencyRow(frame), ''),
  stripes: async frame => rowOf(frame, await stripesRow(frame), 'Position in stripe'),
  percentiles: percentilesPanel,
  stages: stagesPanel,
  'request-sizes': sizesPanel,
  alignment: alignmentPanel,
  flushes: flushesPanel,
}

const TIMED: readonly PlotName[] = ['seek-map', 'queue-depth', 'throughput', 'iops', 'latency', 'stripes']

/** The charts on a sheet, and how high it is. */
async function drawCharts(
  frame: PlotFrame,
  names: readonly PlotName[],
  sheet: Sheet,
  dark: boolean,
): Promise<{ readonly width: number; readonly height: number }> {
  const picture = pictureFrame(frame, sheet, paletteOf(dark), !names.some(name => TIMED.includes(name)))
  let y = drawRuns(picture)
  for (const name of names) y = (await CHARTS[name](picture))(y)
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
