/** Queue depth in words and as a table. */
import type { DepthSeries } from '../../engine/protocol'
import { count, duration, figure, share } from '../../lib/format'
import type { Shown } from '../shared/answers/shown'
import { renamed, type Table } from '../shared/answers/table'
import { stillReadingWords } from '../shared/answers/words'
import type { Binned } from './draw'

export const TITLE = 'Queue depth'
/** Heading of the largest number of waiting bios. */
const MAX_WAITING = 'wait max'

/** Why a device has no queue depth. */
export const noDepth = (run: Shown): string =>
  `${run.device.name} has no issue events (D): its bios go from Q to C without a request queue. Select a member disk to see queue depth.`

export function words(run: Shown): string {
  if (run.device.role !== 'disk') return `${TITLE} of ${run.letter}: ${noDepth(run)}`
  const { depth, waiting, starved } = run.figures ?? {}
  if (depth === undefined) return stillReadingWords(`${TITLE} of ${run.letter}`)
  const idle =
    starved === undefined || starved.intervals === 0
      ? 'The device was never idle while bios waited.'
      : `The device was idle while bios waited for ${duration(starved.total_ns)} (${share(starved.share)} of the run), in ${count(starved.intervals)} intervals, the longest ${duration(starved.longest_ns)}.`
  const queued = waiting ? ` ${figure(waiting.mean)} bios waited on average, max ${count(waiting.max)}.` : ''
  return `${TITLE} of ${run.letter}: ${figure(depth.mean)} requests in flight on average, median ${count(depth.p50)}, p95 ${count(depth.p95)}, max ${count(depth.max)}.${queued} ${idle}`
}

export function table(shown: readonly Shown[], series: readonly (Binned<DepthSeries> | undefined)[]): Table {
  return {
    title: `${TITLE}: requests in flight, bios waiting, starved share per bin`,
    columns: [
      { label: 'run', text: true },
      { label: 'from, s' },
      { label: 'mean' },
      { label: 'min' },
      { label: 'max' },
      { label: 'waiting' },
      { label: MAX_WAITING },
      { label: 'starved, %' },
    ],
    rows: shown.flatMap((run, r) => {
      const bins = series[r]
      if (bins === undefined) return []
      const { mean, min, max, waitMean, waitMax, starved } = bins.series
      const bin = (bins.range.t1 - bins.range.t0) / bins.n
      const n = Math.min(bins.n, Math.ceil((run.end - bins.range.t0) / bin))
      const from = Math.max(0, Math.floor((run.begin - bins.range.t0) / bin))
      const within = Array.from({ length: Math.max(0, n - from) }, (_, i) => from + i)
      return within.map(i => [
        run.letter,
        (bins.range.t0 + i * bin) / 1e9,
        mean[i] ?? 0,
        cell(min[i]),
        cell(max[i]),
        waitMean[i] ?? 0,
        cell(waitMax[i]),
        (starved[i] ?? 0) * 100,
      ])
    }),
  }
}

/** Empty where a digest has only the mean. */
const cell = (value = 0): number | string => (Number.isNaN(value) ? '' : value)

const IN_UNITS = {
  mean: 'in flight mean, requests',
  min: 'in flight min, requests',
  max: 'in flight max, requests',
  waiting: 'waiting mean, bios',
  [MAX_WAITING]: 'waiting max, bios',
}

/** Headings with units, for CSV. */
export const data = (...answers: Parameters<typeof table>): Table => renamed(table(...answers), IN_UNITS)
