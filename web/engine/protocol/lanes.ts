/** Counters of other tools over the run, drawn as lanes below the charts. */

/** Base units: shares are of 1. */
export type LaneUnit = 'share' | 'bytes/s' | '1/s' | 'bytes' | 'ns' | 'count'

/** `rate`: mean of the interval that a sample ends; `gauge`: the value at a moment; `event`: something that happened at a moment. */
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
