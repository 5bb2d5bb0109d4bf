/** The engine for results of benchmarks without a trace. */
import type { ResultsDocument, ResultsQuery } from './results'
import type { Snapshot, SnapshotSize } from './snapshot'

/** What the engine answers without a trace. Rejects with an EngineError. */
export interface ResultsClient {
  /** The tables, one of them laid out anew. */
  arrange(query: ResultsQuery): Promise<ResultsDocument>
  /** ASCII, 72 columns. */
  text(query: ResultsQuery): Promise<string>
  /** A snapshot as text for a URL. */
  pack(query: { readonly snapshot: Snapshot; readonly size: SnapshotSize }): Promise<string>
}
