/** All queries: those of a trace, and those that every worker can answer. */
import type {
  CompareDocument,
  CompareQuery,
  MatrixAnswer,
  MatrixQuery,
  PackSnapshotParams,
  SnapshotQuery,
  TextOptions,
  TraceInfo,
  TraceQueries,
  TraceSnapshot,
} from '../generated/protocol'

/** At most 8192 pixels, bins or rows per answer (`MAX_POINTS` in plot/src), and 65536 marks. */
interface Queries extends TraceQueries {
  info: { ask: object; answer: TraceInfo }
  /** Independent of any trace; every worker can answer. */
  compare: { ask: CompareQuery; answer: CompareDocument }
  /** The comparison as plain text: ASCII, 72 columns. */
  compareText: { ask: CompareQuery & TextOptions; answer: { readonly text: string } }
  /** Independent of any trace, like `compare`. */
  compareMatrix: { ask: MatrixQuery; answer: MatrixAnswer }
  /** The trace's part of a snapshot. */
  snapshot: { ask: SnapshotQuery; answer: TraceSnapshot }
  /** Independent of any trace: a snapshot as text for a URL. */
  packSnapshot: { ask: PackSnapshotParams; answer: { readonly text: string } }
}

export type QueryKind = keyof Queries
export type Query<K extends QueryKind> = Queries[K]['ask']
export type QueryAnswer<K extends QueryKind> = Queries[K]['answer']

/** Answers queries of one trace: the worker's client, or a substitute in tests. */
export interface TraceClient {
  /** Rejects with an EngineError, or with an AbortError when a newer query of the same `channel` replaced it. */
  query<K extends QueryKind>(kind: K, ask: Query<K>, channel?: string): Promise<QueryAnswer<K>>
}
