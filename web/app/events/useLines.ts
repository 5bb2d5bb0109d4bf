/** Lines of one run's event list: their number, and the pages around the visible ones. */
import { useCallback, useEffect, useRef, useState } from 'react'
import { isAbort } from '../../charts/shared/answers/isAbort'
import { asEngineError } from '../../engine/errors'
import type { EventFilter, EventRow } from '../../engine/protocol'
import type { Ns } from '../../lib/units'
import type { Run } from '../../state/types'

const PAGE = 200
/** Maximum number of pages in memory; beyond it the oldest are dropped, but never the first one. */
const MAX_PAGES = 30

export interface Lines {
  readonly total: number
  /** Share of events that the filter has examined, 0..1. */
  readonly progress: number
  readonly error?: string
  line(index: number): EventRow | undefined
  /** Requests the missing ones of these lines. */
  want(from: number, to: number): void
  /** Line of the first match at or after a time. */
  find(time: Ns): Promise<number>
}

interface MatchCount {
  readonly key: string
  readonly total: number
  readonly progress: number
  readonly error?: string
}

export function useLines(run: Run, filter: EventFilter): Lines {
  const { client } = run
  const ready = run.status.kind === 'ready'
  const key = JSON.stringify(filter)
  const [count, setFound] = useState<MatchCount>({ key, total: 0, progress: 0 })
  const pages = useRef({ key, rows: new Map<number, readonly EventRow[]>(), requested: new Set<number>() })
  const [, redraw] = useState(0)
  const latest = useRef(filter)
  latest.current = filter

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the filter
  useEffect(() => {
    if (!ready) return
    let isCancelled = false
    const fresh = { key, rows: new Map<number, readonly EventRow[]>(), requested: new Set<number>() }
    pages.current = fresh
    const examine = async () => {
      for (let progress = 0; progress < 1 && !isCancelled; ) {
        const answer = await client.query('events', { filter, offset: 0, limit: PAGE })
        if (isCancelled) return
        progress = answer.of === 0 ? 1 : answer.examined / answer.of
        fresh.rows.set(0, answer.rows)
        fresh.requested.clear()
        setFound({ key, total: answer.total, progress })
      }
    }
    examine().catch(
      reason =>
        isCancelled ||
        isAbort(reason) ||
        setFound({ key, total: 0, progress: 1, error: asEngineError(reason).message }),
    )
    return () => {
      isCancelled = true
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
            while (store.rows.size > MAX_PAGES) {
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
  const line = (index: number) =>
    pages.current.key === key ? pages.current.rows.get(Math.floor(index / PAGE))?.[index % PAGE] : undefined
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
  const current = count.key === key ? count : { total: 0, progress: 0 }
  return {
    total: current.total,
    progress: current.progress,
    ...('error' in current && current.error !== undefined && { error: current.error }),
    line,
    want,
    find,
  }
}
