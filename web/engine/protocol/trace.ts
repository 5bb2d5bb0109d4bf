/** A trace, its devices, processes and quality; what went wrong. */
import type { DriverCommands } from '../../lib/drivers'
import type { Bytes, Ns, Sector } from '../../lib/units'

/** What went wrong, where, what it usually means and what to do. Codes are stable. */
export interface EngineError {
  readonly code: string
  /** One sentence: what was found. */
  readonly message: string
  /** The place: file name, and the byte in it when known; of a text also the line, from 1. */
  readonly at?: { readonly file: string; readonly line?: number; readonly byte?: number; readonly size?: number }
  /** What this usually means and what to do about it. */
  readonly remedy?: string
}

/** A warning about a trace that is shown anyway. */
export interface Warning extends EngineError {
  /** What was kept in spite of it, in words. */
  readonly kept?: string
}

export type DeviceRole = 'disk' | 'remapped' | 'stacked'

/** When the mark of a row is: D to C; Q to C; at C; at D; at Q. Decided by the actions that were recorded. */
export type RowMeaning = 'request' | 'bio' | 'completion' | 'issue' | 'queue'

/** Names of charts in `DeviceInfo.absent`. */
export type ChartName =
  | 'seekMap'
  | 'depth'
  | 'latency'
  | 'stages'
  | 'flushes'
  | 'alignment'
  | 'stripes'
  | 'sizes'
  | 'throughput'
  | 'life'
  | 'processes'
  /** Actions of zones, in the seek map; only of zoned disks. */
  | 'zones'

export interface DeviceInfo {
  /** Index used in all queries. */
  readonly index: number
  /** `major,minor`, as native tools print it. */
  readonly dev: string
  /** Base name of its files when they name a device (`vda`, `md0`), else `dev`. */
  readonly name: string
  /** `disk` has issues (D); `stacked` (md) and `remapped` (dm linear) have only Q and C: no queue depth. */
  readonly role: DeviceRole
  /** Letters of the actions that occurred: `QGIDC`. Absent in snapshots of older versions. */
  readonly recorded?: string
  /** Absent in snapshots of older versions. */
  readonly row?: RowMeaning
  /** Actions are missing that such a device has. */
  readonly masked?: true
  /**
   * Charts that the recorded actions do not suffice for, with the reason in words; until the trace is complete, only
   * the queue depth before the first D.
   */
  readonly absent?: Readonly<Partial<Record<ChartName, string>>>
  readonly events: number
  /** Rows of the request table: requests of a disk, bios of a stacked device. */
  readonly requests: number
  /** Lowest and one past the highest sector of any request. */
  readonly lba: readonly [Sector, Sector]
  /** First Q and last C. */
  readonly active: readonly [Ns, Ns]
  /** Of a zoned disk whose zones are known from notes, when the trace is complete. */
  readonly zones?: DeviceZones
}

export interface DeviceZones {
  /** Size of a zone. */
  readonly sectors: Sector
  /** First and last sector of what may be written anywhere, ascending; absent if the types of zones are not known. */
  readonly conventional?: readonly (readonly [Sector, Sector])[]
}

export interface ProcessInfo {
  /** Index used in queries. One entry per pid. */
  readonly index: number
  readonly pid: number
  /** Last known name; `pid 123` when no PROCESS record named it. */
  readonly name: string
  /** Device through which its bios came (partition, dm) when a remap names one: `254,1`. */
  readonly via?: string
  readonly queued: number
  readonly bytes: Bytes
}

/** A time in which events of a device were lost on a CPU: from its last event before to its first one after. */
export interface LossInterval {
  /** `DeviceInfo.index`. */
  readonly device: number
  readonly cpu: number
  readonly from: Ns
  readonly to: Ns
  readonly reason: 'sequence-gap' | 'silence'
  /** Missing events, where the sequences count them. */
  readonly lost?: number
  /** Events around that lack their partner, where that is the reason. */
  readonly strays?: number
}

/** A part of a recording, ns since its first event; an end that is absent is open. */
export interface TimeWindow {
  readonly from_ns?: Ns
  readonly to_ns?: Ns
}

/**
 * A section of a trace: its time, and of each file the byte from which on it is read to know what is in flight, and the
 * byte at which it begins.
 */
export interface SectionPlaces {
  /** ns of the trace clock, in decimal digits. */
  readonly time: string
  readonly before: readonly number[]
  readonly begin: readonly number[]
}

/** A trace in sections that are read at once; each ends where the next one begins. */
export interface Cuts {
  /** Time of the first event or message, ns of the trace clock, in decimal digits. */
  readonly origin: string
  /** Those after the first. */
  readonly sections: readonly SectionPlaces[]
}

/** A section for another worker. */
export interface TraceSection {
  /** Of `Cuts.sections`. */
  readonly index: number
  readonly origin: string
  readonly places: SectionPlaces
  /** Absent for the last one. */
  readonly next?: SectionPlaces
}

/** About how large a trace is, before it is read. */
export interface TraceEstimate {
  readonly events: number
  /** Memory that it takes. */
  readonly bytes: number
  /** Events that fit. */
  readonly fits: number
  /** Memory for them. */
  readonly capacity: number
  /** From the first to the last event. */
  readonly length: Ns
  /**
   * Events of the complete trace in equal slices of its length; absent if too little of its files can be read before.
   */
  readonly overTime?: readonly number[]
  /** A part that fits, if the trace does not. */
  readonly window?: TimeWindow
  /** That it does not fit. */
  readonly error?: EngineError
}

export interface TraceInfo {
  readonly name: string
  /** Guessed from file and folder names. */
  readonly label: string
  readonly format: string
  /** What the format lacks, in words; empty for blktrace's own files. */
  readonly absent?: readonly string[]
  readonly files: readonly { readonly name: string; readonly bytes: number; readonly records: number }[]
  /** The part of the recording that was read, if not all. */
  readonly window?: TimeWindow
  /** False while the trace is still being read: every figure is "so far". */
  readonly complete: boolean
  /** Last event's time. */
  readonly span: Ns
  /** Wall clock at time 0, ms since 1970, when a TIMESTAMP record gives it. */
  readonly startedAt?: number
  readonly events: number
  readonly requests: number
  readonly messages: number
  /** Files with counters next to the trace, and kinds of tracepoints with values; absent without any. */
  readonly laneSources?: number
  /** Of a snapshot: lanes of the trace that it does not have; absent if it has all. */
  readonly lanesLeftOut?: number
  /** Of a snapshot of size XS: warnings and loss intervals that it does not have; absent if it has all. */
  readonly warningsLeftOut?: number
  readonly cpus: readonly number[]
  /** Most active first; a stacked device (md) comes before its members. */
  readonly devices: readonly DeviceInfo[]
  readonly processes: readonly ProcessInfo[]
  readonly quality: {
    /** From gaps in the sequence numbers or from the tracer's log, whichever is greater. */
    readonly lostEvents: number
    /** By the tracer's log; absent without one. */
    readonly tracerDropped?: number
    readonly truncatedBytes: number
    readonly unknownRecords: number
    /** Issues of requests that had been issued before, in recordings without R. */
    readonly reissued?: number
    /** Commands of the nvme and scsi drivers, if they were recorded. */
    readonly drivers?: DriverCommands
    readonly unmatched: { readonly Q: number; readonly D: number; readonly C: number }
    readonly holes: readonly LossInterval[]
    readonly warnings: readonly Warning[]
  }
}
