/** Answers one query of the protocol with the engine's bindings. Shared by the worker and the command line. */
import type { QueryKind, ResultsClient, TraceClient } from './protocol'

/** Functions of the WASM bindings that need no trace. */
export interface EngineFunctions {
  compare(query: string): unknown
  compareMatrix(query: string): unknown
  compareText(query: string): string
  packSnapshot(query: string): string
}

/** A trace or a trace snapshot in the engine. */
export interface Queryable {
  query(kind: string, query: string): unknown
}

/** Throws an EngineError. */
export function answerOf(engine: EngineFunctions, trace: Queryable, kind: QueryKind, query: unknown): unknown {
  const json = JSON.stringify(query)
  switch (kind) {
    case 'compare':
      return engine.compare(json)
    case 'compareMatrix':
      return engine.compareMatrix(json)
    case 'compareText':
      return { text: engine.compareText(json) }
    case 'packSnapshot':
      return { text: engine.packSnapshot(json) }
    default:
      return trace.query(kind, json)
  }
}

/** A client without a worker: it answers at once. */
export const directClient = (engine: EngineFunctions, trace: Queryable): TraceClient => ({
  query: (async (kind: QueryKind, query: unknown) => answerOf(engine, trace, kind, query)) as TraceClient['query'],
})

/** Functions of the WASM bindings for results without a trace. */
export interface ResultsFunctions {
  arrangeResults(query: string): unknown
  resultsText(query: string): string
  packSnapshot(query: string): string
}

/** Throws an EngineError. */
export function resultsAnswer(engine: ResultsFunctions, kind: keyof ResultsClient, query: unknown): unknown {
  const json = JSON.stringify(query)
  switch (kind) {
    case 'arrange':
      return engine.arrangeResults(json)
    case 'text':
      return engine.resultsText(json)
    case 'pack':
      return engine.packSnapshot(json)
  }
}

/** `ask` answers each query. */
export function resultsClient(ask: (kind: keyof ResultsClient, query: unknown) => Promise<unknown>): ResultsClient {
  const askFor = (kind: keyof ResultsClient) => (query: unknown) => ask(kind, query)
  return { arrange: askFor('arrange'), text: askFor('text'), pack: askFor('pack') } as ResultsClient
}
