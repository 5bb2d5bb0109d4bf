/** Histograms of several runs over the same values: request sizes, and latencies in the engine's own buckets. Pure. */
import type { Distribution, Sizes } from '../../engine/protocol'
import { duration, sectorSize } from '../../lib/format'

export type HistogramUnit = 'share' | 'requests'

export interface HistogramBar {
  /** Values from `low` up to, not including, `high`; a single value where they are equal. */
  readonly low: number
  readonly high: number
  readonly label: string
  /** Requests by run. */
  readonly values: readonly number[]
}

/** Values of all runs by key, ascending. */
function joined<T>(
  runs: readonly (Iterable<readonly [number, T]> | undefined)[],
  bar: (key: number, found: readonly (T | undefined)[]) => HistogramBar,
): readonly HistogramBar[] {
  const rows = new Map<number, (T | undefined)[]>()
  runs.forEach((run, r) => {
    for (const [key, value] of run ?? []) {
      const row = rows.get(key) ?? runs.map(() => undefined)
      row[r] = value
      rows.set(key, row)
    }
  })
  return [...rows].sort(([a], [b]) => a - b).map(([key, found]) => bar(key, found))
}

/** One bar per size that occurs. */
export function sizeBars(sizes: readonly (Sizes | undefined)[]): readonly HistogramBar[] {
  const runs = sizes.map(
    s =>
      s &&
      Array.from(
        s.sectors,
        (sectors, i) => [sectors, (s.reads[i] ?? 0) + (s.writes[i] ?? 0) + (s.discards[i] ?? 0)] as const,
      ).filter(([sectors]) => sectors > 0),
  )
  return joined(runs, (sectors, found) => ({
    low: sectors,
    high: sectors,
    label: sectorSize(sectors),
    values: found.map(n => n ?? 0),
  }))
}

/** One bar per bucket: the buckets of all runs have the same edges. */
export function latencyBars(distributions: readonly (Distribution | undefined)[]): readonly HistogramBar[] {
  const runs = distributions.map(
    d =>
      d &&
      Array.from(
        d.edges.subarray(0, -1),
        (edge, i) => [edge, { n: d.counts[i] ?? 0, to: d.edges[i + 1] ?? edge }] as const,
      ),
  )
  return joined(runs, (low, found) => {
    const high = Math.max(...found.map(f => f?.to ?? low))
    return { low, high, label: `${duration(low)} to ${duration(high)}`, values: found.map(f => f?.n ?? 0) }
  })
}

/** Scales bars to percent of each run's requests. */
export function asShares(bars: readonly HistogramBar[]): readonly HistogramBar[] {
  const totals = (bars[0]?.values ?? []).map((_, r) => bars.reduce((sum, b) => sum + (b.values[r] ?? 0), 0))
  return bars.map(b => ({ ...b, values: b.values.map((v, r) => (totals[r] ? (v / totals[r]) * 100 : 0)) }))
}

/** The second run minus the first. */
export const lessFirst = (bars: readonly HistogramBar[]): readonly HistogramBar[] =>
  bars.map(b => ({ ...b, values: [(b.values[1] ?? 0) - (b.values[0] ?? 0)] }))
