/** Traces read by threads of their own, several at once. */
import { availableParallelism } from 'node:os'
import { engineCrashed } from '../../../web/engine/errors'
import type { EngineError, Query, QueryAnswer, QueryKind } from '../../../web/engine/protocol'
import { progress } from '../../output/progress'
import { packageFile } from '../../places'
import { type PlacedFile, placedFile } from '../find/inputs'
import { askThread, workAside } from './pool'
import type { TraceOpening } from './read'

/** A trace to read, and what to ask it. */
export interface ThreadTask {
  readonly opening: Omit<TraceOpening, 'files' | 'beside'> & {
    readonly files: readonly PlacedFile[]
    readonly beside: readonly PlacedFile[]
  }
  readonly kind: QueryKind
  readonly ask: Query<QueryKind>
  /** Number of threads for sections of the trace. */
  readonly threads: number
}

/** An answer, or why there is none. */
export type ThreadOutcome = { readonly answer: QueryAnswer<QueryKind> } | { readonly error: EngineError }

/** Message of a thread: progress, then the outcome. */
export type ThreadMessage = { readonly file: string; readonly bytes: number } | ThreadOutcome

const READER = packageFile('dist-cli/reader.mjs')
/** Bytes of traces from which on starting threads takes less time than it saves. */
export const WORTH = 32 << 20

const REMEDY =
  'Other traces are not affected. Usually memory ran out: try --threads 1. If it happens again, please report ' +
  'it with the trace.'

/** Number of cores. */
export const cores = (): number => availableParallelism()

export function taskOf<K extends QueryKind>(
  { files, beside = [], ...rest }: TraceOpening,
  kind: K,
  ask: Query<K>,
  threads: number,
): ThreadTask {
  return { opening: { ...rest, files: files.map(placedFile), beside: beside.map(placedFile) }, kind, ask, threads }
}

/**
 * Runs tasks in at most `threads` threads; outcomes are in the order of the tasks. Rejects if threads cannot be
 * started.
 */
export function answersAside(tasks: readonly ThreadTask[], threads: number): readonly Promise<ThreadOutcome>[] {
  const settle: ((outcome: ThreadOutcome) => void)[] = []
  const refuse: ((error: unknown) => void)[] = []
  const outcomes = tasks.map(
    (_, i) =>
      new Promise<ThreadOutcome>((resolve, reject) => {
        settle[i] = resolve
        refuse[i] = reject
      }),
  )
  // Only the first failure is awaited; the others must not count as unhandled.
  for (const outcome of outcomes) outcome.catch(() => undefined)
  workAside(READER, [...tasks.entries()], threads, async (thread, [i, task]) =>
    settle[i]?.(await askThread(thread, task, heard, crashed)),
  ).catch(error => {
    for (const reject of refuse) reject(error)
  })
  return outcomes
}

function heard(message: ThreadMessage): ThreadOutcome | undefined {
  if (!('bytes' in message)) return message
  progress.file(message.file)
  progress.advance(message.bytes)
  return undefined
}

const crashed = (error: Error): ThreadOutcome => ({ error: { ...engineCrashed(error), remedy: REMEDY } })
