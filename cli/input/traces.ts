/** The traces among the paths, one after another. What cannot be read is reported and skipped. */
import { dirname } from 'node:path'
import { isEngineError } from '../../web/engine/errors'
import type {
  BenchFigure,
  EngineError,
  LabelSource,
  Query,
  QueryAnswer,
  QueryKind,
  RunFacts,
  Setting,
  TraceNote,
} from '../../web/engine/protocol'
import { counted } from '../../web/lib/format'
import { complain, complainOf, progress, say } from '../output/progress'
import { type FoundResults, isBystander, refusalOfInput, resultsIn } from '../output/results'
import { UsageError } from '../program/usage'
import type { TraceInputs } from '../program/values'
import { type Engine, group, loadEngine, readNotes } from './engine'
import { closeInputs, type InputFile } from './inputs'
import { fileIdOf, resolveInputs } from './paths'
import { planned } from './plan'
import { answerOfTrace, type OpenTrace, readTrace, type TraceOpening } from './read'
import { dismissSections, prepareSections } from './sections'
import { answersAside, cores, taskOf, WORTH } from './threads'
import { unpack } from './unpack'

/** A trace, with what the texts next to it say. */
export interface LoadedTrace {
  readonly trace: OpenTrace
  /** Among the traces that were read. */
  readonly index: number
  readonly label: string
  /** Release. */
  readonly kernel?: string
  /** Repeats of one measurement, as the recorder noted. */
  readonly group?: string
  readonly notes: readonly TraceNote[]
  readonly bench: readonly BenchFigure[]
  readonly settings: readonly Setting[]
  /** What the place of the run in a matrix is guessed from. */
  readonly labelSource: LabelSource
  /** Of the first file. */
  readonly path: string
  readonly files: readonly InputFile[]
}

/** Files among the paths; unreadable ones are reported and skipped. */
export const inputsOf = (paths: readonly string[]): readonly InputFile[] =>
  paths.flatMap((path, argument) =>
    resolveInputs(path, problem => complainOf('', problem)).map(input => ({ ...input, argument })),
  )

/** Writing to an input destroys it. Texts in a folder may be what an earlier command wrote there. */
function checkOutput(output: string | undefined, inputs: readonly InputFile[]): void {
  const id = output === undefined ? undefined : fileIdOf(output)
  const same = id && inputs.find(input => input.id === id)
  if (same) throw new UsageError(`${output} is an input (${same.path}): write to another file`)
}

function labelSourceOf(
  { label, kernel, scheduler, workload, writers, jobs, settings }: RunFacts,
  path: string,
): LabelSource {
  return {
    label,
    folder: dirname(path),
    ...(kernel !== undefined && { kernel }),
    ...(scheduler !== undefined && { scheduler }),
    ...(workload !== undefined && { workload }),
    ...(writers !== undefined && { writers }),
    ...(jobs !== undefined && { jobs }),
    ...(settings && { settings }),
  }
}

/**
 * Called with results of benchmarks that no trace explains: all texts without any trace, else those that are traces
 * themselves (a mail).
 */
type ResultsUse = (found: FoundResults) => void

/** What is known of a trace without reading it. */
export type TraceFacts = Omit<LoadedTrace, 'trace' | 'index'>

/** A trace that was found, before it is read. */
interface TraceToRead {
  readonly facts: TraceFacts
  /** Throws an EngineError when it does not fit. */
  opening(): TraceOpening
  /** Reports why it cannot be read. */
  complain(error: unknown): void
}

/** Text traces of at most this size may be mails with tables. */
const MAIL_BYTES = 8 << 20

/** What is done with the traces among the paths. */
type TracesUse<T> = (engine: Engine, found: readonly TraceToRead[]) => Promise<readonly T[]>

/** How many calls of `withTraces` read at present: they share the open files. */
let reading = 0

/** Reports files that are neither traces nor results. Beside results, those of a folder are only counted. */
function complainOfRejected(
  rejected: readonly { readonly input: InputFile; readonly error: EngineError }[],
  { found, isForResults }: { readonly found: FoundResults | undefined; readonly isForResults: boolean },
): void {
  const skipped: string[] = []
  for (const { input, error } of rejected) {
    if (found?.files.has(input.path)) continue
    if (found && isBystander(input, error)) skipped.push(input.path)
    else complainOf(input.path, isForResults ? refusalOfInput(input, error) : error)
  }
  const [first] = skipped
  if (first)
    say(
      `skipped ${counted(skipped.length, 'file')} with neither a trace nor results: ${first}${skipped.length > 1 ? ', ...' : ''}`,
    )
}

/** Calls `use` with all traces among the paths. */
async function withTraces<T>(
  asked: TraceInputs,
  results: ResultsUse | undefined,
  use: TracesUse<T>,
): Promise<readonly T[]> {
  reading += 1
  try {
    return await usingTraces(asked, results, use)
  } finally {
    reading -= 1
    if (reading === 0) {
      closeInputs()
      dismissSections()
    }
  }
}

async function usingTraces<T>(
  asked: TraceInputs,
  results: ResultsUse | undefined,
  use: TracesUse<T>,
): Promise<readonly T[]> {
  const { paths, limited, pattern, output, most = Number.POSITIVE_INFINITY } = asked
  const whole = asked.given ?? inputsOf(paths)
  const given = pattern === undefined ? whole : whole.map(file => ({ ...file, pattern }))
  prepareSections(given, asked.threads ?? cores())
  const engine = loadEngine()
  const { files: inputs, problems, inside } = unpack(engine, given, limited)
  for (const problem of problems) complainOf('', problem)
  const { traces, rejected, notes } = group(engine, inputs)
  checkOutput(output, [
    ...given.filter(input => input.named),
    ...traces.flatMap(({ parts }) => parts.flatMap(index => inputs[index] ?? [])),
  ])
  const mails = traces
    .flatMap(({ parts }) => (parts.length === 1 ? parts : []))
    .filter(index => (inputs[index]?.size ?? 0) <= MAIL_BYTES)
  const candidates = traces.length === 0 ? [...rejected.map(r => r.index), ...notes] : mails
  const found =
    results &&
    resultsIn(
      engine,
      // A text with several recordings is read once, as it is.
      [...new Set(candidates.flatMap(index => inputs[index]?.text ?? inputs[index] ?? []))],
      asked.sides,
    )
  if (asked.sides !== undefined && !found)
    throw new UsageError('--sides: none of the inputs has results without a trace')
  if (found) results(found)
  complainOfRejected(
    rejected.flatMap(({ index, error }) => (inputs[index] ? [{ input: inputs[index], error }] : [])),
    { found, isForResults: results !== undefined && traces.length === 0 },
  )
  const noted = readNotes(engine, traces, notes, inputs)
  // In a directory a text without facts is fine. A file that was named must be of use: classified alone, the engine
  // reports what it is.
  for (const [i, index] of notes.entries()) {
    const input = inputs[index]
    if (!input?.named || found?.files.has(input.path) || noted.notes[i]?.facts.length !== 0) continue
    for (const { error } of group(engine, [input]).rejected) complainOf(input.path, error)
  }
  const texts = new Set(notes.flatMap(index => inputs[index] ?? []))
  for (const { path, named, from, to } of inside) {
    // A compressed file is not a folder: what is in it says what it is.
    const own = inputs.slice(from, to).filter(input => input.path.startsWith(`${path}/`))
    if (named && own.length > 0 && own.every(input => texts.has(input) && !found?.files.has(input.path)))
      complain(path, 'no-trace', 'None of the files is a trace.')
  }
  const notesOf: number[][] = traces.map(() => [])
  for (const [n, { traces: of }] of noted.notes.entries()) for (const i of of) notesOf[i]?.push(n)
  if (traces.length > most) complain(paths.join(' '), 'too-many-runs', `Only the first ${most} are included.`)
  const read = traces.slice(0, most)
  const foundTraces = read.map(({ name, parts }, i): TraceToRead => {
    const files = parts.flatMap(index => inputs[index] ?? [])
    const facts: RunFacts = noted.runs[i] ?? { label: name }
    const { label, dropped, kernel, zones, blocks, group, bench = [], settings = [] } = facts
    const beside = (notesOf[i] ?? []).flatMap(n => {
      const note = noted.notes[n]
      return note ? [{ note, input: inputs[notes[n] ?? -1] }] : []
    })
    const own = beside.flatMap(({ note: { traces: _, ...note } }) => (note.kind === 'binary' ? [] : [note]))
    const path = files[0]?.path ?? name
    return {
      facts: {
        label,
        notes: own,
        bench,
        settings,
        labelSource: labelSourceOf(facts, files[0]?.path ?? ''),
        path,
        files,
        ...(kernel && { kernel }),
        ...(group && { group }),
      },
      opening() {
        const counters = beside.flatMap(({ note, input }) => (note.kind === 'counters' && input ? [input] : []))
        const window = planned(engine, files, asked)
        const known = {
          ...(dropped && { dropped }),
          ...(kernel && { kernel }),
          ...(zones && { zones }),
          ...(blocks && { blocks }),
        }
        return { name, label, files, counters, ...known, ...(window && { window }) }
      },
      complain(error) {
        const at = isEngineError(error) ? error.at?.file : undefined
        complainOf((files.find(file => file.name === at || file.path === at) ?? files[0])?.path ?? name, error)
      },
    }
  })
  const bytes = read.flatMap(({ parts }) => parts).reduce((sum, index) => sum + (inputs[index]?.size ?? 0), 0)
  progress.start('Reading', bytes)
  const answers = await use(engine, foundTraces)
  progress.stop()
  return answers
}

const advanced = (file: string, bytes: number): void => {
  progress.file(file)
  progress.advance(bytes)
}

/** Calls `use` with every trace among the paths and frees it after that, unless `keep` is set. */
export function ofEachTrace<T>(
  asked: TraceInputs,
  use: (read: LoadedTrace) => T | Promise<T>,
  { keep = false, results }: { readonly keep?: boolean; readonly results?: ResultsUse } = {},
): Promise<readonly T[]> {
  return withTraces(asked, results, async (engine, found) => {
    const answers: T[] = []
    for (const { facts, opening, complain } of found) {
      try {
        const trace = await readTrace(engine, opening(), asked.threads ?? cores(), advanced)
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
  asked: TraceInputs,
  kind: K,
  ask: (facts: TraceFacts) => Query<K>,
  results?: ResultsUse,
): Promise<readonly TraceAnswer<K>[]> {
  return withTraces(asked, results, async (engine, found) => {
    const tasks = found.flatMap(({ facts, opening, complain }) => {
      try {
        return [{ facts, complain, opening: opening() }]
      } catch (error) {
        complain(error)
        return []
      }
    })
    const bytes = tasks.flatMap(({ opening }) => opening.files).reduce((sum, file) => sum + file.size, 0)
    const all = asked.threads ?? (bytes < WORTH ? 1 : cores())
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
        const own = await aside[i]
        if (own && 'error' in own) throw own.error
        answers.push({
          facts,
          answer: own
            ? (own.answer as QueryAnswer<K>)
            : await answerOfTrace(engine, opening, kind, ask(facts), all, advanced),
        })
      } catch (error) {
        complain(error)
      }
    }
    return answers
  })
}
