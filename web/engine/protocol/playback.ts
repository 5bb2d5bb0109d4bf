/** What playback draws. */
import type { Ns } from '../../lib/units'
import type { Marks } from './pictures'

/**
 * The state at moments of equal distance, and the requests that are in flight at one of them at least, in time
 * order. What happens at a moment is part of it. Completed reads and writes by the filter, counted as in the
 * throughput; in flight, waiting and starved are those of the device, and NaN where it has no queue depth.
 */
export interface PlaybackMoments extends Marks {
  readonly moments: number
  /** False: more requests are in flight at the only moment than were asked for. */
  readonly exact: boolean
  /** Completed in the complete trace. */
  readonly totalIos: number
  readonly totalBytes: number
  /** By moment: completed since the begin of the trace. */
  readonly ios: Float64Array
  readonly bytes: Float64Array
  /** Completed within the window that ends with the moment. */
  readonly windowIos: Float64Array
  readonly windowBytes: Float64Array
  readonly inFlight: Float64Array
  readonly waiting: Float64Array
  /** Starved time since the begin of the trace, ns. */
  readonly starved: Float64Array
}

/** Absent properties: there is none. */
export interface NextStep {
  readonly t?: Ns
  /** How many requests are issued at it, or bios queued. */
  readonly begun?: number
  readonly completed?: number
}
