/** Paints histograms on a log axis: runs side by side or overlaid, or their difference around a zero line. */
import { bar as signedBar } from '../difference/draw'
import { dashed, type Surface } from '../shared/paint/surface'
import type { HistogramBar } from './bars'

export interface LogAxis {
  readonly width: number
  readonly low: number
  readonly high: number
}

/** Widest bar of a single value, px. */
const WIDEST = 12
const PAD = 8

/** x of a value. */
export function logX({ width, low, high }: LogAxis): (value: number) => number {
  const span = Math.log(high / low)
  return value => PAD + (span === 0 ? 0.5 : Math.log(value / low) / span) * (width - 2 * PAD)
}

/** Left and right of a bar: its edges, or for a single value as wide as its neighbours allow. */
export function edgesOf(bars: readonly HistogramBar[], axis: LogAxis): readonly (readonly [number, number])[] {
  const x = logX(axis)
  return bars.map((b, i) => {
    if (b.high > b.low) return [x(b.low), x(b.high)] as const
    const [before, middle, after] = [bars[i - 1], x(b.low), bars[i + 1]]
    const room = Math.min(before ? middle - x(before.low) : WIDEST, after ? x(after.low) - middle : WIDEST, WIDEST)
    return [middle - Math.max(2, room - 1) / 2, middle + Math.max(2, room - 1) / 2] as const
  })
}

export interface RunsScene {
  readonly axis: LogAxis
  readonly y: (value: number) => number
  readonly colours: readonly string[]
  readonly dashes: readonly (readonly number[])[]
}

/** Single values: thin bars side by side. Buckets: one outline per run. */
export function drawRuns(surface: Surface, bars: readonly HistogramBar[], scene: RunsScene): void {
  const edges = edgesOf(bars, scene.axis)
  const zero = scene.y(0)
  const single = bars.every(b => b.low === b.high)
  scene.colours.forEach((colour, r) => {
    surface.fillStyle = colour
    surface.strokeStyle = colour
    surface.lineWidth = 1.5
    if (single) {
      bars.forEach((b, i) => {
        const [left, right] = edges[i] ?? [0, 0]
        const wide = (right - left) / scene.colours.length
        const tall = (b.values[r] ?? 0) > 0 ? Math.max(1, zero - scene.y(b.values[r] ?? 0)) : 0
        if (tall > 0) surface.fillRect(left + r * wide, zero - tall, Math.max(1, wide - 0.5), tall)
      })
      return
    }
    dashed(surface, scene.dashes[r] ?? [], () => {
      surface.beginPath()
      surface.moveTo(edges[0]?.[0] ?? 0, zero)
      bars.forEach((b, i) => {
        const [left, right] = edges[i] ?? [0, 0]
        const before = edges[i - 1]?.[1] ?? left
        if (left - before > 0.5) {
          surface.lineTo(before, zero)
          surface.lineTo(left, zero)
        }
        surface.lineTo(left, scene.y(b.values[r] ?? 0))
        surface.lineTo(right, scene.y(b.values[r] ?? 0))
      })
      surface.lineTo(edges.at(-1)?.[1] ?? 0, zero)
      surface.stroke()
    })
  })
}

export function drawDifferences(
  surface: Surface,
  bars: readonly HistogramBar[],
  scene: { readonly axis: LogAxis } & Parameters<typeof signedBar>[4],
): void {
  edgesOf(bars, scene.axis).forEach(([left, right], i) => {
    const value = bars[i]?.values[0] ?? 0
    if (value !== 0) signedBar(surface, left, Math.max(left + 2, right - 1), value, scene)
  })
}
