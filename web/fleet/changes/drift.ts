/** Steps in one direction that are better described as one gradual change. */
import { type StretchSums, stretchSums } from './segments'

/** A step (`from` equals `to`), or a drift over the builds `from` to `to`; the level after it begins at `to`. */
export interface FoundChange {
  readonly kind: 'step' | 'drift'
  readonly from: number
  readonly to: number
  /** The cuts that a drift replaces. */
  readonly cuts: readonly number[]
  /** Difference of the levels around a drift. */
  readonly difference?: number
}

/** A drift is at least this long. */
const SHORTEST_DRIFT = 5
/** Places that are tried for each of its ends. */
const PLACES = 40
/** How much better a drift must fit than steps (BIC): strong evidence. */
const STRONG = 6

interface Ramp {
  readonly start: number
  readonly end: number
  readonly squares: number
  readonly difference: number
}

/** Sums of the values, of their squares, and of the values times their places. */
interface PlacedSums {
  readonly sums: Float64Array
  readonly squares: Float64Array
  readonly placed: Float64Array
}

function placedSums(values: readonly number[]): PlacedSums {
  const [sums, squares, placed] = [0, 1, 2].map(() => new Float64Array(values.length + 1)) as [
    Float64Array,
    Float64Array,
    Float64Array,
  ]
  for (const [i, value] of values.entries()) {
    const y = value - (values[0] ?? 0)
    sums[i + 1] = (sums[i] ?? 0) + y
    squares[i + 1] = (squares[i] ?? 0) + y * y
    placed[i + 1] = (placed[i] ?? 0) + y * i
  }
  return { sums, squares, placed }
}

/**
 * Least squares of a level up to `start`, a straight line to `end`, and a level from there: a regression on x, which
 * rises from 0 to 1.
 */
function rampFit({ sums, squares, placed }: PlacedSums, from: number, to: number, start: number, end: number): Ramp {
  const between = (table: Float64Array, a: number, b: number) => (table[b] ?? 0) - (table[a] ?? 0)
  const [n, width, after] = [to - from, end - start, to - end]
  const sx = (width - 1) / 2 + after
  const sxx = ((width - 1) * (2 * width - 1)) / (6 * width) + after
  const sy = between(sums, from, to)
  const sxy = (between(placed, start, end) - start * between(sums, start, end)) / width + between(sums, end, to)
  const covariation = sxy - (sx * sy) / n
  const difference = covariation / (sxx - (sx * sx) / n)
  return {
    start,
    end,
    squares: Math.max(0, between(squares, from, to) - (sy * sy) / n - difference * covariation),
    difference,
  }
}

function bestRamp(values: PlacedSums, from: number, to: number): Ramp | undefined {
  const step = Math.max(1, Math.ceil((to - from) / PLACES))
  let best: Ramp | undefined
  for (let start = from; start < to - SHORTEST_DRIFT; start += step)
    for (let end = start + SHORTEST_DRIFT; end < to; end += step) {
      const ramp = rampFit(values, from, to, start, end)
      if (!best || ramp.squares < best.squares) best = ramp
    }
  return best
}

/** The changes at these cuts; runs of cuts that a drift describes better are one. */
export function driftsAmong(
  values: readonly number[],
  cuts: readonly number[],
  variance: number,
): readonly FoundChange[] {
  const sums: StretchSums = stretchSums(values)
  const places = placedSums(values)
  const edges = [0, ...cuts, values.length]
  const edge = (i: number) => edges[i] ?? values.length
  const up = (i: number) => sums.mean(edge(i), edge(i + 1)) > sums.mean(edge(i - 1), edge(i))
  const drift = (first: number, last: number): FoundChange | undefined => {
    const [from, to] = [edge(first - 1), edge(last + 1)]
    const n = to - from
    let steps = 0
    for (let i = first - 1; i <= last; i++) steps += sums.deviations(edge(i), edge(i + 1))
    const ramp = bestRamp(places, from, to)
    if (!ramp) return undefined
    const better = (steps - ramp.squares) / variance + (2 * (last - first + 1) + 1 - 4) * Math.log(n)
    if (better < STRONG || ramp.difference > 0 !== up(first)) return undefined
    // The first and the last build that differ from the levels, and at least one build at each level.
    const [start, end] = [Math.max(from, ramp.start) + 1, Math.min(to - 1, ramp.end)]
    return { kind: 'drift', from: start, to: end, cuts: cuts.slice(first - 1, last), difference: ramp.difference }
  }
  const found: FoundChange[] = []
  for (let first = 1; first <= cuts.length; ) {
    let last = first
    while (last < cuts.length && up(last + 1) === up(first)) last += 1
    let replacement: FoundChange | undefined
    let end = last
    for (; end >= first && !replacement; end--) replacement = drift(first, end)
    const edgeIndex = edge(first)
    found.push(replacement ?? { kind: 'step', from: edgeIndex, to: edgeIndex, cuts: [edgeIndex] })
    first = replacement ? end + 2 : first + 1
  }
  return found
}
