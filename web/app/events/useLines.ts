/** Lines of one run's event list: their number, and the pages around the visible ones. */
import { useCallback, useEffect, useRef, useState } from 'react'
import { isAbort } from '../../charts/shared/answers/isAbort'
import { asEngineError } from '../../engine/errors'
import type { EventFilter, EventRow } from '../../engine/protocol'
import type { Ns } from '../../lib/units'
import type { Run } from '../../state/types'

const PAGE = 200
/** Maximum number of pages in memory. */
const KEPT = 30

export interface Lines {
  readonly total: number
  /** Share of events that the filter has examined, 0..1. */
  readonly done: number
  readonly error?: string
  line(at: number): EventRow | undefined
  /** Requests the missing ones of these lines. */
  want(from: number, to: number): void
  /** Line of the first match at or after a time. */
  find(time: Ns): Promise<number>
}

interface MatchCount {
  readonly key: string
  readonly total: number
  readonly done: number
  readonly error?: string
}

export function useLines(run: Run, filter: EventFilter): Lines {
  const { client } = run
  const ready = run.status.kind === 'ready'
  const key = JSON.stringify(filter)
  const [found, setFound] = useState<MatchCount>({ key, total: 0, done: 0 })
  const pages = useRef({ key, rows: new Map<number, readonly EventRow[]>(), requested: new Set<number>() })
  const [, redraw] = useState(0)
  const latest = useRef(filter)
  latest.current = filter

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the filter
  useEffect(() => {
    if (!ready) return
    let gone = false
    const fresh = { key, rows: new Map<number, readonly EventRow[]>(), requested: new Set<number>() }
    pages.current = fresh
    const examine = async () => {
      for (let done = 0; done < 1 && !gone; ) {
        const answer = await client.query('events', { filter, offset: 0, limit: PAGE })
        if (gone) return
        done = answer.of === 0 ? 1 : answer.examined / answer.of
        fresh.rows.set(0, answer.rows)
        fresh.requested.clear()
        setFound({ key, total: answer.total, done })
      }
    }
    examine().catch(
      reason => gone || isAbort(reason) || setFound({ key, total: 0, done: 1, error: asEngineError(reason).message }),
    )
    return () => {
      gone = true
    }
  }, [client, key, ready])

  const want = useCallback(
    (from: number, to: number) => {
      const store = pages.current
      for (let page = Math.floor(Math.max(0, from) / PAGE); page * PAGE < to; page += 1) {
        if (store.requested.has(page) || store.rows.get(page)?.length === PAGE) continue
        store.requested.add(page)
        client.query('events', { filter: latest.current, offset: page * PAGE, limit: PAGE }, `events ${page}`).then(
          answer => {
            if (pages.current !== store) return
            store.rows.set(page, answer.rows)
            while (store.rows.size > KEPT) {
              const oldest = [...store.rows.keys()].find(p => p !== page && p !== 0)
              if (oldest === undefined) break
              store.rows.delete(oldest)
              store.requested.delete(oldest)
            }
            redraw(n => n + 1)
          },
          () => store.requested.delete(page),
        )
      }
    },
    [client],
  )
  const line = (at: number) =>
    pages.current.key === key ? pages.current.rows.get(Math.floor(at / PAGE))?.[at % PAGE] : undefined
  const find = useCallback(
    async (time: Ns) => {
      for (;;) {
        const answer = await client.query('findEvent', { filter: latest.current, time })
        if (answer.at !== undefined) return Math.min(answer.at, Math.max(0, answer.total - 1))
        if (answer.examined >= answer.of) return 0
      }
    },
    [client],
  )
  const current = found.key === key ? found : { total: 0, done: 0 }
  return {
    total: current.total,
    done: current.done,
    ...('error' in current && current.error !== undefined && { error: current.error }),
    line,
    want,
    find,
  }
}
