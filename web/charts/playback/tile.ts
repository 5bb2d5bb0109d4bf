/** Half of the picture's window as an image: requests are painted once, and the image moves. */
import type { Grid, Layer, Marks, Query } from '../../engine/protocol'
import { drawDepth, drawWash } from '../queue-depth/draw'
import { type AxisPart, inPixels } from '../seek-map/bands'
import { drawGrid, gridPixels } from '../seek-map/cells'
import { drawMarks, type MapScene, type SceneColours } from '../seek-map/draw'
import { classTokens } from '../seek-map/layers'
import { alphaOf, DENSITY_TOKENS, type Palette, rgbOf } from '../shared/palette'
import type { Shown } from '../shared/shown'
import { amountScale } from '../shared/ticks'
import type { TileAnswer } from './source'

/** Side of a grid cell, px. */
export const CELL = 2
/** From so many requests per cell on the colour is the strongest: the same in all tiles, runs and at all times. */
export const DENSEST = 16

/** What tiles and the picture have in common. */
export interface MapStyle {
  readonly palette: Palette
  readonly layer: Layer
  readonly parts: readonly AxisPart[]
  /** Device px per CSS px. */
  readonly ratio: number
}

export const coloursOf = (palette: Palette): SceneColours => ({
  odd: palette('sunken'),
  unit: palette('grid'),
  boundary: palette('axis'),
  held: palette('held'),
  ink: palette('ink'),
  surface: palette('surface'),
  page: palette('page'),
  line: palette('line'),
  flush: palette('op-flush'),
})

/** The scene of a time range in a plot of this size. */
export function sceneFor(style: MapStyle, run: Shown, range: MapScene['range'], width: number, height: number): MapScene {
  return {
    range,
    width,
    height,
    end: Number.POSITIVE_INFINITY,
    parts: style.parts,
    geometry: run.filter.geometry,
    byAlignment: style.layer === 'alignment' && run.filter.geometry !== undefined,
    classes: classTokens(style.layer).map(style.palette),
    colours: coloursOf(style.palette),
  }
}

/** A 2D context of a new sheet, in CSS px. */
export function sheetOf(width: number, height: number, ratio: number): OffscreenCanvasRenderingContext2D {
  const sheet = new OffscreenCanvas(Math.max(1, Math.round(width * ratio)), Math.max(1, Math.round(height * ratio)))
  const context = sheet.getContext('2d')
  if (!context) throw new Error('The browser cannot create an image of this size')
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
export function paintTile({ map, ask, queue }: TileAnswer, style: MapStyle, run: Shown, size: TileSize, most: number): TilePicture {
  const { width, height, queueHeight } = size
  const painted = paintMap(map, ask, style, run, width, height)
  if (!queue) return { map: painted }
  const context = sheetOf(width, queueHeight, style.ratio)
  const { palette } = style
  const y = amountScale(most, queueHeight, 2)
  const colours = {
    line: palette('in-flight'),
    band: palette('in-flight-soft'),
    waiting: palette('waiting'),
    starved: palette('starved'),
    edge: palette('starved-line'),
    wash: alphaOf(palette('starved-wash')),
  }
  const scene = { range: ask.range, width, height: queueHeight, begin: run.begin, end: run.end, y, colours }
  drawWash(context, { ...queue, series: queue.series.starved }, scene)
  drawDepth(context, queue, scene)
  return { map: painted, queue: context.canvas }
}

function paintMap(answer: Marks | Grid, ask: Query<'seekMap'>, style: MapStyle, run: Shown, width: number, height: number): OffscreenCanvas {
  const context = sheetOf(width, height, style.ratio)
  const scene = sceneFor(style, run, ask.range, width, height)
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
