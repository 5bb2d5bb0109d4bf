/** A histogram of latencies, folded to a few log-spaced bins that are the same for all runs. */
import type { Distribution } from '../../../engine/protocol'

export interface LatencyBins {
  /** ns; one more than there are bins. */
  readonly edges: readonly number[]
  /** Share of a run's requests per bin, by run. */
  readonly shares: readonly (readonly number[])[]
  /** The largest share. */
  readonly most: number
}

/** `undefined` when no run has a latency to show. */
export function latencyBins(
  distributions: readonly (Distribution | undefined)[],
  bins: number,
): LatencyBins | undefined {
  const known = distributions.filter(d => d !== undefined && d.n > 0) as Distribution[]
  if (known.length === 0) return undefined
  const low = Math.log(Math.max(1, Math.min(...known.map(d => d.min))))
  const high = Math.max(low + 0.01, Math.log(Math.max(...known.map(d => d.max)) * 1.001))
  const edges = Array.from({ length: bins + 1 }, (_, i) => Math.exp(low + ((high - low) * i) / bins))
  const shares = distributions.map(d => {
    const out = new Array<number>(bins).fill(0)
    if (!d || d.n === 0) return out
    for (let i = 0; i < d.counts.length; i++) {
      const edge = Math.max(d.edges[i] ?? 0, 1)
      const bin = Math.min(bins - 1, Math.max(0, Math.floor(((Math.log(edge) - low) / (high - low)) * bins)))
      out[bin] = (out[bin] ?? 0) + (d.counts[i] ?? 0) / d.n
    }
    return out
  })
  return { edges, shares, most: Math.max(...shares.flat()) }
}
