/** Subtracts answers of two runs to the same query. Pure. */
import type { Grid, Marks } from '../../engine/protocol'

export interface GridDifference {
  readonly w: number
  readonly h: number
  /** Requests of the other run minus those of the baseline, by cell as in the grids. */
  readonly changes: Int32Array
  /** Requests of both runs in a cell. */
  readonly sum: Uint32Array
  /** Largest difference of a cell, without its sign. */
  readonly most: number
  /** Requests in view: baseline, other. */
  readonly n: readonly [number, number]
}

/** An answer without visible requests has no marks instead of a grid. */
const countsOf = (answer: Grid | Marks): Uint32Array | undefined => (answer.kind === 'grid' ? answer.counts : undefined)

/** Both of `w` x `h` cells of the same range and bands. */
export function subtractGrids(base: Grid | Marks, other: Grid | Marks, w: number, h: number): GridDifference {
  const [from, to] = [countsOf(base), countsOf(other)]
  const changes = new Int32Array(w * h)
  const sum = new Uint32Array(w * h)
  let most = 0
  for (let i = 0; i < changes.length; i += 1) {
    const [a, b] = [from?.[i] ?? 0, to?.[i] ?? 0]
    changes[i] = b - a
    sum[i] = a + b
    most = Math.max(most, Math.abs(b - a))
  }
  return { w, h, changes: changes, sum, most, n: [base.n, other.n] }
}

/** Bin by bin; both of the same range. */
export const subtractSeries = (base: Float64Array, other: Float64Array): Float64Array =>
  other.map((v, i) => v - (base[i] ?? 0))
