/**
 * Queries to one worker. Of the queries of one channel, one is in flight and one, the newest, waits:
 * the query that it replaces is rejected with an AbortError. Queries without a channel are all sent.
 */
import type { EngineError, QueryKind, TraceClient } from './protocol'

interface PendingQuery {
  readonly kind: QueryKind
  readonly ask: unknown
  readonly channel: string | undefined
  readonly resolve: (answer: unknown) => void
  readonly reject: (reason: unknown) => void
}

interface Channel {
  next: PendingQuery | undefined
}

export interface Questions {
  readonly client: TraceClient
  answered(id: number, answer: unknown): void
  refused(id: number, error: EngineError): void
  /** Rejects all pending and all future queries. */
  end(reason: unknown): void
}

const overtaken = () => new DOMException('A newer query replaced this one', 'AbortError')

/** `send` passes a question on; the outcome comes back under the same id. */
export const createQuestions = (send: (id: number, kind: QueryKind, ask: unknown) => void): Questions => {
  const inFlight = new Map<number, PendingQuery>()
  const channels = new Map<string, Channel>()
  let lastId = 0
  let ended: { readonly reason: unknown } | undefined

  const launch = (question: PendingQuery) => {
    lastId += 1
    inFlight.set(lastId, question)
    send(lastId, question.kind, question.ask)
  }

  const put = (question: PendingQuery) => {
    if (ended) return question.reject(ended.reason)
    if (question.channel === undefined) return launch(question)
    const busy = channels.get(question.channel)
    if (busy) {
      busy.next?.reject(overtaken())
      busy.next = question
    } else {
      channels.set(question.channel, { next: undefined })
      launch(question)
    }
  }

  const take = (id: number): PendingQuery | undefined => {
    const question = inFlight.get(id)
    inFlight.delete(id)
    if (question?.channel !== undefined) {
      const next = channels.get(question.channel)?.next
      if (next) {
        channels.set(question.channel, { next: undefined })
        launch(next)
      } else channels.delete(question.channel)
    }
    return question
  }

  const query = (kind: QueryKind, ask: unknown, channel?: string) =>
    new Promise<unknown>((resolve, reject) => put({ kind, ask, channel, resolve, reject }))

  return {
    // The pairing of kind and answer is the engine's side of the protocol; it cannot be seen from here.
    client: { query: query as TraceClient['query'] },
    answered: (id, answer) => take(id)?.resolve(answer),
    refused: (id, error) => take(id)?.reject(error),
    end(reason) {
      ended ??= { reason }
      for (const question of inFlight.values()) question.reject(reason)
      for (const channel of channels.values()) channel.next?.reject(reason)
      inFlight.clear()
      channels.clear()
    },
  }
}
