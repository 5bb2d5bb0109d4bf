/**
 * The document that `seekscope summary --json` prints for one trace; the page's figures come from the same object.
 * Names and units are fixed: ns, sectors, bytes. Absent means not applicable.
 */
import type { DriverCommands } from '../lib/drivers'
import type { ZoneKind } from '../lib/zones'
import type { Lane, LaneSource } from './protocol/lanes'
import type { BenchFigure, TraceNote } from './protocol/notes'
import type { RowMeaning, TimeWindow, Warning } from './protocol/trace'

export interface StageSummary {
  readonly n: number
  readonly min: number
  readonly mean: number
  readonly p50: number
  readonly p90: number
  readonly p95: number
  readonly p99: number
  readonly p999: number
  readonly p9999: number
  readonly max: number
}

/** As btt counts: one value per bio. */
export interface BioStageSummary {
  readonly n: number
  readonly min: number
  readonly mean: number
  readonly max: number
}

export interface SizeRow {
  readonly sectors: number
  readonly reads: number
  readonly writes: number
  readonly discards: number
}

export interface SeekSummary {
  readonly n: number
  readonly mean_abs: number
  readonly median_abs: number
  readonly sequential_share: number
  readonly per_second_64k: number
}

export type SummaryStage = 'q2c' | 'd2c' | 'q2d' | 'q2g' | 'g2i' | 'i2d' | 'g2d' | 'q2m' | 'm2d'

/** Per second of run time. */
export interface RateSummary {
  readonly read_bps: number
  readonly write_bps: number
  readonly iops: number
}

export interface SummaryDevice {
  readonly dev: string
  /** Where the number is made up, because the format has only names. */
  readonly name?: string
  readonly role: 'disk' | 'remapped' | 'stacked'
  /** First Q to last C. */
  readonly span_ns: number
  readonly events: Readonly<Record<string, number>>
  /** Letters of the actions that occurred: `QGIDC`. Absent in snapshots of older versions. */
  readonly recorded?: string
  /** What a row of the requests is. Absent in snapshots of older versions. */
  readonly row?: RowMeaning
  /** Actions are missing that such a device has. */
  readonly masked?: true
  /** Completed; absent without C. */
  readonly bytes?: { readonly read: number; readonly write: number; readonly discard: number }
  /** Completions with an error; absent without any. */
  readonly failed?: FailedSummary
  readonly throughput?: RateSummary
  /** Where no completion was recorded. */
  readonly rate?: RateSummary & { readonly at: 'queued' | 'issued' }
  readonly depth?: { readonly mean: number; readonly p50: number; readonly p95: number; readonly max: number }
  readonly waiting?: { readonly mean: number; readonly max: number }
  /** Bios between Q and C, of a disk recorded without D. */
  readonly outstanding?: { readonly mean: number; readonly max: number }
  readonly starved?: {
    readonly total_ns: number
    readonly share: number
    readonly longest_ns: number
    readonly intervals: number
  }
  /** Shares of the span; they add up to 1. */
  readonly states?: {
    readonly starved: number
    readonly busy_waiting: number
    readonly busy: number
    readonly nobody: number
  }
  /** Per request. */
  readonly latency_ns: Readonly<Partial<Record<SummaryStage, StageSummary>>>
  /** Per bio. */
  readonly latency_bio_ns: Readonly<Partial<Record<SummaryStage, BioStageSummary>>>
  /** Why the slowest requests were slow. Absent for devices without requests, and in snapshots of older versions. */
  readonly tail?: SummaryTail
  readonly sizes: {
    readonly queued?: readonly SizeRow[]
    readonly issued?: readonly SizeRow[]
    readonly completed?: readonly SizeRow[]
  }
  /** `completed`: only where nothing but C was recorded. */
  readonly seek: { readonly issued?: SeekSummary; readonly queued?: SeekSummary; readonly completed?: SeekSummary }
  /** Of a zoned disk whose zones are known from notes. */
  readonly zones?: {
    readonly zone_sectors: number
    readonly zones: number
    readonly actions: number
    readonly actions_by_name: Readonly<Partial<Record<ZoneKind, number>>>
    readonly writes: number
    readonly appends: number
    readonly off_pointer: number
    /** Absent without completions. */
    readonly off_pointer_failed?: number
    /** Failed without being issued; absent without completions. */
    readonly refused?: number
    /** Absent if the types of zones are not known. */
    readonly conventional?: number
  }
  readonly interleaving?: { readonly switch_share: number; readonly mean_run: number }
  /** Bios merged behind and in front of requests, and requests merged into others. */
  readonly merges: {
    readonly back?: number
    readonly front?: number
    readonly requests?: number
    readonly q_per_d?: number
  }
  readonly flush?: {
    readonly preflush?: number
    readonly flush?: number
    readonly fua?: number
    readonly busy_share?: number
  }
  readonly sync_share?: number
  readonly alignment?: {
    readonly spec: string
    readonly classes: Readonly<
      Record<
        'full_stripe' | 'unit_aligned' | 'inside_unit' | 'straddles',
        { readonly requests: number; readonly bytes: number }
      >
    >
    readonly misaligned_4k: number
    readonly stripes?: { readonly full: number; readonly partial: number }
    readonly rmw?: {
      readonly reads: number
      readonly writes: number
      readonly read_bytes: number
      readonly write_bytes: number
      readonly extra_bytes: number
      /** Whether the reads are md's own word. */
      readonly told: boolean
    }
    /** Extra I/O counted on members in the same trace, to check the estimate. */
    readonly members?: SummaryMembers
  }
  /** Figures that are absent because of what was recorded, with the reason. */
  readonly absent?: Readonly<Record<string, string>>
  /** What the recording may lack, though its actions do not prove it. */
  readonly hint?: string
  /** Figures above that lost events make wrong, by name: `depth`, `latency_ns.q2c`. Absent when none is. */
  readonly spoiled?: readonly string[]
  /** Partitions and the like that begin on it, by the remaps that it recorded. */
  readonly mapped?: readonly { readonly dev: string; readonly start_sector: number }[]
  readonly geometry_suggestion?: {
    readonly unit_sectors: number
    readonly start_sector: number
    readonly disks?: number
    readonly agreement: number
  }
}

export interface FailedCount {
  readonly requests: number
  readonly bytes: number
}

/** Failed requests of a device; lists have the most first. */
export interface FailedSummary extends FailedCount {
  readonly first_ns: number
  readonly last_ns: number
  /** Refused before they were issued. */
  readonly never_issued?: number
  readonly retries?: {
    readonly issued_again: number
    readonly succeeded: number
    readonly failed_again: number
    readonly not_followed?: number
  }
  /** `name` and `meaning` are absent where the block layer has no such error. */
  readonly by_error: readonly (FailedCount & {
    readonly errno: number
    readonly name?: string
    readonly meaning?: string
  })[]
  readonly more_errors?: number
  readonly by_operation: readonly (FailedCount & { readonly operation: string })[]
  readonly by_process?: readonly (FailedCount & { readonly pid: number; readonly name: string })[]
  readonly more_processes?: number
}

/** What `RunFinding` of the protocol has, as far as text needs it. */
export interface SummaryFinding {
  readonly code: string
  readonly rank: number
  /** In ASCII. */
  readonly sentence: string
}

/** A cause of the time of slow requests. */
export interface TailShare {
  readonly cause: string
  /** In words: "held while another process was served". */
  readonly label: string
  readonly ns: number
  /** Of the total. */
  readonly share: number
}

export interface SlowRequest {
  /** Row of the request table. */
  readonly row: number
  /** Q, or D where no Q was recorded; ns since the trace's first event. */
  readonly at: number
  readonly ns: number
  readonly op: 'read' | 'write' | 'discard' | 'flush'
  readonly sector?: number
  readonly sectors: number
  readonly pid?: number
  readonly process?: string
  /** Others in flight at its D. */
  readonly in_flight: number
  /** In the order of its life; they add up to `ns`. */
  readonly parts: readonly { readonly cause: string; readonly ns: number }[]
}

/** The requests above a percentile, and what their time went to. */
export interface SummaryTail {
  readonly stage: 'q2c' | 'd2c'
  readonly percentile: number
  readonly threshold_ns: number
  readonly requests: number
  readonly total_ns: number
  /** Mean number of others in flight at their D. */
  readonly in_flight: number
  /** Requests in flight, not exceeded for 95 % of the time. */
  readonly full: number
  /** The largest first. */
  readonly causes: readonly TailShare[]
  /** Processes that were served while requests of others were held, and their share of that time. */
  readonly served?: readonly { readonly pid: number; readonly name: string; readonly share: number }[]
  /** The slowest first. */
  readonly slowest: readonly SlowRequest[]
  /** Causes that the recording cannot show, with the reason. */
  readonly absent?: Readonly<Record<string, string>>
}

/** Extra I/O of members of an array. */
export interface SummaryExtra {
  /** Absent where others read from them, too. */
  readonly reads?: number
  readonly read_bytes: number
  readonly write_bytes: number
}

export interface SummaryMembers {
  /** `major,minor` of those that are there. */
  readonly members: readonly string[]
  /** Disks of the array. */
  readonly of: number
  /** Whether the estimate is for exactly these disks, or their share of the total. */
  readonly by_disk: boolean
  /** Bytes that they would have written if all stripes were complete. */
  readonly ideal_bytes: number
  readonly counted: SummaryExtra
  readonly estimated: SummaryExtra
  readonly own_write_bytes: number
  /** Smaller sum of bytes as a share of the larger. */
  readonly agreement: number
}

/** Steps of a clock that make times unreliable. */
export interface SummaryClock {
  /** Of the largest step. */
  readonly cpu: number
  readonly steps: number
  /** ns. */
  readonly largest: number
}

/** A time in which events of a device were lost on a CPU, ns. */
export interface SummaryHole {
  /** `major,minor`. */
  readonly device: string
  readonly cpu: number
  readonly from: number
  readonly to: number
  readonly reason: 'sequence-gap' | 'silence'
  readonly lost?: number
  readonly strays?: number
}

/** A file with counters, on the clock of the run. */
export interface SummaryCounters extends LaneSource {
  readonly lanes: readonly SummaryLane[]
}

export interface SummaryLane extends Lane {
  /** Weighted by time within the run. */
  readonly mean: number
  readonly min: number
  readonly max: number
  /** In the run. */
  readonly samples: number
}

export interface SummaryTrace {
  readonly name: string
  readonly label: string
  readonly format: string
  readonly files: readonly { readonly name: string; readonly bytes: number; readonly records: number }[]
  /** The part of the recording that was read, if not all. */
  readonly window?: TimeWindow
  readonly quality: {
    readonly lost_events: number
    /** From the tracer's log; absent without one. */
    readonly tracer_dropped?: number
    readonly truncated_bytes: number
    readonly unknown_records: number
    readonly unmatched: { readonly Q: number; readonly D: number; readonly C: number }
    /** Issues of requests that had been issued before, in recordings without R. */
    readonly reissued?: number
    /** Commands of the nvme and scsi drivers, if they were recorded. */
    readonly drivers?: DriverCommands
    readonly holes: readonly SummaryHole[]
    /** Absent where times are reliable. */
    readonly clock?: SummaryClock
    readonly warnings: readonly Warning[]
  }
  readonly processes: readonly {
    readonly pid: number
    readonly name: string
    readonly queued: number
    readonly bytes: number
  }[]
  /** What held the run back, by what it shows itself; of the device that a comparison would choose. */
  readonly findings?: readonly SummaryFinding[]
  readonly devices: readonly SummaryDevice[]
  /** Notes; on the command line only. */
  readonly notes?: readonly TraceNote[]
  /** Counters of other tools next to the trace; absent without any. */
  readonly counters?: readonly SummaryCounters[]
  /** Figures of a benchmark, from notes; on the command line only. */
  readonly bench?: readonly BenchFigure[]
  /** What the format lacks, in words; figures that need it are absent. */
  readonly not_in_format?: readonly string[]
}
