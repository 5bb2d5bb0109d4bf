/** Paints the zoomed-out map: a grid of counts becomes an image, which is drawn at its range and bands. */
import type { Band, Grid, Range } from '../../engine/protocol'
import { densityTable } from '../shared/answers/density'
import type { Rgb } from '../shared/paint/palette'
import type { Surface } from '../shared/paint/surface'
import { xOf } from '../shared/paint/viewport'
import { yWithin } from './axis/bands'
import type { MapScene } from './draw'

/** Colours of counts: `max` of all runs, the five steps, and class colours when the layer has classes. */
export interface CellColours {
  readonly max: number
  readonly steps: readonly Rgb[]
  /** Stronger where more requests fall; absent: density. */
  readonly classes: readonly Rgb[] | undefined
}

/** Lone cells are at least this wide and tall, px. */
const LONE = 4

/** One RGBA word per step and class: `[step * classes + class]`. */
function wordsOf({ steps, classes }: CellColours): { readonly words: Uint32Array; readonly width: number } {
  const width = classes?.length ?? 1
  const bytes = new Uint8Array(6 * width * 4)
  for (let step = 1; step <= 5; step += 1) {
    for (let cls = 0; cls < width; cls += 1) {
      const colour = classes === undefined ? steps[step - 1] : classes[cls]
      if (colour !== undefined)
        bytes.set([...colour, classes === undefined ? 255 : 105 + step * 30], (step * width + cls) * 4)
    }
  }
  return { words: new Uint32Array(bytes.buffer), width }
}

/**
 * RGBA of a grid, row by row, at `cell` px per cell. A cell without neighbours is drawn at least 4 x 4 px, so that a
 * single request stays visible.
 */
export function gridPixels(
  grid: Grid,
  cell: number,
  colours: CellColours,
): { readonly w: number; readonly h: number; readonly data: Uint8ClampedArray<ArrayBuffer> } {
  const { w, h, counts, cls } = grid
  const [width, height] = [w * cell, h * cell]
  const pixels = new Uint32Array(width * height)
  const table = densityTable(colours.max)
  const last = table.length - 1
  const { words, width: classes } = wordsOf(colours)
  const grow = Math.max(0, Math.ceil((LONE - cell) / 2))
  const empty = (x: number, y: number) => x < 0 || y < 0 || x >= w || y >= h || counts[x * h + y] === 0
  const alone = (x: number, y: number) =>
    empty(x, y - 1) &&
    empty(x, y + 1) &&
    empty(x - 1, y) &&
    empty(x + 1, y) &&
    empty(x - 1, y - 1) &&
    empty(x - 1, y + 1) &&
    empty(x + 1, y - 1) &&
    empty(x + 1, y + 1)
  for (let x = 0; x < w; x += 1) {
    for (let y = 0, cellIndex = x * h; y < h; y += 1, cellIndex += 1) {
      const n = counts[cellIndex] as number
      if (n === 0) continue
      const step = table[n < last ? n : last] as number
      const word = words[step * classes + (classes === 1 ? 0 : (cls[cellIndex] as number))] as number
      const more = grow > 0 && alone(x, y) ? grow : 0
      const left = Math.max(0, x * cell - more)
      const right = Math.min(width, (x + 1) * cell + more)
      const bottom = Math.min(height, (y + 1) * cell + more)
      for (let row = Math.max(0, y * cell - more); row < bottom; row += 1) {
        for (let i = row * width + left, end = row * width + right; i < end; i += 1) pixels[i] = word
      }
    }
  }
  return { w: width, h: height, data: new Uint8ClampedArray(pixels.buffer) }
}

/** A painted grid and what it shows: `range` over its width, `bands` (in its px rows) over its height. */
export interface PaintedGrid {
  readonly image: CanvasImageSource
  readonly w: number
  readonly range: Range
  readonly bands: readonly Band[]
}

/** Draws a painted grid at its position in the scene: exact at rest, stretched while the view moves. */
export function drawGrid(
  surface: Surface,
  painted: PaintedGrid,
  scene: Pick<MapScene, 'range' | 'width' | 'parts'>,
): void {
  const x = xOf(scene.range, scene.width)
  const [left, right] = [x(painted.range.t0), x(painted.range.t1)]
  for (const band of painted.bands) {
    for (const part of scene.parts) {
      if (band.lba1 <= part.lba0 || band.lba0 >= part.lba1) continue
      const [top, bottom] = [yWithin(part, band.lba1), yWithin(part, band.lba0)]
      surface.save()
      surface.beginPath()
      surface.rect(0, part.top, scene.width, part.bottom - part.top)
      surface.clip()
      surface.imageSmoothingEnabled = false
      surface.drawImage(painted.image, 0, band.y0, painted.w, band.y1 - band.y0, left, top, right - left, bottom - top)
      surface.restore()
    }
  }
}
