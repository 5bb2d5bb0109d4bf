/** Answers one query of the protocol with the engine's bindings. Shared by the worker and the command line. */
import type * as bindings from './generated/seekscope.js'
import { PICTURE_KINDS } from './laterParts.mjs'
import type { QueryKind, ResultsClient, TraceClient } from './protocol'

/** The bindings of the engine. Only their type is imported: the page's own scripts do not have them. */
export type Engine = typeof bindings

/** Functions that answer queries without a trace. */
export type Comparing = Pick<Engine, 'compare' | 'compareMatrix' | 'compareText' | 'packSnapshot'>

/** Queries that need no trace: the digests of runs, or the answers for a snapshot, are in them. */
const COMPARING_KINDS = ['compare', 'compareMatrix', 'compareText', 'packSnapshot'] as const satisfies QueryKind[]
type ComparingKind = (typeof COMPARING_KINDS)[number]

const needsComparing = (kind: QueryKind): kind is ComparingKind =>
  (COMPARING_KINDS as readonly QueryKind[]).includes(kind)

/** Whether the first part of the engine answers a query. */
export const isOfPicture = (kind: QueryKind): boolean => (PICTURE_KINDS as readonly QueryKind[]).includes(kind)

/** A trace or a trace snapshot in the engine. */
export interface Queryable {
  query(kind: string, query: string): unknown
}

/** Throws an EngineError. */
function comparingAnswer(comparing: Comparing, kind: ComparingKind, query: unknown): unknown {
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
export const answerOf = (comparing: Comparing, trace: Queryable, kind: QueryKind, query: unknown): unknown =>
  needsComparing(kind) ? comparingAnswer(comparing, kind, query) : trace.query(kind, JSON.stringify(query))

/** A client without a worker: it answers at once. */
export const directClient = (comparing: Comparing, trace: Queryable): TraceClient => ({
  query: (async (kind: QueryKind, query: unknown) => answerOf(comparing, trace, kind, query)) as TraceClient['query'],
})

/** Throws an EngineError. */
export function resultsAnswer(
  engine: Pick<Engine, 'arrangeResults' | 'packSnapshot' | 'resultsText'>,
  kind: keyof ResultsClient,
  query: unknown,
): unknown {
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
