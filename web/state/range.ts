/** Arithmetic of ranges on the shared time axis, ns. */
import type { Range } from '../engine/protocol'
import { atTime } from '../lib/format'
import { ns } from '../lib/units'

/** Shortest range that can be shown, ns. */
const MIN_RANGE_NS = 1_000

export const width = (r: Range): number => r.t1 - r.t0

/** Moves and shortens a range to fit into `extent`; at least `MIN_RANGE_NS` wide. */
export function clampRange(range: Range, extent: Range): Range {
  const maxWidth = width(extent)
  const w = Math.min(Math.max(width(range), Math.min(MIN_RANGE_NS, maxWidth)), maxWidth)
  const t0 = Math.min(Math.max(range.t0, extent.t0), extent.t1 - w)
  return { t0: ns(t0), t1: ns(t0 + w) }
}

/** Scales a range around `center`, which keeps its place in the view; `factor` below 1 zooms in. */
export function zoomRange(range: Range, factor: number, center: number, extent: Range): Range {
  const w = Math.max(width(range) * factor, MIN_RANGE_NS)
  const fraction = width(range) === 0 ? 0.5 : (center - range.t0) / width(range)
  const t0 = center - fraction * w
  return clampRange({ t0: ns(t0), t1: ns(t0 + w) }, extent)
}

/** Moves a range by a multiple of its width: -0.25 moves it a quarter of the view towards the start. */
export function panRange(range: Range, widths: number, extent: Range): Range {
  const d = width(range) * widths
  return clampRange({ t0: ns(range.t0 + d), t1: ns(range.t1 + d) }, extent)
}

/** Whether a range covers the complete extent. */
export const isWhole = (range: Range, extent: Range): boolean => range.t0 <= extent.t0 && range.t1 >= extent.t1

/** `2.00 to 4.00 s`: with as many digits as its length needs. */
export function timesInWords(range: Range): string {
  const step = width(range) / 100
  return `${atTime(range.t0, step)} to ${atTime(range.t1, step)} s`
}
