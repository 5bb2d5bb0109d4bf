/**
 * One query per run, sent again when it changes. The newest wins; the last answer stays on the screen until the next
 * one, but an answer of what was read until then not for long once all is read: its figures would be taken for those
 * of the trace.
 */
import { useEffect, useMemo, useRef, useState } from 'react'
import { asEngineError } from '../../../engine/errors'
import type { Query, QueryKind } from '../../../engine/protocol'
import type { Cells, ChartQuery, ChartSpec, Reply, RunsFrame } from '../spec'
import { absentReason } from '../spec'
import { isAbort } from './isAbort'
import type { Shown } from './shown'

interface KeptReply<K extends QueryKind> extends Reply<K> {
  /** The answer is about a part of the trace, which was still being read. */
  readonly partial: boolean
}

/** How long an answer of a part is shown once all is read, ms. */
const PARTIAL_MS = 1000

/**
 * Replies in the order of `shown`; the same list until something changes. `ask` returns `undefined` for runs that
 * should not be queried. `restMs` delays queries that are more expensive than a chart until the view rests.
 */
export function useAnswers<K extends QueryKind>(
  kind: K,
  shown: readonly Shown[],
  ask: (run: Shown) => Query<K> | undefined,
  channel: string,
  restMs = 0,
): readonly Reply<K>[] {
  const [replies, setReplies] = useState<ReadonlyMap<string, KeptReply<K>>>(() => new Map())
  const sent = useRef(new Map<string, string>())
  const queries = shown.map(run => ({ run, query: ask(run) }))
  const keys = queries.map(q => `${q.run.id} ${q.run.version} ${JSON.stringify(q.query)}`)
  const latest = useRef(queries)
  latest.current = queries

  const joined = keys.join('\n')
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const send = () => {
      joined.split('\n').forEach((key, i) => {
        const next = latest.current[i]
        if (next === undefined || sent.current.get(next.run.id) === key) return
        const { run, query } = next
        sent.current.set(run.id, key)
        const partial = !run.info.complete
        const keep = (reply: Reply<K>) => setReplies(old => new Map(old).set(run.id, { ...reply, partial }))
        if (query === undefined) {
          keep({})
          return
        }
        run.client.query(kind, query, channel).then(
          answer => keep({ ask: query, answer }),
          (reason: unknown) => {
            if (isAbort(reason)) return
            keep({ error: asEngineError(reason) })
          },
        )
      })
    }
    if (restMs === 0 || sent.current.size === 0) send()
    else timer = setTimeout(send, restMs)
    return () => clearTimeout(timer)
  }, [joined, kind, channel, restMs])

  const outdated = shown.flatMap(run => (run.info.complete && replies.get(run.id)?.partial ? [run.id] : [])).join(' ')
  useEffect(() => {
    if (outdated === '') return
    const drop = () =>
      setReplies(old => new Map([...old].filter(([id, { partial }]) => !partial || !outdated.split(' ').includes(id))))
    const timer = setTimeout(drop, PARTIAL_MS)
    return () => clearTimeout(timer)
  }, [outdated])

  const ids = shown.map(run => run.id).join(' ')
  return useMemo(() => (ids === '' ? [] : ids.split(' ').map(id => replies.get(id) ?? {})), [ids, replies])
}

/** What a run is asked with, where it is drawn over its own length. */
export interface OwnPart<F extends RunsFrame, C extends Cells> {
  readonly frame: F
  readonly cells: C
}

/** Replies to one query of a chart; runs whose recording lacks the chart are not queried. */
export const useQuery = <K extends QueryKind, C extends Cells>(
  frame: RunsFrame,
  spec: Pick<ChartSpec<object>, 'chart' | 'missing'>,
  query: ChartQuery<K, C>,
  cells: C,
  ownParts?: ReadonlyMap<string, OwnPart<RunsFrame, C>>,
): readonly Reply<K>[] =>
  useAnswers(
    query.kind,
    frame.shown,
    run => {
      const part = ownParts?.get(run.id) ?? { frame, cells }
      return absentReason(spec, run) === undefined ? query.ask(run, part.frame, part.cells) : undefined
    },
    query.channel,
    query.restMs,
  )
