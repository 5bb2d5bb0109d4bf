/**
 * Request sizes and latencies of several runs in one histogram each: overlaid, or the difference of two. Only the page
 * draws them: `seekscope plot` has the same sizes as `request-sizes` and the same latencies as `percentiles`.
 */
import type { SizesAt } from '../../state/types'
import type { Pair } from '../difference/pair'
import { titleOfPair } from '../difference/spec'
import { STAGE_NAMES } from '../latency/scale'
import { latency } from '../latency/spec'
import { requestSizes } from '../request-sizes/spec'
import type { StableView } from '../shared/answers/shown'
import { ALL_RUNS, inRunsWords, LOG_SCALE, NO_REQUESTS, NOT_READ } from '../shared/answers/words'
import type { PageSpec } from '../shared/spec'
import type { HistogramBar, HistogramUnit } from './bars'

export const sizeHistogram: PageSpec = {
  kind: 'page',
  name: 'size-histogram',
  title: requestSizes.title,
  measured: 'histograms',
}

export const latencyHistogram: PageSpec = {
  kind: 'page',
  name: 'latency-histogram',
  title: latency.title,
  chart: 'latency',
  measured: 'histograms',
}

/** Snapshots of size XS have curves only. */
export const NO_COUNTS = 'Not in this snapshot. Drop the original traces, or ask for a link of size S.'

/** `Latency, all runs`, `Latency, B − A`. */
export const histogramTitle = (spec: PageSpec, pair: Pair | undefined): string =>
  pair ? titleOfPair(spec, pair) : `${spec.title}, ${ALL_RUNS}`

/** What the axes of values are about. */
export const sizesWhat = (seen: SizesAt): string => `as ${seen}`
export const latencyWhat = (stage: StableView['stage']): string => `${STAGE_NAMES[stage]}, ${LOG_SCALE}`

/** Options of the axis of amounts. */
export const UNIT_NAMES: Readonly<Record<HistogramUnit, string>> = { share: '%', requests: 'requests' }

/** What the axis of amounts counts. */
export function unitName(unit: HistogramUnit, pair: Pair | undefined): string {
  if (unit === 'requests') return UNIT_NAMES.requests
  return pair ? 'percentage points of each run\u2019s requests' : '% of each run\u2019s requests'
}

/** A sentence instead of a picture that would show nothing. */
export function emptyWords(
  runs: readonly unknown[],
  counted: readonly HistogramBar[],
  drawn: readonly HistogramBar[],
  isRead: boolean,
  pair: Pair | undefined,
): string | undefined {
  if (!isRead) return NOT_READ
  const [only] = counted
  if (only === undefined) return NO_REQUESTS
  if (counted.length === 1 && only.low === only.high && only.values.every(v => v > 0))
    return `All requests are ${only.label}${inRunsWords(runs)}.`
  return pair && drawn.every(b => b.values[0] === 0) ? `The same${inRunsWords(runs)}.` : undefined
}
