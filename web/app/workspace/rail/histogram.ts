/** A histogram of latencies, folded to a few log-spaced bins that are the same for all runs. */
import type { Distribution } from '../../../engine/protocol'

export interface LatencyBins {
  /** Edges of the bins, ns; one more than there are bins. */
  readonly edges: readonly number[]
  /** Share of the requests in each bin, 0..1, by run. */
  readonly shares: readonly (readonly number[])[]
  /** The largest share of any run, 0..1. */
  readonly max: number
}

/**
 * Folds distributions into `bins` bins of equal logarithmic width; `undefined` if no run has a latency. A bin of the
 * engine is counted where its lower edge lies.
 */
export function latencyBins(
  distributions: readonly (Distribution | undefined)[],
  bins: number,
): LatencyBins | undefined {
  const measured = distributions.filter(d => d !== undefined && d.n > 0) as Distribution[]
  if (measured.length === 0) return undefined
  const low = Math.log(Math.max(1, Math.min(...measured.map(d => d.min))))
  const high = Math.max(low + 0.01, Math.log(Math.max(...measured.map(d => d.max)) * 1.001))
  const edges = Array.from({ length: bins + 1 }, (_, i) => Math.exp(low + ((high - low) * i) / bins))
  const shares = distributions.map(d => {
    const sums = new Array<number>(bins).fill(0)
    if (!d || d.n === 0) return sums
    for (let i = 0; i < d.counts.length; i++) {
      const edge = Math.max(d.edges[i] ?? 0, 1)
      const bin = Math.min(bins - 1, Math.max(0, Math.floor(((Math.log(edge) - low) / (high - low)) * bins)))
      sums[bin] = (sums[bin] ?? 0) + (d.counts[i] ?? 0) / d.n
    }
    return sums
  })
  return { edges, shares, max: Math.max(...shares.flat()) }
}
