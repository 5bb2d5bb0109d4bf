/** Arithmetic of ranges on the one time axis. */
import type { Range } from '../engine/protocol'
import { ns } from '../lib/units'

/** No view is shorter than this. */
export const SHORTEST = 1_000

export const width = (r: Range): number => r.t1 - r.t0

/** Moves and shortens a range to fit into `whole`; at least `SHORTEST` wide. */
export function clampRange(range: Range, whole: Range): Range {
  const most = width(whole)
  const w = Math.min(Math.max(width(range), Math.min(SHORTEST, most)), most)
  const t0 = Math.min(Math.max(range.t0, whole.t0), whole.t1 - w)
  return { t0: ns(t0), t1: ns(t0 + w) }
}

/** `factor` below 1 zooms in; the point `at` stays where it is. */
export function zoomRange(range: Range, factor: number, at: number, whole: Range): Range {
  const w = Math.max(width(range) * factor, SHORTEST)
  const held = width(range) === 0 ? 0.5 : (at - range.t0) / width(range)
  const t0 = at - held * w
  return clampRange({ t0: ns(t0), t1: ns(t0 + w) }, whole)
}

/** `by` in widths of the range: -0.25 moves a quarter of the view towards the start. */
export function panRange(range: Range, by: number, whole: Range): Range {
  const d = width(range) * by
  return clampRange({ t0: ns(range.t0 + d), t1: ns(range.t1 + d) }, whole)
}

/** Whether a range shows (almost) all there is. */
export const isWhole = (range: Range, whole: Range): boolean => range.t0 <= whole.t0 && range.t1 >= whole.t1
