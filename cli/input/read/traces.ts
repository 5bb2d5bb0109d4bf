/** The traces among the paths, one after another. What cannot be read is reported and skipped. */
import type { Query, QueryAnswer, QueryKind } from '../../../web/engine/protocol'
import { complain, complainOf, progress } from '../../output/progress'
import type { TraceInputs } from '../../program/values'
import { closeInputs, type InputFile } from '../find/inputs'
import { resolveInputs } from '../find/paths'
import { type ResultsUse, sortInputs } from '../find/sorted'
import { type Engine, loadEngine } from './engine'
import { answerOfTrace, type OpenTrace, readTrace } from './read'
import { dismissSections, prepareSections } from './sections'
import { answersAside, cores, taskOf, WORTH } from './threads'
import { type TraceFacts, type TraceToRead, tracesToRead } from './traceToRead'

/** Files among the paths; unreadable ones are reported and skipped. */
export const inputsOf = (paths: readonly string[]): readonly InputFile[] =>
  paths.flatMap((path, argument) =>
    resolveInputs(path, problem => complainOf('', problem)).map(input => ({ ...input, argument })),
  )

/** A trace, with what the texts next to it say. */
export interface LoadedTrace extends TraceFacts {
  readonly trace: OpenTrace
  /** Index among the traces that were read. */
  readonly index: number
}

/** A function that uses the traces among the paths. */
type TracesUse<T> = (engine: Engine, found: readonly TraceToRead[]) => Promise<readonly T[]>

/** Number of running calls of `withTraces`, which share the open files. */
let reading = 0

/** Calls `use` with all traces among the paths. */
async function withTraces<T>(
  request: TraceInputs,
  results: ResultsUse | undefined,
  use: TracesUse<T>,
): Promise<readonly T[]> {
  reading += 1
  try {
    return await usingTraces(request, results, use)
  } finally {
    reading -= 1
    if (reading === 0) {
      closeInputs()
      dismissSections()
    }
  }
}

async function usingTraces<T>(
  request: TraceInputs,
  results: ResultsUse | undefined,
  use: TracesUse<T>,
): Promise<readonly T[]> {
  const { paths, pattern, most: maxTraces = Number.POSITIVE_INFINITY } = request
  const found = request.openInputs ?? inputsOf(paths)
  const files = pattern === undefined ? found : found.map(file => ({ ...file, pattern }))
  prepareSections(files, request.threads ?? cores())
  const engine = loadEngine()
  const sorted = sortInputs(engine, files, request, results)
  if (sorted.traces.length > maxTraces)
    complain(paths.join(' '), 'too-many-runs', `Only the first ${maxTraces} are included.`)
  const traces = tracesToRead(engine, sorted, request).slice(0, maxTraces)
  progress.start(
    'Reading',
    traces.flatMap(({ facts }) => facts.files).reduce((sum, file) => sum + file.size, 0),
  )
  const answers = await use(engine, traces)
  progress.stop()
  return answers
}

const advanced = (file: string, bytes: number): void => {
  progress.file(file)
  progress.advance(bytes)
}

/** Calls `use` with every trace among the paths and frees it after that, unless `keep` is set. */
export function ofEachTrace<T>(
  request: TraceInputs,
  use: (read: LoadedTrace) => T | Promise<T>,
  { keep = false, results }: { readonly keep?: boolean; readonly results?: ResultsUse } = {},
): Promise<readonly T[]> {
  return withTraces(request, results, async (engine, found) => {
    const answers: T[] = []
    for (const { facts, opening, complain } of found) {
      try {
        const trace = await readTrace(engine, opening(), request.threads ?? cores(), advanced)
        answers.push(await use({ trace, index: answers.length, ...facts }))
        if (!keep) trace.free()
      } catch (error) {
        complain(error)
      }
    }
    return answers
  })
}

/** A trace's answer, with what the texts next to it say. */
interface TraceAnswer<K extends QueryKind> {
  readonly facts: TraceFacts
  readonly answer: QueryAnswer<K>
}

/**
 * The answers of every trace among the paths to one query. Several traces are read at once where that is worth threads.
 */
export function answersOfTraces<K extends QueryKind>(
  request: TraceInputs,
  kind: K,
  ask: (facts: TraceFacts) => Query<K>,
  results?: ResultsUse,
): Promise<readonly TraceAnswer<K>[]> {
  return withTraces(request, results, async (engine, found) => {
    const tasks = found.flatMap(({ facts, opening, complain }) => {
      try {
        return [{ facts, complain, opening: opening() }]
      } catch (error) {
        complain(error)
        return []
      }
    })
    const bytes = tasks.flatMap(({ opening }) => opening.files).reduce((sum, file) => sum + file.size, 0)
    const all = request.threads ?? (bytes < WORTH ? 1 : cores())
    const threads = Math.min(tasks.length, all)
    const each = Math.max(1, Math.floor(all / Math.max(1, threads)))
    const aside =
      threads > 1
        ? answersAside(
            tasks.map(({ opening, facts }) => taskOf(opening, kind, ask(facts), each)),
            threads,
          )
        : []
    const answers: TraceAnswer<K>[] = []
    for (const [i, { facts, opening, complain }] of tasks.entries()) {
      try {
        const outcome = await aside[i]
        if (outcome && 'error' in outcome) throw outcome.error
        answers.push({
          facts,
          answer: outcome
            ? (outcome.answer as QueryAnswer<K>)
            : await answerOfTrace(engine, opening, kind, ask(facts), all, advanced),
        })
      } catch (error) {
        complain(error)
      }
    }
    return answers
  })
}
