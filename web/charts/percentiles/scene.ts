/** The axes of percentile curves, and their painting. Pure. */
import type { Distribution } from '../../engine/protocol'
import { type Palette, runDash, runToken } from '../shared/paint/palette'
import type { Surface } from '../shared/paint/surface'
import { type Crossing, type CurveScene, crossing, drawBand, drawCurve, upToLongest } from './draw'

const MARKS = [0, 0.5, 0.9, 0.99, 0.999, 0.9999, 0.99999] as const

/** Percentiles that have a tick, up to `nines`. */
export const percentileTicks = (nines: number): readonly number[] =>
  MARKS.filter(p => -Math.log10(1 - p) <= nines + 1e-9)

/** Nines at the right edge, and the lowest and the highest latency. */
export function curveAxis(drawn: readonly Distribution[]): {
  readonly nines: number
  readonly low: number
  readonly high: number
} {
  const most = Math.max(2, ...drawn.map(d => d.n))
  const low = Math.max(100, Math.min(...drawn.map(d => d.min)) * 0.95)
  return {
    nines: Math.min(5, Math.max(1, Math.log10(most))),
    low,
    high: Math.max(low * 10, ...drawn.map(d => d.max * 1.1)),
  }
}

/** The crossing of the curves of two runs. */
export const crossingOf = (a: Distribution, b: Distribution): Crossing | undefined =>
  crossing(upToLongest(a), upToLongest(b), Math.log10(Math.min(a.n, b.n)))

/** A run's letter and its latencies. */
export interface RunCurve {
  readonly letter: string
  readonly distribution: Distribution
}

/** Intervals are painted first, so that curves are above them. */
export function paintCurves(surface: Surface, curves: readonly RunCurve[], scene: CurveScene, palette: Palette): void {
  for (const { letter, distribution } of curves) {
    const { p, low, high } = distribution
    if (low && high) drawBand(surface, { p, low, high, colour: palette(runToken(letter)) }, scene)
  }
  for (const { letter, distribution } of curves) {
    drawCurve(
      surface,
      { ...upToLongest(distribution), colour: palette(runToken(letter)), dash: runDash(palette, letter) },
      scene,
    )
  }
}

/** Moves names apart that would overlap. */
export function spread<T extends { readonly y: number }>(ends: readonly T[]): readonly T[] {
  const sorted = [...ends].sort((p, q) => p.y - q.y)
  let last = Number.NEGATIVE_INFINITY
  return sorted.map(end => {
    const y = Math.max(end.y, last + 14, 6)
    last = y
    return { ...end, y: y }
  })
}
