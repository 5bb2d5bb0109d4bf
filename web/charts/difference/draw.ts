/** Paints differences around a neutral middle: cells of a map, and amounts above and below a zero line. */
import type { Range } from '../../engine/protocol'
import { densityStep } from '../shared/answers/density'
import type { Rgb } from '../shared/paint/palette'
import type { Surface } from '../shared/paint/surface'
import { xOf } from '../shared/paint/viewport'
import type { GridDifference } from './subtract'

export interface DifferenceColours {
  readonly less: Rgb
  readonly none: Rgb
  readonly more: Rgb
}

/** How much of the full colour each step has. */
const STRENGTH = [0, 0.4, 0.55, 0.7, 0.85, 1]

const mixed = (from: Rgb, to: Rgb, share: number): Rgb => {
  const channel = (i: 0 | 1 | 2) => Math.round(from[i] + (to[i] - from[i]) * share)
  return [channel(0), channel(1), channel(2)]
}

/** Colour of a step -5..5 of the difference. */
export function stepColour(step: number, { less, none, more }: DifferenceColours): Rgb {
  return mixed(none, step < 0 ? less : more, STRENGTH[Math.min(5, Math.abs(step))] ?? 1)
}

/** -5..5 on the log scale of the density map. */
export const stepOf = (difference: number, most: number): number =>
  Math.sign(difference) * densityStep(Math.abs(difference), most)

/**
 * RGBA row by row at `cell` px per cell. Cells with equal counts have the neutral colour, cells without requests are
 * transparent.
 */
export function differencePixels(
  { w, h, changes, sum, most }: GridDifference,
  cell: number,
  colours: DifferenceColours,
): Uint8ClampedArray<ArrayBuffer> {
  const width = w * cell
  const words = new Uint32Array(width * h * cell)
  const bytes = new Uint8Array(4)
  const word = new Uint32Array(bytes.buffer)
  for (let x = 0; x < w; x += 1) {
    for (let y = 0; y < h; y += 1) {
      const i = x * h + y
      if (sum[i] === 0) continue
      bytes.set([...stepColour(stepOf(changes[i] ?? 0, most), colours), 255])
      for (let row = y * cell; row < (y + 1) * cell; row += 1)
        words.fill(word[0] ?? 0, row * width + x * cell, row * width + (x + 1) * cell)
    }
  }
  return new Uint8ClampedArray(words.buffer)
}

/** y of a signed amount: zero in the middle, `most` at the top and at the bottom. */
export function signedScale(most: number, height: number): (value: number) => number {
  const half = height / 2
  return value => half - (value / Math.max(most, Number.MIN_VALUE)) * (half - 2)
}

export interface Amounts {
  /** The range that the bins divide equally. */
  readonly range: Range
  readonly values: Float64Array
}

export interface SignedScene {
  readonly range: Range
  readonly width: number
  readonly y: (value: number) => number
  readonly less: string
  readonly more: string
}

/** One bar per bin, from the zero line, at least one pixel high. */
export function drawAmounts(surface: Surface, { range, values }: Amounts, scene: SignedScene): void {
  const x = xOf(scene.range, scene.width)
  const bin = (range.t1 - range.t0) / values.length
  values.forEach((value, i) => {
    if (value === 0) return
    bar(surface, x(range.t0 + i * bin), x(range.t0 + (i + 1) * bin), value, scene)
  })
}

/** A bar from `left` to `right` px, between the zero line and the value. */
export function bar(
  surface: Surface,
  left: number,
  right: number,
  value: number,
  scene: Pick<SignedScene, 'y' | 'less' | 'more'>,
): void {
  const [zero, end] = [scene.y(0), scene.y(value)]
  const tall = Math.max(1, Math.abs(end - zero))
  surface.fillStyle = value < 0 ? scene.less : scene.more
  surface.fillRect(left, value < 0 ? zero : zero - tall, Math.max(1, right - left), tall)
}
