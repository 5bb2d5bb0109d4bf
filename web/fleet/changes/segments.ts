/**
 * A series cut into stretches of one level each: PELT (Killick, Fearnhead and Eckley 2012) on squared deviations, and
 * what it needs.
 */

/** Sums of a series: the level and the squared deviations of any stretch in constant time. */
export interface StretchSums {
  readonly length: number
  /** The mean of the values from `from`, before `to`. */
  mean(from: number, to: number): number
  /** The sum of squared deviations from that mean. */
  deviations(from: number, to: number): number
}

export function stretchSums(values: readonly number[]): StretchSums {
  // Values are relative to the first one: with large logarithms, the difference of squares would lose all digits.
  const origin = values[0] ?? 0
  const sums = new Float64Array(values.length + 1)
  const squares = new Float64Array(values.length + 1)
  for (const [i, value] of values.entries()) {
    const x = value - origin
    sums[i + 1] = (sums[i] ?? 0) + x
    squares[i + 1] = (squares[i] ?? 0) + x * x
  }
  const between = (table: Float64Array, from: number, to: number) => (table[to] ?? 0) - (table[from] ?? 0)
  return {
    length: values.length,
    mean: (from, to) => origin + between(sums, from, to) / (to - from),
    deviations: (from, to) => Math.max(0, between(squares, from, to) - between(sums, from, to) ** 2 / (to - from)),
  }
}

/**
 * The first values of all stretches but the first, so that squared deviations plus `penalty` per change are least;
 * stretches have `least` values or more.
 */
export function cutPoints(sums: StretchSums, penalty: number, minLength: number): readonly number[] {
  const n = sums.length
  const cost = new Float64Array(n + 1).fill(Number.POSITIVE_INFINITY)
  const previous = new Int32Array(n + 1)
  cost[0] = -penalty
  // The starts of a last stretch that may still be best, in a list that is overwritten as starts are pruned.
  const starts = new Int32Array(n + 1)
  const totals = new Float64Array(n + 1)
  let candidates = 1
  for (let to = minLength; to <= n; to++) {
    let best = Number.POSITIVE_INFINITY
    for (let i = 0; i < candidates; i++) {
      const from = starts[i] ?? 0
      const total = (cost[from] ?? 0) + sums.deviations(from, to)
      totals[i] = total
      if (total + penalty < best) {
        best = total + penalty
        previous[to] = from
      }
    }
    cost[to] = best
    let count = 0
    for (let i = 0; i < candidates; i++) if ((totals[i] ?? 0) <= best) starts[count++] = starts[i] ?? 0
    // From the next value on, a segment that begins here is long enough.
    if (to + 1 >= 2 * minLength) starts[count++] = to + 1 - minLength
    candidates = count
  }
  const cuts: number[] = []
  for (let cut = previous[n] ?? 0; cut > 0; cut = previous[cut] ?? 0) cuts.unshift(cut)
  return cuts
}

/** The middle of values; the mean of the two middle ones. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const half = sorted.length >> 1
  const [low, high] = [sorted[half - 1] ?? 0, sorted[half] ?? 0]
  return sorted.length % 2 ? high : (low + high) / 2
}

/**
 * The medians of windows of `2 * reach + 1` values, which are moved inwards at the ends: a level shorter than `reach +
 * 1` values leaves no trace.
 */
export function runningMedian(values: readonly number[], reach: number): readonly number[] {
  const width = Math.min(2 * reach + 1, values.length)
  const window = values.slice(0, width).sort((a, b) => a - b)
  const middle = () =>
    width % 2 ? (window[width >> 1] ?? 0) : ((window[width / 2 - 1] ?? 0) + (window[width / 2] ?? 0)) / 2
  const place = (value: number) => {
    let [low, high] = [0, window.length]
    while (low < high) {
      const middleIndex = (low + high) >> 1
      if ((window[middleIndex] ?? 0) < value) low = middleIndex + 1
      else high = middleIndex
    }
    return low
  }
  return values.map((_, i) => {
    if (i > reach && i + reach < values.length) {
      window.splice(place(values[i - reach - 1] ?? 0), 1)
      const next = values[i + reach] ?? 0
      window.splice(place(next), 0, next)
    }
    return middle()
  })
}
