/** All queries of a trace. */
import type { Ns, Sector } from '../../lib/units'
import type { SummaryTail, SummaryTrace } from '../summary'
import type { CompareDocument, CompareQuery, MatrixAnswer, MatrixQuery } from './compare'
import type { Digest } from './digest'
import type { EventFilter, EventRow, SearchProgress } from './events'
import type { Band, Filter, Geometry, Range, Stage } from './filter'
import type { LaneList } from './lanes'
import type {
  Alignment,
  DepthSeries,
  Distribution,
  Facets,
  FailureMarks,
  Grid,
  Layer,
  Marks,
  RateSeries,
  Sizes,
  StripeTime,
  ZoneMarks,
} from './pictures'
import type { NextStep, PlaybackMoments } from './playback'
import type { Life, RequestColumns, RequestRow } from './requests'
import type { Snapshot, SnapshotQuery, SnapshotSize, TraceSnapshot } from './snapshot'
import type { TraceInfo } from './trace'

/**
 * All queries with their parameters and answers. At most 8192 pixels, bins or rows per answer (`MAX_POINTS` in
 * core/src/plot), and 65536 marks.
 */
export interface Queries {
  info: { ask: object; answer: TraceInfo }
  summary: { ask: { geometry?: Geometry; range?: Range }; answer: SummaryTrace }
  digest: { ask: { geometry?: Geometry; range?: Range }; answer: Digest }
  /** Of no single trace: any worker answers. */
  compare: { ask: CompareQuery; answer: CompareDocument }
  /** The same as plain text: ASCII, 72 columns. */
  compareText: { ask: CompareQuery & { readonly anonymous?: boolean }; answer: { readonly text: string } }
  /** Of no one trace, like `compare`. */
  compareMatrix: { ask: MatrixQuery; answer: MatrixAnswer }
  /** The trace's part of a snapshot. */
  snapshot: { ask: SnapshotQuery; answer: TraceSnapshot }
  /**
   * Of no single trace: a snapshot as text for a URL. Of size XS `step` is the number of the attempt, `finding` the
   * rank of the one that is shown.
   */
  packSnapshot: {
    ask: { snapshot: Snapshot; size: SnapshotSize; step?: number; finding?: number }
    answer: { readonly text: string }
  }
  facets: { ask: { filter: Filter; range?: Range }; answer: Facets }
  /** Parts of the LBA axis with requests, ascending; parts closer than `gapShare` of the extent are merged. */
  bands: {
    ask: { filter: Filter; range: Range; most: number; gapShare: number }
    answer: { bands: [Sector, Sector][] }
  }
  /** Marks when at most `marks` requests are in view, else the grid. */
  seekMap: {
    ask: {
      filter: Filter
      range: Range
      bands: readonly Band[]
      w: number
      h: number
      layer: Layer
      slots?: readonly number[]
      marks: number
    }
    answer: Marks | Grid
  }
  /** Completions with an error in the range. */
  failures: {
    ask: {
      filter: Filter
      range: Range
      bands?: readonly Band[]
      w: number
      h: number
      latency?: { stage: Stage; low: Ns; high: Ns }
    }
    answer: FailureMarks
  }
  /** Of a device with `zones`. At most `most` marks (8192 if it is more); appends have marks only if all have room. */
  zones: { ask: { device: number; range: Range; most: number }; answer: ZoneMarks }
  depth: { ask: { device: number; range: Range; n: number }; answer: DepthSeries }
  /**
   * Starved intervals (begin, end, begin, ...); `exact` false when there are more than `most`: then only the first are
   * given.
   */
  starved: { ask: { device: number; range: Range; most: number }; answer: { intervals: Float64Array; exact: boolean } }
  /** Counters of other tools, and their figures within the range. */
  lanes: { ask: { range?: Range }; answer: LaneList }
  /** Mean per bin, lane by lane (`n` values each); NaN where there is none. At most 64 lanes. */
  laneSeries: { ask: { lanes: readonly number[]; range: Range; n: number }; answer: { values: Float64Array } }
  rate: { ask: { filter: Filter; range: Range; n: number }; answer: RateSeries }
  /**
   * Column-major like Grid; y is log-scaled from `low` (bottom row) to `high` (top row); values outside are in the edge
   * rows.
   */
  latencyGrid: {
    ask: { filter: Filter; range: Range; stage: Stage; w: number; h: number; low: Ns; high: Ns }
    answer: { w: number; h: number; n: number; counts: Uint32Array; max: number }
  }
  distribution: { ask: { filter: Filter; range: Range; stage: Stage }; answer: Distribution }
  /** Mean of each stage over requests that have it. */
  stages: {
    ask: { filter: Filter; range: Range }
    answer: { stages: readonly { stage: Stage; n: number; mean: Ns; median: Ns }[] }
  }
  /**
   * `queued`: by Q; `issued`: by D, none on a stacked device; `completed`: by C. With a filter on process, CPU or
   * latency by whole requests.
   */
  sizes: { ask: { filter: Filter; range: Range; at: 'queued' | 'issued' | 'completed' }; answer: Sizes }
  alignment: { ask: { filter: Filter; range: Range; geometry: Geometry }; answer: Alignment }
  /**
   * Places within the stripe over time: column-major like Grid, the stripe's start in the bottom row. `w` columns, `h`
   * rows.
   */
  stripeTime: { ask: { filter: Filter; range: Range; geometry: Geometry; w: number; h: number }; answer: StripeTime }
  /**
   * The request nearest to a point, within the tolerances; marks are preferred to waiting lines; row -1 when there is
   * none.
   */
  hit: { ask: { filter: Filter; t: Ns; lba: Sector; dt: Ns; dlba: Sector }; answer: { row: number } }
  /**
   * What the time of the slowest requests went to; without `percentile` of all of them (at most the 200,000
   * slowest), with `row` of that one wherever it is. Absent where none has a latency.
   */
  tail: { ask: { filter: Filter; range: Range; percentile?: number; row?: number }; answer: { tail?: SummaryTail } }
  /** The request with the longest time in a stage, from `low` and below `high`; row -1 when there is none. */
  slowest: { ask: { filter: Filter; range: Range; stage: Stage; low: Ns; high?: Ns }; answer: { row: number } }
  /**
   * The state at moments `step` ns apart, from `at` on; rates are of `window` ns. At most 512 moments and 16384
   * requests: with more in flight it answers fewer moments, at least one.
   */
  playback: {
    ask: {
      filter: Filter
      at: Ns
      step: Ns
      n: number
      window: Ns
      layer: Layer
      slots?: readonly number[]
      most: number
    }
    answer: PlaybackMoments
  }
  /**
   * The nearest time after `t`, or before it with `by` -1, at which something is issued (a bio of a stacked device:
   * queued) or completed.
   */
  nextStep: { ask: { filter: Filter; t: Ns; by: 1 | -1 }; answer: NextStep }
  life: { ask: { row: number; geometry?: Geometry }; answer: Life }
  /** Requests without a latency are last in either direction. At most 8192 rows per page. */
  requests: {
    ask: {
      filter: Filter
      range: Range
      sort: 'time' | 'latency' | 'size' | 'lba'
      descending: boolean
      offset: number
      limit: number
    }
    answer: { total: number; rows: readonly RequestRow[] }
  }
  /** For exports only. Without a filter all devices; at most 65536 rows per answer. */
  columns: { ask: { filter?: Filter; range?: Range; from: number; limit: number }; answer: RequestColumns }
  /** A page of the event list, at most 8192 lines. */
  events: {
    ask: { filter: EventFilter; offset: number; limit: number }
    answer: SearchProgress & { rows: readonly EventRow[] }
  }
  /** The same lines as text, each with its line end. */
  eventText: { ask: { filter: EventFilter; offset: number; limit: number }; answer: SearchProgress & { text: string } }
  /**
   * Line of the first match at or after `time`, `total` when there is none; absent until it is known. `sector` selects
   * among events at the same time.
   */
  findEvent: { ask: { filter: EventFilter; time: Ns; sector?: Sector }; answer: SearchProgress & { at?: number } }
  /** Row of the request to which an event belongs; -1 when there is none. */
  eventRequest: { ask: { entry: number }; answer: { row: number } }
  /** The closing summary of `blkparse -i`, or btt's tables, for the complete trace. */
  nativeText: { ask: { tool: NativeTool }; answer: { text: string } }
}
export const NATIVE_TOOLS = ['blkparse', 'btt'] as const
export type NativeTool = (typeof NATIVE_TOOLS)[number]

export type QueryKind = keyof Queries
export type Query<K extends QueryKind> = Queries[K]['ask']
export type QueryAnswer<K extends QueryKind> = Queries[K]['answer']

/** Answers queries of one trace: the worker's client, or a substitute in tests. */
export interface TraceClient {
  /** Rejects with an EngineError, or with an AbortError when a newer query of the same `channel` replaced it. */
  query<K extends QueryKind>(kind: K, ask: Query<K>, channel?: string): Promise<QueryAnswer<K>>
}
