/** Mapping between time and pixels, zoom and bins. Ranges in ns, widths in CSS px. Pure. */
import type { Range } from '../../../engine/protocol'
import { type Ns, ns } from '../../../lib/units'

/** x of a time within a plot of `width` px. */
export function xOf(range: Range, width: number): (t: number) => number {
  const scale = width / (range.t1 - range.t0)
  return t => (t - range.t0) * scale
}

/** Time at an x. */
export function timeAt(range: Range, width: number, x: number): Ns {
  return ns(range.t0 + (x / width) * (range.t1 - range.t0))
}

/** Two times in order, as a range. */
export function between(a: number, b: number): Range {
  return a <= b ? { t0: ns(a), t1: ns(b) } : { t0: ns(b), t1: ns(a) }
}

/** Zoom of a linear axis of sectors: `factor` > 1 shows more detail, `center` keeps its position. */
export function zoomSpan(
  span: readonly [number, number],
  center: number,
  factor: number,
  whole: readonly [number, number],
  least: number,
): [number, number] {
  const width = Math.min(Math.max((span[1] - span[0]) / factor, least), whole[1] - whole[0])
  const share = (center - span[0]) / (span[1] - span[0])
  const low = Math.min(Math.max(center - share * width, whole[0]), whole[1] - width)
  return [low, low + width]
}

const STEPS = [1, 1.5, 2, 3, 4, 5, 6, 8]

/** The smallest round number (1, 1.5, 2, 3, 4, 5, 6, 8 times a power of ten) not more than 5 % below `least`. */
export function roundUp(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least))
  for (const step of STEPS) if (step * power >= least * 0.95) return step * power
  return 10 * power
}

/**
 * Round bins over a range: `bin` ns wide, at least `px` wide on the screen, edges at multiples of `bin`, so that
 * panning does not re-bin. With `group` the range starts and ends at multiples of that many bins.
 */
export function binsOver(
  range: Range,
  width: number,
  px: number,
  group = 1,
): { readonly range: Range; readonly n: number; readonly bin: number } {
  const bin = roundUp(Math.max(((range.t1 - range.t0) / width) * px, 1))
  const step = bin * group
  const first = Math.floor(range.t0 / step + 1e-9)
  const last = Math.max(Math.ceil(range.t1 / step - 1e-9), first + 1)
  return { range: { t0: ns(first * step), t1: ns(last * step) }, n: (last - first) * group, bin }
}
