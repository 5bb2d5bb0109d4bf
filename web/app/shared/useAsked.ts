/** One question to each run, asked again when it or what was read changes. The last answer stays until the next one. */
import { useEffect, useRef, useState } from 'react'
import type { Answer, Ask, QueryKind } from '../../engine/protocol'
import type { Run } from '../../state/types'

/** Answers by run id. A run without one has not answered yet, or cannot. */
export type Asked<K extends QueryKind> = ReadonlyMap<string, Answer<K>>

/** `ask` gives `undefined` where the question makes no sense. Of one channel the newest question wins. */
export function useAsked<K extends QueryKind>(kind: K, runs: readonly Run[], ask: (run: Run) => Ask<K> | undefined, channel: string): Asked<K> {
  const [answers, setAnswers] = useState<Asked<K>>(new Map())
  const asked = useRef(new Map<string, string>())
  useEffect(() => {
    for (const run of runs) {
      const question = run.info && run.status.kind !== 'failed' ? ask(run) : undefined
      const key = JSON.stringify([question, run.info?.events, run.status.kind])
      if (asked.current.get(run.id) === key) continue
      asked.current.set(run.id, key)
      const keep = (answer: Answer<K> | undefined) =>
        setAnswers(before => {
          const { [run.id]: _, ...rest } = Object.fromEntries(before)
          return new Map(Object.entries(answer === undefined ? rest : { ...rest, [run.id]: answer }))
        })
      if (!question) {
        keep(undefined)
        continue
      }
      run.client.query(kind, question, channel).then(keep, () => {
        asked.current.delete(run.id) // overtaken by a newer question, or the run was closed: the next change asks again
      })
    }
  })
  return answers
}
