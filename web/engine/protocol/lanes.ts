/** Counters of other tools over the run, drawn as lanes below the charts. */

import type { LaneUnit } from '../../lib/lanes'

/**
 * `rate`: mean of the interval that a sample ends; `gauge`: the value at a moment; `event`: something that happened at
 * a moment.
 */
export type LaneKind = 'rate' | 'gauge' | 'event'

/** Where lanes come from: a file next to the trace, or tracepoints in it. */
export interface LaneSource {
  readonly file: string
  /** `iostat -x: 15 reports of vda`. */
  readonly what: string
  /** How its times were placed on the run's clock. */
  readonly clock?: string
  /** Why it has no lanes. */
  readonly absent?: string
}

/** A counter of a subject. */
export interface Lane {
  /** As the tool prints it: `%iowait`. */
  readonly name: string
  /** `vda`, `CPU 0`, `machine`. */
  readonly of: string
  readonly meaning: string
  readonly unit: LaneUnit
  readonly kind: LaneKind
  /** One of those that are shown at first. */
  readonly main: boolean
}

export interface LaneInfo extends Lane {
  /** Index used in queries. */
  readonly index: number
  /** Index of its source. */
  readonly source: number
  /** Largest value of all, without its sign. */
  readonly most: number
  /** Within the range, weighted by time; absent without samples in it. */
  readonly figures?: { readonly mean: number; readonly min: number; readonly max: number; readonly samples: number }
}

export interface LaneList {
  readonly sources: readonly LaneSource[]
  readonly lanes: readonly LaneInfo[]
}
