/** A run in the timeline: its load over time, as the outline of an area. */
import type { DepthSeries, Range, RateSeries } from '../../../engine/protocol'
import { width as rangeWidth } from '../../../state/range'

/** Maximum number of lanes: more would be too low to read. */
const MAX_LANES = 4

/** The runs that have a lane. If there are too many, groups have that of their first run: the others repeat it. */
export function laneRuns<T>(
  runs: readonly T[],
  runOf: (item: T) => { readonly id: string; readonly group?: string },
): readonly T[] {
  if (runs.length <= MAX_LANES) return runs
  const keys = runs.map(item => runOf(item).group ?? runOf(item).id)
  const firsts = runs.filter((_, i) => keys.indexOf(keys[i] ?? '') === i)
  return (firsts.length < 2 ? runs : firsts).slice(0, MAX_LANES)
}

/** An amount per bin, and how much of each bin was starved (0..1) where that is known. */
export interface RunLane {
  readonly load: Float64Array
  readonly starved?: Float64Array
}

export const depthLane = (series: DepthSeries): RunLane => ({ load: series.mean, starved: series.starved })

export const rateLane = (series: RateSeries): RunLane => ({
  load: series.readBytes.map((r, i) => r + (series.writeBytes[i] ?? 0) + (series.discardBytes[i] ?? 0)),
})

/** Steps from bin to bin, closed at the bottom, over `width`; the largest amount of all runs has full `height`. */
export function outline(load: Float64Array, width: number, height: number, max: number): string {
  const parts: string[] = [`M0 ${height}`]
  const bin = width / Math.max(1, load.length)
  load.forEach((value, i) => {
    const y = (height - (max > 0 ? (value / max) * height : 0)).toFixed(1)
    parts.push(`L${(i * bin).toFixed(1)} ${y}H${((i + 1) * bin).toFixed(1)}`)
  })
  return `${parts.join('')}V${height}Z`
}

/** Coarse bins with the mean starved share; bins without starvation are left out. */
export function starvedShares(
  starved: Float64Array,
  bins: number,
): { readonly start: number; readonly share: number }[] {
  const binsPerShare = Math.max(1, Math.ceil(starved.length / bins))
  const shares: { start: number; share: number }[] = []
  for (let from = 0; from < starved.length; from += binsPerShare) {
    const part = starved.subarray(from, from + binsPerShare)
    const share = part.reduce((a, b) => a + b, 0) / part.length
    if (share > 0) shares.push({ start: from / starved.length, share })
  }
  return shares
}

/** Whether less than all is visible. Rounding of the range, as in links, does not count. */
export const isZoomed = (range: Range, extent: Range): boolean => rangeWidth(range) < rangeWidth(extent) * 0.999
