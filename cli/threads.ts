/** Traces read by threads of their own, several at once. Each has an engine with a memory of its own; the compiled module is shared. */
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { engineCrashed } from '../web/engine/errors'
import type { EngineError, Query, QueryAnswer, QueryKind } from '../web/engine/protocol'
import { compiledEngine } from './engine'
import { type PlacedFile, placedFile } from './inputs'
import { progress } from './progress'
import type { TraceOpening } from './read'

/** A trace to read, and what to ask it. */
export interface ThreadTask {
  readonly opening: Omit<TraceOpening, 'files' | 'counters'> & { readonly files: readonly PlacedFile[]; readonly counters: readonly PlacedFile[] }
  readonly kind: QueryKind
  readonly ask: Query<QueryKind>
  /** For sections of the trace. */
  readonly threads: number
}

/** An answer, or why there is none. */
export type ThreadOutcome = { readonly answer: QueryAnswer<QueryKind> } | { readonly error: EngineError }

/** What a thread says: progress, then the outcome. */
export type ThreadMessage = { readonly file: string; readonly bytes: number } | ThreadOutcome

const READER = new URL('../dist-cli/reader.mjs', import.meta.url)
/** Bytes of traces from which on starting threads takes less time than it saves. */
export const WORTH = 32 << 20

const REMEDY = 'Other traces are not affected. Usually memory ran out: try --threads 1. If it happens again, please report it with the trace.'

/** As many threads as there are cores. */
export const cores = (): number => availableParallelism()

export function taskOf<K extends QueryKind>({ files, counters = [], ...rest }: TraceOpening, kind: K, ask: Query<K>, threads: number): ThreadTask {
  return { opening: { ...rest, files: files.map(placedFile), counters: counters.map(placedFile) }, kind, ask, threads }
}

/** Gives a thread a task. */
function outcomeOf(thread: Worker, task: ThreadTask): Promise<ThreadOutcome> {
  return new Promise(resolve => {
    const settle = (outcome: ThreadOutcome) => {
      thread.off('message', hear).off('error', fail)
      resolve(outcome)
    }
    const hear = (message: ThreadMessage) => {
      if (!('bytes' in message)) return settle(message)
      progress.file(message.file)
      progress.advance(message.bytes)
    }
    const fail = (error: Error) => settle({ error: { ...engineCrashed(error), remedy: REMEDY } })
    thread.on('message', hear).on('error', fail)
    thread.postMessage(task)
  })
}

/** The outcomes of tasks in their order, of at most so many at once. */
export function answersAside(tasks: readonly ThreadTask[], threads: number): readonly Promise<ThreadOutcome>[] {
  const workerData = compiledEngine()
  const settle: ((outcome: ThreadOutcome) => void)[] = []
  const outcomes = tasks.map((_, i) => new Promise<ThreadOutcome>(resolve => (settle[i] = resolve)))
  const rest = [...tasks.entries()]
  async function work(): Promise<void> {
    let thread: Worker | undefined
    const start = () => new Worker(READER, { workerData }).on('error', () => (thread = undefined))
    for (let next = rest.shift(); next; next = rest.shift()) {
      const [i, task] = next
      thread ??= start()
      settle[i]?.(await outcomeOf(thread, task))
    }
    await thread?.terminate()
  }
  for (let i = 0; i < threads; i++) void work()
  return outcomes
}
