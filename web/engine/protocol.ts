/**
 * What crosses between the page and the engine: questions the size of pixels, and their answers.
 * The Rust engine (parser-wasm) answers the same questions in a worker, in Node and in tests.
 * Rows never cross, except the few requests that are drawn as single marks or listed on one page of a table.
 *
 * Times are ns since the trace's first event; sectors are 512 bytes. `undefined` means "not applicable", never 0.
 */
import type { Bytes, Ns, Sector } from '../lib/units'
import type { SummaryTrace } from './summary'

/** What went wrong, where, what it usually means and what to do. Codes are stable. */
export interface EngineError {
  readonly code: string
  /** One sentence: what was found. */
  readonly message: string
  /** The place: file name, and the byte in it when known. */
  readonly at?: { readonly file: string; readonly byte?: number; readonly size?: number }
  /** What this usually means and what to do about it. */
  readonly remedy?: string
}

/** A warning that came with a result: the trace is shown, and this is said beside it. */
export interface Warning extends EngineError {
  /** What was kept in spite of it, in words. */
  readonly kept?: string
}

export type DeviceRole = 'disk' | 'remapped' | 'stacked'

export interface DeviceInfo {
  /** Index used in all queries. */
  readonly index: number
  /** `major,minor`, as native tools print it. */
  readonly dev: string
  /** Base name of its files when they name a device (`vda`, `md0`), else `dev`. */
  readonly name: string
  /** `disk` has issues (D); `stacked` (md) and `remapped` (dm linear) have only Q and C: no queue depth. */
  readonly role: DeviceRole
  readonly events: number
  /** Rows of the request table: requests of a disk, bios of a stacked device. */
  readonly requests: number
  /** Lowest and one past the highest sector of any request. */
  readonly lba: readonly [Sector, Sector]
  /** First Q and last C. */
  readonly active: readonly [Ns, Ns]
}

export interface ProcessInfo {
  /** Index used in queries. One entry a pid. */
  readonly index: number
  readonly pid: number
  /** Last known name; `pid 123` when no PROCESS record named it. */
  readonly name: string
  /** Device through which its bios came (partition, dm) when a remap names one: `254,1`. */
  readonly via?: string
  readonly queued: number
  readonly bytes: Bytes
}

export interface TraceInfo {
  readonly name: string
  /** Guessed from file and folder names. */
  readonly label: string
  readonly format: string
  readonly files: readonly { readonly name: string; readonly bytes: number; readonly records: number }[]
  /** False while the trace is still being read: every figure is "so far". */
  readonly complete: boolean
  /** Last event's time. */
  readonly span: Ns
  /** Wall clock at time 0, ms since 1970, when a TIMESTAMP record gives it. */
  readonly startedAt?: number
  readonly events: number
  readonly requests: number
  readonly messages: number
  readonly cpus: readonly number[]
  /** Most active first; a stacked device (md) stands before its members. */
  readonly devices: readonly DeviceInfo[]
  readonly processes: readonly ProcessInfo[]
  readonly quality: {
    readonly lostEvents: number
    readonly truncatedBytes: number
    readonly unknownRecords: number
    readonly unmatched: { readonly Q: number; readonly D: number; readonly C: number }
    readonly warnings: readonly Warning[]
  }
}

/** Stripe geometry of an array. Sizes in sectors. */
export interface Geometry {
  readonly level: 'raid0' | 'raid5' | 'raid6' | 'raid10' | 'none'
  readonly unit: Sector
  readonly dataDisks: number
  /** First sector of the array or partition. */
  readonly start: Sector
}

export const OPS = ['read', 'write', 'discard', 'flush'] as const
export type Op = (typeof OPS)[number]
export const FLAGS = ['sync', 'fua', 'meta', 'ahead', 'preflush', 'passthrough'] as const
export type Flag = (typeof FLAGS)[number]
export const ALIGNMENT_CLASSES = ['full', 'unit', 'inside', 'straddles'] as const
export type AlignmentClass = (typeof ALIGNMENT_CLASSES)[number]
export const STAGES = ['q2c', 'd2c', 'q2d', 'q2g', 'g2i', 'i2d', 'g2d'] as const
export type Stage = (typeof STAGES)[number]

/** Which requests of one device take part. What is absent does not restrict. */
export interface Filter {
  /** `DeviceInfo.index`. */
  readonly device: number
  readonly hideOps?: readonly Op[]
  /** A request that carries one of these is left out. */
  readonly hideFlags?: readonly Flag[]
  /** `ProcessInfo.index` of those left out. */
  readonly hideProcesses?: readonly number[]
  readonly hideCpus?: readonly number[]
  /** Needs `geometry`. */
  readonly hideAlignment?: readonly AlignmentClass[]
  readonly geometry?: Geometry
  /** [from, to): requests that touch it; flushes have no place and are left out. */
  readonly lba?: readonly [Sector, Sector]
  /** Least and most length, both included. */
  readonly sectors?: readonly [number, number]
  /** Least and most Q2C (D2C where no Q is known), ns, both included; leaves out what did not complete. Bios as queued are not judged by it. */
  readonly latency?: readonly [Ns, Ns]
}

/**
 * [from, to) in ns; one that ends at `TraceInfo.span` includes the last event. A request belongs to the range in which it
 * starts (D of a disk's request, Q of a stacked device's bio), so counts of neighbouring ranges add up; where it is otherwise, it is said.
 */
export interface Range {
  readonly t0: Ns
  readonly t1: Ns
}

/** A part of the LBA axis and the pixel rows it is drawn on; y0 < y1 counted from the top; high LBA is on top. */
export interface Band {
  readonly lba0: Sector
  readonly lba1: Sector
  readonly y0: number
  readonly y1: number
}

/**
 * What the colour of the seek map means. Class numbers: `op` and `alignment` index OPS and ALIGNMENT_CLASSES;
 * `process` gives `slots[ProcessInfo.index]` (unknown process: the highest slot, 5);
 * `size` 0..5: up to 4, 16, 64, 256, 1024 KiB, larger; `latency` 0..5 (Q2C or D2C): up to 0.1, 1, 10, 100 ms, 1 s, longer;
 * `sync` 0..3: async, sync, FUA, flush (also preflush). What did not complete has latency class 5; a flush has alignment class 255 (none).
 */
export type Layer = 'density' | 'op' | 'alignment' | 'process' | 'size' | 'latency' | 'sync'

/**
 * One entry a request that is alive in the range (from its Q to its C), in time order. A request is drawn from `issued` to
 * `completed`, what was held before (from `queued` on) as a line.
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
  /** Class by the asked-for layer. */
  readonly cls: Uint8Array
  /** Index into OPS. */
  readonly op: Uint8Array
}

/**
 * Requests per pixel cell, column-major: cell (x, y) is at x * h + y, y from the top. A request stands in the column in which it
 * starts, and counts once in each row that it touches: large requests are as tall as they are. Flushes have no place and no cell.
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

/** Per bin of equal width, t0..t1 in n bins. A bin is weighed over its part within the trace; beyond the trace everything is 0. */
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
 * Completed per bin, by C events; passthrough and flushes are in none. With a filter on process, CPU or latency a request counts
 * whole in the bin of its last C.
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
  /** Percentile curve, 0..1 ascending and dense towards 1, and its latency within 0.4 %; the figures above are exact, NaN when n is 0. */
  readonly p: Float64Array
  readonly ns: Float64Array
  /** Histogram over log-spaced latencies, 8 an octave: lower edge of each bucket, count. The last one is empty and closes the one before. */
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
  /** Stripes covered whole and in part by writes. */
  readonly stripes: { readonly full: number; readonly partial: number }
  /** Estimated extra device I/O for partial stripes. */
  readonly rmw: { readonly reads: number; readonly writes: number; readonly extraBytes: Bytes }
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

export interface LifeEvent {
  /** Action letter as blkparse prints it. */
  readonly action: string
  readonly rwbs: string
  readonly at: Ns
  readonly cpu: number
  readonly pid: number
  readonly process: string
  readonly sector: Sector
  readonly sectors: number
}

export interface LifeBio {
  readonly sector: Sector
  readonly sectors: number
  readonly queuedAt: Ns
  readonly pid: number
  readonly process: string
  /** How it joined the request. */
  readonly joined: 'first' | 'back-merge' | 'front-merge' | 'request-merge' | 'split'
}

/** The whole life of one request. */
export interface Life {
  readonly row: number
  readonly dev: string
  readonly op: Op
  readonly rwbs: string
  readonly sector: Sector
  readonly sectors: number
  readonly pid: number
  readonly process: string
  readonly via?: string
  readonly submitCpu?: number
  readonly completeCpu?: number
  /** errno (5 for EIO); absent when it succeeded. */
  readonly error?: number
  readonly queued?: Ns
  readonly allocated?: Ns
  readonly inserted?: Ns
  readonly issued?: Ns
  readonly completed?: Ns
  readonly alignment?: AlignmentClass
  readonly events: readonly LifeEvent[]
  readonly bios: readonly LifeBio[]
  /** Requests of the same device issued between this one's Q and D, by process, most first. */
  readonly overtaken: readonly { readonly process: string; readonly n: number }[]
  /** 1 = the longest Q2C (D2C without Q) of the device. */
  readonly rank: number
}

export interface RequestRow {
  readonly row: number
  readonly op: Op
  readonly rwbs: string
  readonly sector: Sector
  readonly sectors: number
  readonly process: string
  readonly queued?: Ns
  readonly issued?: Ns
  readonly completed?: Ns
}

/** Which lines an event list shows. What is absent does not restrict. */
export interface EventFilter {
  /** Letters as blkparse prints them; `m` for messages. */
  readonly actions?: readonly string[]
  /** Plugs and messages have no operation. */
  readonly ops?: readonly Op[]
  /** `DeviceInfo.index`. */
  readonly devices?: readonly number[]
  /** `ProcessInfo.index` of the running task. */
  readonly processes?: readonly number[]
  readonly cpus?: readonly number[]
  /** [from, to): events that touch it. */
  readonly lba?: readonly [Sector, Sector]
  readonly range?: Range
  /** All of them stand in the printed line, in any case of letters. */
  readonly text?: readonly string[]
  /** Plugs and messages stay. */
  readonly hideOps?: readonly Op[]
  readonly hideFlags?: readonly Flag[]
  readonly hideProcesses?: readonly number[]
  readonly hideCpus?: readonly number[]
}

/** A line as blkparse prints it, in its columns. */
export interface EventRow {
  /** Number among all events and messages: the key for `eventRequest`. */
  readonly entry: number
  readonly at: Ns
  readonly dev: string
  readonly cpu: number
  readonly pid: number
  readonly action: string
  readonly rwbs: string
  /** What stands behind the flags. */
  readonly tail: string
}

/** A filter is applied piece by piece, a piece a question: while `examined` is less than `of`, `total` is "so far" and the question is to be asked again. */
export interface Examined {
  readonly total: number
  readonly examined: number
  readonly of: number
}

/** Every question, its parameters and its answer. Numbers of pixels, bins and rows are cut at 8192, marks at 65536. */
export interface Queries {
  info: { ask: object; answer: TraceInfo }
  summary: { ask: { geometry?: Geometry; range?: Range }; answer: SummaryTrace }
  facets: { ask: { filter: Filter; range?: Range }; answer: Facets }
  /** Parts of the LBA axis in which requests fall, ascending; neighbours closer than `gapShare` of the whole are one. */
  bands: { ask: { filter: Filter; range: Range; most: number; gapShare: number }; answer: { bands: [Sector, Sector][] } }
  /** Marks when at most `marks` requests are in view, else the grid. */
  seekMap: {
    ask: { filter: Filter; range: Range; bands: readonly Band[]; w: number; h: number; layer: Layer; slots?: readonly number[]; marks: number }
    answer: Marks | Grid
  }
  depth: { ask: { device: number; range: Range; n: number }; answer: DepthSeries }
  /** Starved intervals (begin, end, begin, ...); `exact` false when there are more than `most`: then only the first are given. */
  starved: { ask: { device: number; range: Range; most: number }; answer: { intervals: Float64Array; exact: boolean } }
  rate: { ask: { filter: Filter; range: Range; n: number }; answer: RateSeries }
  /** Column-major like Grid; y is log-scaled from `low` (bottom row) to `high` (top row); what lies beyond is in the edge row. */
  latencyGrid: {
    ask: { filter: Filter; range: Range; stage: Stage; w: number; h: number; low: Ns; high: Ns }
    answer: { w: number; h: number; n: number; counts: Uint32Array; max: number }
  }
  distribution: { ask: { filter: Filter; range: Range; stage: Stage }; answer: Distribution }
  /** Mean of each stage over requests that have it. */
  stages: { ask: { filter: Filter; range: Range }; answer: { stages: readonly { stage: Stage; n: number; mean: Ns; median: Ns }[] } }
  /** `queued`: by Q; `issued`: by D, none on a stacked device; `completed`: by C. With a filter on process, CPU or latency by whole requests. */
  sizes: { ask: { filter: Filter; range: Range; at: 'queued' | 'issued' | 'completed' }; answer: Sizes }
  alignment: { ask: { filter: Filter; range: Range; geometry: Geometry }; answer: Alignment }
  /** The request nearest to a point, within the tolerances; marks before held lines; row -1 when there is none. */
  hit: { ask: { filter: Filter; t: Ns; lba: Sector; dt: Ns; dlba: Sector }; answer: { row: number } }
  life: { ask: { row: number; geometry?: Geometry }; answer: Life }
  /** Requests without a latency stand last in either direction. At most 8192 rows a page. */
  requests: {
    ask: { filter: Filter; range: Range; sort: 'time' | 'latency' | 'size' | 'lba'; descending: boolean; offset: number; limit: number }
    answer: { total: number; rows: readonly RequestRow[] }
  }
  /** A page of the event list, at most 8192 lines. */
  events: { ask: { filter: EventFilter; offset: number; limit: number }; answer: Examined & { rows: readonly EventRow[] } }
  /** The same lines as text, each with its line end. */
  eventText: { ask: { filter: EventFilter; offset: number; limit: number }; answer: Examined & { text: string } }
  /** Line of the first match at or after `time`, `total` when there is none; absent until it is known. `sector` picks among events of that very time. */
  findEvent: { ask: { filter: EventFilter; time: Ns; sector?: Sector }; answer: Examined & { at?: number } }
  /** Row of the request to which an event belongs; -1 when there is none. */
  eventRequest: { ask: { entry: number }; answer: { row: number } }
}
export type QueryKind = keyof Queries
export type Ask<K extends QueryKind> = Queries[K]['ask']
export type Answer<K extends QueryKind> = Queries[K]['answer']

/** Anything that answers questions about one trace: the worker's client, or a stand-in in a gallery. */
export interface TraceClient {
  /** Rejects with an EngineError, or with an AbortError when a newer question of the same `channel` overtook it. */
  query<K extends QueryKind>(kind: K, ask: Ask<K>, channel?: string): Promise<Answer<K>>
}

export interface Progress {
  readonly bytes: number
  readonly totalBytes: number
  readonly events: number
  /** Since opening. */
  readonly elapsedMs: number
}

/** A file of a trace. */
export interface Part {
  readonly name: string
  readonly blob: Blob
}

/** A file as it was dropped or picked. */
export interface DroppedFile extends Part {
  /** Folders and name, as far as the browser tells; the name alone otherwise. */
  readonly path: string
  /** ms since 1970. */
  readonly lastModified: number
}

/** How far an archive or a compressed file was unpacked. */
export interface Unpacking {
  readonly path: string
  /** Of the file as it was dropped. */
  readonly bytes: number
  readonly totalBytes: number
}

/** Which files make up which traces. Numbers are indices of `files`. */
export interface Grouping {
  /** The dropped files; archives and compressed files are replaced by what is in them. */
  readonly files: readonly DroppedFile[]
  /** What could not be unpacked, or not to its end. */
  readonly problems: readonly (EngineError | Warning)[]
  readonly traces: readonly { readonly name: string; readonly label: string; readonly parts: readonly number[] }[]
  /** Neither part of a trace nor text that goes with one. */
  readonly rejected: readonly { readonly index: number; readonly error: EngineError }[]
  /** Text found beside the traces (logs, uname, fio output). */
  readonly notes: readonly number[]
}

/** Page to worker. The first message is `open` or `group`. */
export type ToWorker =
  | {
      readonly type: 'open'
      readonly module: WebAssembly.Module
      readonly name: string
      readonly label: string
      readonly parts: readonly Part[]
    }
  | { readonly type: 'group'; readonly module: WebAssembly.Module; readonly files: readonly DroppedFile[] }
  | { readonly type: 'query'; readonly id: number; readonly kind: QueryKind; readonly ask: unknown }

/** Worker to page. */
export type FromWorker =
  | { readonly type: 'progress'; readonly progress: Progress }
  /** The picture so far may be asked for; sent about every 100 ms while reading. */
  | { readonly type: 'partial'; readonly info: TraceInfo }
  | { readonly type: 'ready'; readonly info: TraceInfo }
  | { readonly type: 'failed'; readonly error: EngineError }
  | { readonly type: 'unpacking'; readonly progress: Unpacking }
  | { readonly type: 'grouped'; readonly grouping: Grouping }
  | { readonly type: 'answer'; readonly id: number; readonly answer: unknown }
  | { readonly type: 'refused'; readonly id: number; readonly error: EngineError }
