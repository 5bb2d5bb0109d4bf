/**
 * Schedules queries to one worker, which answers one after another.
 *
 * Two are in flight, so that the worker never waits for the page. The others wait here, because a query that was
 * posted cannot be taken back: urgent ones go first, and a newer query of a channel replaces the waiting one, which
 * is rejected with an AbortError. A channel never has two queries in flight, so its answers arrive in order.
 */
import type { EngineError, QueryKind, TraceClient } from './protocol'

interface PendingQuery {
  readonly kind: QueryKind
  readonly ask: unknown
  readonly channel: string | undefined
  readonly resolve: (answer: unknown) => void
  readonly reject: (reason: unknown) => void
}

export interface Questions {
  readonly client: TraceClient
  answered(id: number, answer: unknown): void
  refused(id: number, error: EngineError): void
  /** Tells that the worker has finished reading. */
  complete(): void
  /** Rejects all pending and all future queries. */
  end(reason: unknown): void
}

const IN_FLIGHT = 2

/** Queries on which the next query of a chart, or the response to a click, depends. */
const FIRST: ReadonlySet<QueryKind> = new Set<QueryKind>(['bands', 'hit', 'life', 'nextStep', 'playback', 'seekMap'])
/** Counts that are queried once the view rests: no other query depends on them, and they are fast. */
const COUNTS: ReadonlySet<QueryKind> = new Set<QueryKind>(['facets', 'sizes'])
/** Queries that take long, documents above all. */
const LAST: ReadonlySet<QueryKind> = new Set<QueryKind>([
  'distribution',
  'stages',
  'tail',
  'alignment',
  'summary',
  'digest',
  'snapshot',
  'columns',
  'objectNames',
])

/**
 * Maximum share of the worker's time for `LAST` queries while it reads: they cost the most, and are repeated once the
 * trace is complete.
 */
const LAST_SHARE = 0.1

const rankOf = ({ kind }: PendingQuery): number => (FIRST.has(kind) ? 0 : COUNTS.has(kind) ? 2 : LAST.has(kind) ? 3 : 1)
/** From this rank on, a query is sent only to an idle worker. */
const PATIENT = 2

const replacedError = () => new DOMException('A newer query replaced this one', 'AbortError')

/**
 * `send` posts a query; its outcome is reported with the same id. `reading`: the worker reads a trace until
 * `complete` is called. `prepare` resolves once the worker can answer a kind of query, and returns nothing if it can
 * already: a query in flight would keep others waiting.
 */
export const createQuestions = (
  send: (id: number, kind: QueryKind, ask: unknown) => void,
  { reading, prepare }: { reading: boolean; prepare?: (kind: QueryKind) => Promise<unknown> | undefined },
): Questions => {
  const began = performance.now()
  const last = { reading, sent: 0, spent: 0 }
  const inFlight = new Map<number, PendingQuery>()
  let waiting: PendingQuery[] = []
  let lastId = 0
  let ended: { readonly reason: unknown } | undefined

  /**
   * The oldest of the most urgent queries whose channel is free. A patient one is sent only to an idle worker: it may
   * take long, and an urgent one could arrive meanwhile.
   */
  const next = (): PendingQuery | undefined => {
    const busy = new Set([...inFlight.values()].flatMap(({ channel }) => (channel === undefined ? [] : [channel])))
    let best: PendingQuery | undefined
    for (const question of waiting) {
      if (question.channel !== undefined && busy.has(question.channel)) continue
      if (best === undefined || rankOf(question) < rankOf(best)) best = question
    }
    return best !== undefined && rankOf(best) >= PATIENT && (inFlight.size > 0 || overspent()) ? undefined : best
  }

  const overspent = () => last.reading && last.spent > LAST_SHARE * (performance.now() - began)

  const launch = () => {
    while (inFlight.size < IN_FLIGHT) {
      const question = next()
      if (question === undefined) return
      waiting = waiting.filter(candidate => candidate !== question)
      lastId += 1
      inFlight.set(lastId, question)
      last.sent = performance.now()
      send(lastId, question.kind, question.ask)
    }
  }

  const enqueue = (question: PendingQuery) => {
    if (ended) return question.reject(ended.reason)
    const { channel } = question
    const older = channel === undefined ? -1 : waiting.findIndex(candidate => candidate.channel === channel)
    if (older < 0) waiting.push(question)
    else {
      waiting[older]?.reject(replacedError())
      waiting[older] = question
    }
    launch()
  }

  const take = (id: number): PendingQuery | undefined => {
    const question = inFlight.get(id)
    inFlight.delete(id)
    // A patient query is alone in flight, so the time since it was sent is its cost.
    if (question && rankOf(question) >= PATIENT) last.spent += performance.now() - last.sent
    launch()
    return question
  }

  const query = (kind: QueryKind, ask: unknown, channel?: string) =>
    new Promise<unknown>((resolve, reject) => {
      const start = () => enqueue({ kind, ask, channel, resolve, reject })
      const preparing = prepare?.(kind)
      if (preparing) preparing.then(start, reject)
      else start()
    })

  return {
    // The pairing of kind and answer is the engine's side of the protocol; it cannot be seen from here.
    client: { query: query as TraceClient['query'] },
    answered: (id, answer) => take(id)?.resolve(answer),
    refused: (id, error) => take(id)?.reject(error),
    complete() {
      last.reading = false
      launch()
    },
    end(reason) {
      ended ??= { reason }
      for (const question of [...inFlight.values(), ...waiting]) question.reject(reason)
      inFlight.clear()
      waiting = []
    },
  }
}
