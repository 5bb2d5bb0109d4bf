/** Half of the picture's window as an image: requests are painted once, and the image moves. */
import type { Grid, Marks, Query } from '../../engine/protocol'
import { drawDepth, drawWash } from '../queue-depth/draw'
import { depthColours } from '../queue-depth/scene'
import { inPixels } from '../seek-map/axis/bands'
import { drawGrid, gridPixels } from '../seek-map/cells'
import { drawMarks } from '../seek-map/draw'
import { classTokens } from '../seek-map/layers'
import { endlessScene, type MapLook } from '../seek-map/scene'
import type { Shown } from '../shared/answers/shown'
import { DENSITY_TOKENS, rgbOf } from '../shared/paint/palette'
import { NO_IMAGE } from '../shared/paint/surface'
import { amountScale } from '../shared/paint/ticks'
import type { TileAnswer } from './source'

/** Side of a grid cell, px. */
export const CELL = 2
/** The strongest colour means so many requests per cell or more, in all tiles and runs and at all times. */
const DENSEST = 16

/** What tiles and the picture have in common. */
export interface MapStyle extends MapLook {
  /** Device px per CSS px. */
  readonly ratio: number
}

/** A 2D context of a new sheet, in CSS px. */
function sheetOf(width: number, height: number, ratio: number): OffscreenCanvasRenderingContext2D {
  const sheet = new OffscreenCanvas(Math.max(1, Math.round(width * ratio)), Math.max(1, Math.round(height * ratio)))
  const context = sheet.getContext('2d')
  if (!context) throw new Error(NO_IMAGE)
  context.setTransform(ratio, 0, 0, ratio, 0, 0)
  return context
}

/** The map and the queue of half a window. */
export interface TilePicture {
  readonly map: OffscreenCanvas
  readonly queue?: OffscreenCanvas
}

export interface TileSize {
  readonly width: number
  readonly height: number
  readonly queueHeight: number
}

/** `most`: the depth at the top of the queue. */
export function paintTile(
  { map, ask, queue }: TileAnswer,
  style: MapStyle,
  run: Shown,
  size: TileSize,
  most: number,
): TilePicture {
  const { width, height, queueHeight } = size
  const painted = paintMap(map, ask, style, run, width, height)
  if (!queue) return { map: painted }
  const context = sheetOf(width, queueHeight, style.ratio)
  const y = amountScale(most, queueHeight, 2)
  const scene = {
    range: ask.range,
    width,
    height: queueHeight,
    begin: run.begin,
    end: run.end,
    y,
    colours: depthColours(style.palette),
  }
  drawWash(context, { ...queue, series: queue.series.starved }, scene)
  drawDepth(context, queue, scene)
  return { map: painted, queue: context.canvas }
}

function paintMap(
  answer: Marks | Grid,
  ask: Query<'seekMap'>,
  style: MapStyle,
  run: Shown,
  width: number,
  height: number,
): OffscreenCanvas {
  const context = sheetOf(width, height, style.ratio)
  const scene = endlessScene(style, run, ask.range, width, height)
  if (answer.kind === 'marks') {
    drawMarks(context, answer, scene)
    return context.canvas
  }
  const colours = {
    max: DENSEST,
    steps: DENSITY_TOKENS.map(token => rgbOf(style.palette(token))),
    classes: style.layer === 'density' ? undefined : classTokens(style.layer).map(token => rgbOf(style.palette(token))),
  }
  const { w, h, data } = gridPixels(answer, CELL, colours)
  const cells = new OffscreenCanvas(w, h)
  cells.getContext('2d')?.putImageData(new ImageData(data, w, h), 0, 0)
  drawGrid(context, { image: cells, w, range: ask.range, bands: inPixels(ask.bands, CELL) }, scene)
  return context.canvas
}
