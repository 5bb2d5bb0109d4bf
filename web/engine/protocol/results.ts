/** The engine for results of benchmarks without a trace. */
import type { PackSnapshotParams, ResultsDocument, ResultsQuery, ResultsReading } from '../generated/protocol'

/** Results, and how the texts were read. */
export interface ReadResults {
  readonly document: ResultsDocument
  readonly reading: ResultsReading
}

/** What the engine answers without a trace. Rejects with an EngineError. */
export interface ResultsClient {
  /** The tables, one of them laid out anew. */
  arrange(query: ResultsQuery): Promise<ResultsDocument>
  /** The results as plain text: ASCII, 72 columns. */
  text(query: ResultsQuery): Promise<string>
  /** A snapshot as text for a URL. */
  pack(query: PackSnapshotParams): Promise<string>
}
