/** The traces among sorted inputs, each with what is needed to read it and what the texts next to it say. */
import { dirname } from 'node:path'
import { isEngineError } from '../../../web/engine/errors'
import type {
  BenchFigure,
  LabelSource,
  NotesOfTraces,
  RunFacts,
  Setting,
  TraceNote,
} from '../../../web/engine/protocol'
import { complainOf } from '../../output/progress'
import type { TraceInputs } from '../../program/values'
import type { InputFile } from '../find/inputs'
import type { SortedInputs } from '../find/sorted'
import type { Engine } from './engine'
import { planWindow } from './plan'
import type { TraceOpening } from './read'

/** Facts about a trace that need no reading, including those from texts next to it. */
export interface TraceFacts {
  readonly label: string
  /** Kernel release. */
  readonly kernel?: string
  /** Repeats of one measurement, as the recorder noted. */
  readonly group?: string
  readonly notes: readonly TraceNote[]
  readonly bench: readonly BenchFigure[]
  readonly settings: readonly Setting[]
  /** Texts from which the labels of the run are guessed. */
  readonly labelSource: LabelSource
  /** Path of the first file. */
  readonly path: string
  readonly files: readonly InputFile[]
}

/** A trace that was found, before it is read. */
export interface TraceToRead {
  readonly facts: TraceFacts
  /** Throws an EngineError when it does not fit. */
  opening(): TraceOpening
  /** Reports an error about this trace. */
  complain(error: unknown): void
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

/** A text next to a trace. */
interface NoteBeside {
  readonly note: NotesOfTraces['notes'][number]
  readonly input: InputFile | undefined
}

/**
 * Notes by trace. One pass over the notes: a run of many benchmarks has thousands, and a pass per trace would be
 * quadratic.
 */
function notesByTrace({ traces, notes, noted, inputs }: SortedInputs): readonly (readonly NoteBeside[])[] {
  const beside: NoteBeside[][] = traces.map(() => [])
  for (const [i, note] of noted.notes.entries())
    for (const trace of note.traces) beside[trace]?.push({ note, input: inputs[notes[i] ?? -1] })
  return beside
}

export function tracesToRead(engine: Engine, sorted: SortedInputs, request: TraceInputs): readonly TraceToRead[] {
  const { inputs, traces, noted } = sorted
  const allBeside = notesByTrace(sorted)
  return traces.map(({ name, parts }, i) => {
    const files = parts.flatMap(index => inputs[index] ?? [])
    const run: RunFacts = noted.runs[i] ?? { label: name }
    const beside = allBeside[i] ?? []
    return {
      facts: factsOf(run, beside, files, name),
      opening: () => openingOf(engine, { name, run, beside, files }, request),
      complain(error) {
        const file = isEngineError(error) ? error.at?.file : undefined
        const failed = files.find(({ name, path }) => name === file || path === file) ?? files[0]
        complainOf(failed?.path ?? name, error)
      },
    }
  })
}

function factsOf(run: RunFacts, beside: readonly NoteBeside[], files: readonly InputFile[], name: string): TraceFacts {
  const { label, kernel, group, bench = [], settings = [] } = run
  const [first] = files
  return {
    label,
    notes: beside.flatMap(({ note: { traces: _, ...note } }) => (note.kind === 'binary' ? [] : [note])),
    bench,
    settings,
    labelSource: labelSourceOf(run, first?.path ?? ''),
    path: first?.path ?? name,
    files,
    ...(kernel && { kernel }),
    ...(group && { group }),
  }
}

interface FoundParts {
  readonly name: string
  readonly run: RunFacts
  readonly beside: readonly NoteBeside[]
  readonly files: readonly InputFile[]
}

function openingOf(engine: Engine, { name, run, beside, files }: FoundParts, request: TraceInputs): TraceOpening {
  const { label, dropped, kernel, zones, blocks } = run
  const window = planWindow(engine, files, request)
  return {
    name,
    label,
    files,
    beside: beside.flatMap(({ note, input }) => (note.beside && input ? [input] : [])),
    ...(dropped && { dropped }),
    ...(kernel && { kernel }),
    ...(zones && { zones }),
    ...(blocks && { blocks }),
    ...(window && { window }),
  }
}
