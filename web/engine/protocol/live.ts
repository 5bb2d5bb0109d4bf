/** A recording that is followed while it is written: its latest figures, what was left out. */
import type { Ns } from '../../lib/units'
import type { EngineLiveStatus, TimeWindow } from '../generated/protocol'

/**
 * Figures of a device, or of a process on it, over a short time. Percentiles are of requests issued in it; absent
 * without any.
 */
export interface RecentFigures {
  /** Completed requests per second. */
  readonly iops: number
  readonly readBps: number
  readonly writeBps: number
  /** Absent for devices without a queue depth. */
  readonly depth?: { readonly mean: number; readonly max: number; readonly starved: number }
  readonly d2c?: RecentLatency
  readonly q2c?: RecentLatency
}

export interface RecentLatency {
  readonly n: number
  readonly p50: Ns
  readonly p99: Ns
}

/** Shares of requests up to 4 KiB, below 128 KiB, and from 128 KiB on. */
export type SizeMix = readonly [number, number, number]

/** A process on a device; amounts are of requests issued in the time. */
export interface RecentProcess {
  readonly pid: number
  readonly name: string
  readonly dev: string
  readonly iops: number
  readonly readBps: number
  readonly writeBps: number
  /** Mean number of requests in flight: D2C of all its requests, divided by the time. */
  readonly inFlight: number
  readonly d2c?: RecentLatency
  readonly mix?: SizeMix
}

export interface RecentDevice extends RecentFigures {
  readonly dev: string
  readonly name: string
}

/** What is kept of one second, or of several when the stream is long. */
export interface StreamSecond {
  readonly at: Ns
  readonly length: Ns
  readonly readBps: number
  readonly writeBps: number
  /** Mean queue depth of the busiest device. */
  readonly depth: number
  /** p99 of D2C, of the busiest device; absent without requests. */
  readonly p99?: Ns
}

/** What the page shows of a stream, about every second. */
export interface StreamStatus {
  readonly engine: EngineLiveStatus
  /** Wall time since the last bytes arrived, ms. */
  readonly quietMs: number
  readonly receivedBytes: number
  /** Events since the beginning of the stream, including those no longer shown. */
  readonly events: number
  /** Begin of what pictures show; absent: the beginning of the stream. */
  readonly shownFrom?: Ns
  /** Begin of what will be read as an ordinary run; absent: the beginning of the stream. */
  readonly keptFrom?: Ns
  /** Bytes that were not received: the page was too slow, or was opened later. */
  readonly skippedBytes: number
  readonly recent: readonly RecentDevice[]
  /** Seconds since the status before. */
  readonly seconds: readonly StreamSecond[]
}

type StreamEnd = 'end' | 'interrupted' | 'broken' | 'failed' | 'lost' | 'stopped'

/** The retained bytes of a stream that has ended, to be read like files. */
export interface EndedStream {
  readonly why: StreamEnd
  /** Bytes of an incomplete record at the end. */
  readonly bytes?: number
  readonly message?: string
  readonly parts: readonly { readonly name: string; readonly blob: Blob }[]
  /** Time 0 and the retained part, if the beginning was dropped. */
  readonly origin?: string
  readonly window?: TimeWindow
}
