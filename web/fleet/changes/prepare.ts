/** Values of builds as logarithms without lone outliers, and the noise between builds. */
import { median, runningMedian } from './segments'

/** Noise below this (0.2 %) is not assumed, also where all builds agree to the last digit. */
export const MIN_NOISE = 0.002
/** Distance from its neighbours, in standard deviations, from which a build is an outlier. */
const STANDS_OUT = 4
/** Outliers are moved to this distance: they count, but cannot make a level alone. */
const MAX_KEPT = 2
/** Shorter stretches are no level: one or two builds may be outliers. */
export const SHORTEST = 3
/** Maximum probability, over the complete series, that isolated outliers look like a level. */
const MAX_CHANCE = 0.01

/** A series that is ready to be cut. */
export interface PreparedSeries {
  /** Logarithms of the values, with outliers moved towards their neighbours. */
  readonly values: readonly number[]
  /** Standard deviation between neighbouring builds at one level. */
  readonly noise: number
  /** Minimum number of builds in a level: more if isolated outliers are frequent. */
  readonly shortest: number
}

/** The value that this share of the sorted values is below. */
const quantile = (sorted: readonly number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0

/**
 * From the steps between neighbours, which a few changes of level hardly affect: from their median, and from the
 * 80th percentile, for figures that are 0 in most builds. Divided by what these are of a normal distribution.
 */
function noiseBetween(values: readonly number[]): number {
  const steps = values
    .slice(1)
    .map((value, i) => Math.abs(value - (values[i] ?? value)))
    .sort((a, b) => a - b)
  return Math.max(MIN_NOISE, median(steps) / (0.6745 * Math.SQRT2), quantile(steps, 0.8) / (1.2816 * Math.SQRT2))
}

/** Probability of at least `k` successes in `n` trials. */
function atLeast(k: number, n: number, share: number): number {
  let [term, sum] = [(1 - share) ** n, 0]
  for (let i = 0; i <= n; i++) {
    if (i >= k) sum += term
    term *= (((n - i) / (i + 1)) * share) / (1 - share)
  }
  return sum
}

/**
 * Minimum length of a level: a run of this many builds, most of them outliers, is too rare to be chance, given the
 * share of outliers in the series.
 */
function shortestFor(outliers: number, n: number): number {
  const share = Math.min(0.5, outliers / n)
  let length = SHORTEST
  while (length < n / 2 && n * atLeast(Math.floor(length / 2) + 1, length, share) > MAX_CHANCE) length += 1
  return length
}

export function prepareSeries(logs: readonly number[]): PreparedSeries {
  const noise = noiseBetween(logs)
  let shortest = SHORTEST
  for (let round = 0; round < 4; round++) {
    const middles = runningMedian(logs, shortest - 1)
    const outliers = logs.filter((value, i) => Math.abs(value - (middles[i] ?? value)) > STANDS_OUT * noise).length
    const needed = shortestFor(outliers, logs.length)
    if (needed <= shortest) break
    shortest = needed
  }
  const middles = runningMedian(logs, shortest - 1)
  const maxDistance = MAX_KEPT * noise
  const values = logs.map((value, i) =>
    Math.min((middles[i] ?? value) + maxDistance, Math.max((middles[i] ?? value) - maxDistance, value)),
  )
  return { values, noise, shortest }
}
