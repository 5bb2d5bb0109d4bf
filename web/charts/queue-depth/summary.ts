/** Queue depth in words and as a table. */
import type { DepthSeries } from '../../engine/protocol'
import { count, duration, figure, share } from '../../lib/format'
import type { Shown } from '../shared/shown'
import { renamed, type Table } from '../shared/table'
import type { Binned } from './draw'

/** Why a device has none. */
export const noDepth = (run: Shown): string =>
  `${run.device.name} reports no issue (D) of its own: its bios run from Q to C, and it has no queue depth. Choose a member disk to see one.`

export function words(run: Shown): string {
  if (run.device.role !== 'disk') return `Queue depth of ${run.letter}: ${noDepth(run)}`
  const { depth, waiting, starved } = run.figures ?? {}
  if (depth === undefined) return `Queue depth of ${run.letter}: not read to the end yet.`
  const idle =
    starved === undefined || starved.intervals === 0
      ? 'The device never sat idle while bios waited.'
      : `The device sat idle while bios waited for ${duration(starved.total_ns)}, ${share(starved.share)} of the run, in ${count(starved.intervals)} intervals of at most ${duration(starved.longest_ns)}.`
  const held = waiting ? ` ${figure(waiting.mean)} bios waited on average, at most ${count(waiting.max)}.` : ''
  return `Queue depth of ${run.letter}: ${figure(depth.mean)} requests in flight on average, median ${count(depth.p50)}, 95% of the time at most ${count(depth.p95)}, at most ${count(depth.max)}.${held} ${idle}`
}

export function table(shown: readonly Shown[], series: readonly (Binned<DepthSeries> | undefined)[]): Table {
  return {
    title: 'Queue depth: requests in flight, bios waiting, starved share per bin',
    columns: [
      { label: 'run', text: true },
      { label: 'from, s' },
      { label: 'mean' },
      { label: 'min' },
      { label: 'max' },
      { label: 'waiting' },
      { label: 'most' },
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
        min[i] ?? 0,
        max[i] ?? 0,
        waitMean[i] ?? 0,
        waitMax[i] ?? 0,
        (starved[i] ?? 0) * 100,
      ])
    }),
  }
}

const IN_UNITS = {
  mean: 'in flight mean, requests',
  min: 'in flight min, requests',
  max: 'in flight max, requests',
  waiting: 'waiting mean, bios',
  most: 'waiting max, bios',
}

/** The same for a file, which has room for units. */
export const data = (...given: Parameters<typeof table>): Table => renamed(table(...given), IN_UNITS)
