/** One query per run, sent again when it changes. The newest wins; the last answer stays on the screen until the next one. */
import { useEffect, useMemo, useRef, useState } from 'react'
import type { EngineError, Query, QueryAnswer, QueryKind } from '../../engine/protocol'
import type { Shown } from './shown'

export interface Reply<K extends QueryKind> {
  /** The query of this answer: it may be older than the current one. */
  readonly ask?: Query<K>
  readonly answer?: QueryAnswer<K>
  readonly error?: EngineError
}

const isAbort = (reason: unknown): boolean => reason instanceof Error && reason.name === 'AbortError'

function asEngineError(reason: unknown): EngineError {
  if (typeof reason === 'object' && reason !== null && 'code' in reason && 'message' in reason) return reason as EngineError
  return { code: 'engine', message: reason instanceof Error ? reason.message : String(reason) }
}

/**
 * Replies in the order of `shown`; the same list until something changes. `ask` returns `undefined` for runs that should not be queried.
 * `restMs` delays queries that are more expensive than a chart until the view rests.
 */
export function useAnswers<K extends QueryKind>(
  kind: K,
  shown: readonly Shown[],
  ask: (run: Shown) => Query<K> | undefined,
  channel: string,
  restMs = 0,
): readonly Reply<K>[] {
  const [replies, setReplies] = useState<ReadonlyMap<string, Reply<K>>>(() => new Map())
  const asked = useRef(new Map<string, string>())
  const questions = shown.map(run => ({ run, ask: ask(run) }))
  const keys = questions.map(q => `${q.run.id} ${q.run.version} ${JSON.stringify(q.ask)}`)
  const latest = useRef(questions)
  latest.current = questions

  const joined = keys.join('\n')
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const send = () => {
      joined.split('\n').forEach((key, i) => {
        const question = latest.current[i]
        if (question === undefined || asked.current.get(question.run.id) === key) return
        const { run, ask: wanted } = question
        asked.current.set(run.id, key)
        const keep = (reply: Reply<K>) => setReplies(old => new Map(old).set(run.id, reply))
        if (wanted === undefined) {
          keep({})
          return
        }
        run.client.query(kind, wanted, channel).then(
          answer => keep({ ask: wanted, answer }),
          (reason: unknown) => {
            if (isAbort(reason)) return
            keep({ error: asEngineError(reason) })
          },
        )
      })
    }
    if (restMs === 0 || asked.current.size === 0) send()
    else timer = setTimeout(send, restMs)
    return () => clearTimeout(timer)
  }, [joined, kind, channel, restMs])

  const ids = shown.map(run => run.id).join(' ')
  return useMemo(() => (ids === '' ? [] : ids.split(' ').map(id => replies.get(id) ?? {})), [ids, replies])
}
