/** One question to every run, asked again when it changes. Newest wins; the last answer stays on the screen until the next one. */
import { useEffect, useMemo, useRef, useState } from 'react'
import type { Answer, Ask, EngineError, QueryKind } from '../../engine/protocol'
import type { Shown } from './shown'

export interface Reply<K extends QueryKind> {
  /** What the answer answers: it may be older than the question. */
  readonly ask?: Ask<K>
  readonly answer?: Answer<K>
  readonly error?: EngineError
}

/** While a trace is read its worker must not be kept from reading: after an answer a question rests this many times as long as that took, */
const REST = 30
/** and at least so long, ms. */
const LEAST_REST = 400

const isAbort = (reason: unknown): boolean => reason instanceof Error && reason.name === 'AbortError'

function asEngineError(reason: unknown): EngineError {
  if (typeof reason === 'object' && reason !== null && 'code' in reason && 'message' in reason) return reason as EngineError
  return { code: 'engine', message: reason instanceof Error ? reason.message : String(reason) }
}

/**
 * Replies in the order of `shown`; the same list until something changes. `ask` gives `undefined` where a question makes no sense.
 * `restMs` waits for the view to rest, for questions that cost more than a picture.
 */
export function useAnswers<K extends QueryKind>(
  kind: K,
  shown: readonly Shown[],
  ask: (run: Shown) => Ask<K> | undefined,
  channel: string,
  restMs = 0,
): readonly Reply<K>[] {
  const [replies, setReplies] = useState<ReadonlyMap<string, Reply<K>>>(() => new Map())
  const asked = useRef(new Map<string, string>())
  const resting = useRef(new Map<string, number>())
  const questions = shown.map(run => ({ run, ask: ask(run) }))
  const keys = questions.map(q => `${q.run.id} ${q.run.version} ${JSON.stringify(q.ask)}`)
  const latest = useRef(questions)
  latest.current = questions

  const joined = keys.join('\n')
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const send = () => {
      const now = performance.now()
      let wait = Number.POSITIVE_INFINITY
      joined.split('\n').forEach((key, i) => {
        const question = latest.current[i]
        if (question === undefined || asked.current.get(question.run.id) === key) return
        const { run, ask: wanted } = question
        const due = resting.current.get(run.id) ?? 0
        if (!run.info.complete && now < due) {
          wait = Math.min(wait, due - now)
          return
        }
        asked.current.set(run.id, key)
        const keep = (reply: Reply<K>) => {
          resting.current.set(run.id, performance.now() + Math.max(LEAST_REST, REST * (performance.now() - now)))
          setReplies(old => new Map(old).set(run.id, reply))
        }
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
      if (wait < Number.POSITIVE_INFINITY) timer = setTimeout(send, wait)
    }
    if (restMs === 0 || asked.current.size === 0) send()
    else timer = setTimeout(send, restMs)
    return () => clearTimeout(timer)
  }, [joined, kind, channel, restMs])

  const ids = shown.map(run => run.id).join(' ')
  return useMemo(() => (ids === '' ? [] : ids.split(' ').map(id => replies.get(id) ?? {})), [ids, replies])
}
