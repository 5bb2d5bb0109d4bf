/** Answers one query of the protocol with the engine's bindings. Shared by the worker and the command line. */
import type { Comparing } from './comparing'
import type { QueryKind, ResultsClient, TraceClient } from './protocol'

/** Functions of the module of comparisons that answer queries. */
export type ComparingFunctions = Pick<Comparing, 'compare' | 'compareMatrix' | 'compareText' | 'packSnapshot'>

/** Queries that need no trace: the digests of runs, or the answers for a snapshot, are in them. */
const COMPARING_KINDS = ['compare', 'compareMatrix', 'compareText', 'packSnapshot'] as const satisfies QueryKind[]
type ComparingKind = (typeof COMPARING_KINDS)[number]

export const needsComparing = (kind: QueryKind): kind is ComparingKind =>
  (COMPARING_KINDS as readonly QueryKind[]).includes(kind)

/** A trace or a trace snapshot in the engine. */
export interface Queryable {
  query(kind: string, query: string): unknown
}

/** Throws an EngineError. */
export function comparingAnswer(comparing: ComparingFunctions, kind: ComparingKind, query: unknown): unknown {
  const json = JSON.stringify(query)
  switch (kind) {
    case 'compare':
      return comparing.compare(json)
    case 'compareMatrix':
      return comparing.compareMatrix(json)
    case 'compareText':
      return { text: comparing.compareText(json) }
    case 'packSnapshot':
      return { text: comparing.packSnapshot(json) }
  }
}

/** Throws an EngineError. */
export const answerOf = (comparing: ComparingFunctions, trace: Queryable, kind: QueryKind, query: unknown): unknown =>
  needsComparing(kind) ? comparingAnswer(comparing, kind, query) : trace.query(kind, JSON.stringify(query))

/** A client without a worker: it answers at once. */
export const directClient = (comparing: ComparingFunctions, trace: Queryable): TraceClient => ({
  query: (async (kind: QueryKind, query: unknown) => answerOf(comparing, trace, kind, query)) as TraceClient['query'],
})

/** Throws an EngineError. */
export function resultsAnswer(comparing: Comparing, kind: keyof ResultsClient, query: unknown): unknown {
  const json = JSON.stringify(query)
  switch (kind) {
    case 'arrange':
      return comparing.arrangeResults(json)
    case 'text':
      return comparing.resultsText(json)
    case 'pack':
      return comparing.packSnapshot(json)
  }
}

/** `ask` answers each query. */
export function resultsClient(ask: (kind: keyof ResultsClient, query: unknown) => Promise<unknown>): ResultsClient {
  const askFor = (kind: keyof ResultsClient) => (query: unknown) => ask(kind, query)
  return { arrange: askFor('arrange'), text: askFor('text'), pack: askFor('pack') } as ResultsClient
}
