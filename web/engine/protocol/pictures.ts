/** What charts draw: marks, grids, series, distributions, sizes, alignment, and the facets of the filters. */
import type { Bytes, Ns } from '../../lib/units'
import type { ZoneKind } from '../../lib/zones'
import type { AlignmentClass, Flag, Geometry, Op } from './filter'

/**
 * What the colour of the seek map means. Class numbers: `op` and `alignment` index OPS and ALIGNMENT_CLASSES;
 * `process` gives `slots[ProcessInfo.index]` (unknown process: the highest slot, 5); `size` 0..5: up to 4, 16, 64,
 * 256, 1024 KiB, larger; `latency` 0..5 (Q2C or D2C): up to 0.1, 1, 10, 100 ms, 1 s, longer; `sync` 0..3: async,
 * sync, FUA, flush (also preflush). What did not complete has latency class 5; a flush has alignment class 255
 * (none).
 */
export type Layer = 'density' | 'op' | 'alignment' | 'process' | 'size' | 'latency' | 'sync'

/**
 * One entry a request that is alive in the range (from its Q to its C), in time order. A request is drawn from
 * `issued` to `completed`, its wait before that (from `queued` on) as a line.
 */
export interface Marks {
  readonly kind: 'marks'
  readonly n: number
  /** Row of the request table: the key for `life`. */
  readonly row: Uint32Array
  /** ns; NaN when unknown. */
  readonly queued: Float64Array
  /** D of a disk's request, Q of a stacked device's bio. */
  readonly issued: Float64Array
  /** NaN: not completed within the trace. */
  readonly completed: Float64Array
  /** NaN for a flush: it has no place. */
  readonly lba: Float64Array
  readonly sectors: Float64Array
  /** Class in the queried layer. */
  readonly cls: Uint8Array
  /** Index into OPS. */
  readonly op: Uint8Array
}

/**
 * Requests per pixel cell, column-major: cell (x, y) is at x * h + y, y from the top. A request stands in the column
 * in which it starts, and counts once in each row that it touches: large requests are as tall as they are. Flushes
 * have no place and no cell.
 */
export interface Grid {
  readonly kind: 'grid'
  readonly w: number
  readonly h: number
  /** Requests in the grid, each counted once. */
  readonly n: number
  readonly counts: Uint32Array
  /** The class most frequent in the cell. */
  readonly cls: Uint8Array
  /** Largest count. */
  readonly max: number
}

/** Kinds of marks of zones, by their numbers. */
export const ZONE_KINDS = [
  'off-pointer',
  'refused',
  'reset',
  'reset-all',
  'open',
  'close',
  'finish',
  'action',
  'append',
] as const satisfies readonly ZoneKind[]

/** What happened to the zones of a zoned disk, in time order. */
export interface ZoneMarks {
  readonly n: number
  /** Index into ZONE_KINDS. */
  readonly kind: Uint8Array
  /** D, or C of a write that was refused before it was issued. */
  readonly at: Float64Array
  readonly sector: Float64Array
  readonly sectors: Float64Array
  /** Write pointer of the zone before it; NaN when unknown. */
  readonly pointer: Float64Array
  /** 1 if it failed. */
  readonly failed: Uint8Array
  /** By kind, all of the range. */
  readonly counts: Float64Array
  /** False: there are more than marks. */
  readonly exact: boolean
}

/** Failed requests, in time order: at most one mark per cell, for the first failure in it. */
export interface FailureMarks {
  /** All of the range. */
  readonly n: number
  /** C with the error; with an axis of latency the start of its request, if it has one. */
  readonly at: Float64Array
  /** Of the stage, ns. NaN: it has none, or none was asked for. */
  readonly took: Float64Array
  /** NaN: a flush or a command without a place. */
  readonly sector: Float64Array
  readonly sectors: Float64Array
  readonly errno: Uint32Array
  /** Failures in the cell. */
  readonly count: Uint32Array
  /** Words by errno: `EIO (I/O error)`. */
  readonly errors: Readonly<Record<string, string>>
}

/**
 * Per bin of equal width, t0..t1 in n bins. A bin is weighed over its part within the trace; beyond the trace
 * everything is 0.
 */
export interface DepthSeries {
  /** Requests issued and not completed: time-weighted mean, least and most within the bin. */
  readonly mean: Float64Array
  readonly min: Float64Array
  readonly max: Float64Array
  /** Bios queued and not yet part of an issued request: time-weighted mean and most. */
  readonly waitMean: Float64Array
  readonly waitMax: Float64Array
  /** Share of the bin with depth 0 while something waits, 0..1. */
  readonly starved: Float64Array
}

/**
 * Completed per bin, by C events; passthrough and flushes are in none. With a filter on process, CPU or latency a
 * request counts whole in the bin of its last C.
 */
export interface RateSeries {
  readonly readBytes: Float64Array
  readonly writeBytes: Float64Array
  readonly discardBytes: Float64Array
  readonly readIos: Float64Array
  readonly writeIos: Float64Array
  readonly discardIos: Float64Array
}

export interface Distribution {
  readonly n: number
  readonly min: Ns
  readonly mean: Ns
  readonly max: Ns
  readonly p50: Ns
  readonly p90: Ns
  readonly p95: Ns
  readonly p99: Ns
  readonly p999: Ns
  /**
   * Percentile curve, 0..1 ascending and dense towards 1, and its latency within 0.4 %; the figures above are exact,
   * NaN when n is 0.
   */
  readonly p: Float64Array
  readonly ns: Float64Array
  /**
   * 95 % interval of each point: NaN where too few independent requests are left, the upper end alone where it is open.
   * Absent in short links.
   */
  readonly low?: Float64Array
  readonly high?: Float64Array
  /**
   * Histogram over log-spaced latencies, 8 an octave: lower edge of each bucket, count. The last one is empty and
   * closes the one before.
   */
  readonly edges: Float64Array
  readonly counts: Float64Array
}

/** Exact sizes, ascending. */
export interface Sizes {
  readonly sectors: Float64Array
  readonly reads: Float64Array
  readonly writes: Float64Array
  readonly discards: Float64Array
}

export interface AlignmentCount {
  readonly requests: number
  readonly bytes: Bytes
}

export interface Alignment {
  readonly geometry: Geometry
  readonly n: number
  readonly classes: Readonly<Record<AlignmentClass, AlignmentCount>>
  /** Requests of which an end is no multiple of 4 KiB from the device's start. */
  readonly misaligned4k: number
  /** Where within the stripe requests begin: 64 equal bins of the stripe, reads and writes. */
  readonly startReads: Float64Array
  readonly startWrites: Float64Array
  /** Stripes written completely and partially. */
  readonly stripes: { readonly full: number; readonly partial: number }
  /** Estimated extra device I/O for partial stripes. `told`: the reads are from md's own messages. */
  readonly rmw: { readonly reads: number; readonly writes: number; readonly extraBytes: Bytes; readonly told: boolean }
}

export interface StripeTime {
  readonly w: number
  readonly h: number
  /** Requests with data, and how many of them begin where a stripe begins. */
  readonly n: number
  readonly atStart: number
  /** Requests that touch a cell, in whatever stripes, and those that begin in it. */
  readonly counts: Uint32Array
  readonly begins: Uint32Array
  /** 1 + the place in ALIGNMENT_CLASSES of the class that most of them have; 0 for none. */
  readonly classes: Uint8Array
  /** Largest of `counts`. */
  readonly max: number
  /** Stripes written in full and in part, by column. */
  readonly full: Float64Array
  readonly partial: Float64Array
}

/** How many requests fall to each value, ignoring all hide lists. */
export interface Facets {
  readonly ops: Readonly<Record<Op, number>>
  readonly flags: Readonly<Record<Flag, number>>
  readonly cpus: readonly { readonly cpu: number; readonly n: number }[]
  /** By ProcessInfo.index. */
  readonly processes: readonly { readonly index: number; readonly n: number }[]
  /** Only with a geometry in the filter. */
  readonly alignment?: Readonly<Record<AlignmentClass, number>>
  readonly misaligned4k: number
}
