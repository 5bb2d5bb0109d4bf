/** Answers one query of the protocol with the engine's bindings. Shared by the worker and the command line. */
import type { QueryKind, TraceClient } from './protocol'

/** What the bindings answer without a trace. */
export interface EngineFunctions {
  compare(query: string): unknown
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
    case 'compareMatrix':
      return engine.compare(json)
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
