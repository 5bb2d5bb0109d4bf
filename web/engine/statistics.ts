/**
 * Statistics without the engine: quantiles, change points over builds and false discovery rates, in a small module of
 * its own. docs/statistics.md describes the methods.
 */
import initialize, {
  changePoints,
  falseDiscoveryRates,
  initSync,
  minBuilds,
  minLevel,
  quantiles,
} from './generated/statistics.js'
import type { SeriesChanges } from './protocol'

/** The values of a figure in the runs of one build; empty if no run has it. */
export type BuildRuns = readonly number[]

/** What is reported as a change; the module has the usual values. */
export interface ChangeOptions {
  /** Smaller values count as this one: below it the figure is practically 0. */
  readonly floor?: number
  /** Share of series without a change in which one may be reported. */
  readonly falseAlarms?: number
  /** Changes by a smaller share are not reported. */
  readonly minChange?: number
  /** Levels that differ by less are not reported. */
  readonly minDifference?: number
}

/** Groups of values as one list: group `i` begins at `offsets[i]`. */
function joined(groups: readonly ArrayLike<number>[]) {
  const offsets = new Uint32Array(groups.length + 1)
  for (const [i, { length }] of groups.entries()) offsets[i + 1] = (offsets[i] ?? 0) + length
  const values = new Float64Array(offsets[groups.length] ?? 0)
  for (const [i, group] of groups.entries()) values.set(group, offsets[i] ?? 0)
  return { values, offsets }
}

/** The functions of the module, once it is initialized. */
const functions = {
  /** The changes of a figure over builds in their order. Builds without the figure are skipped. */
  changePoints(builds: readonly BuildRuns[], options: ChangeOptions = {}): SeriesChanges {
    const { values, offsets } = joined(builds)
    const { floor, falseAlarms, minChange, minDifference } = options
    return changePoints(values, offsets, floor, falseAlarms, minChange, minDifference)
  },
  /** Minimum number of builds in a series with changes. */
  minBuilds: (): number => minBuilds(),
  /** Minimum number of builds at one level. */
  minLevel: (): number => minLevel(),
  /**
   * False discovery rates (Benjamini and Hochberg) of the p values `p`. `tests` is the number of all tests, including
   * those without a result, which have no value in `p`.
   */
  falseDiscoveryRates: (p: readonly number[], tests: number): Float64Array =>
    falseDiscoveryRates(Float64Array.from(p), tests),
  /** The quantiles of each group at these shares, interpolated between neighbours; NaN for an empty group. */
  quantiles(groups: readonly ArrayLike<number>[], shares: readonly number[]): readonly Float64Array[] {
    const { values, offsets } = joined(groups)
    const all = quantiles(values, offsets, Float64Array.from(shares))
    return groups.map((_, i) => all.subarray(i * shares.length, (i + 1) * shares.length))
  },
  /** The median of each group; NaN for an empty one. */
  medians(groups: readonly ArrayLike<number>[]): Float64Array {
    const { values, offsets } = joined(groups)
    return quantiles(values, offsets, Float64Array.of(0.5))
  },
}

export type Statistics = typeof functions

/** For Node and workers. `module` is that of statistics. */
export function startStatistics(module: WebAssembly.Module): Statistics {
  initSync({ module })
  return functions
}

/** For the page: on its thread, a browser may refuse to start a module at once. */
export async function loadStatistics(module: WebAssembly.Module): Promise<Statistics> {
  await initialize({ module_or_path: module })
  return functions
}
