/** Traces as runs: their digests, with the geometry of arrays that texts next to them describe. */
import type { BenchFigure, Digest, Geometry, LabelSource, Setting, TraceNote } from '../../web/engine/protocol'
import { formatGeometry } from '../../web/lib/geometry'
import { isQuietRecording } from '../../web/lib/moments'
import { sector } from '../../web/lib/units'
import type { FoundResults } from '../output/figures/results'
import { say } from '../output/progress'
import type { TraceInputs } from '../program/values'
import { answersOfTraces } from './read/traces'
import type { TraceFacts } from './read/traceToRead'

/** A trace as a run of a comparison. */
export interface ComparedTrace {
  readonly label: string
  readonly kernel?: string
  /** Repeats of one measurement, as the recorder noted. */
  readonly group?: string
  /** Path of its first file. */
  readonly path: string
  readonly bench: readonly BenchFigure[]
  readonly settings: readonly Setting[]
  readonly labelSource: LabelSource
  /** An armed recorder made it while nothing fired. */
  readonly quiet?: true
  readonly trace: Digest
}

export interface RunsOptions {
  /** Overrides the array that texts next to a trace describe. */
  readonly geometry?: Geometry
  readonly results?: (found: FoundResults) => void
  /** Called for each trace before it is read. */
  readonly before?: (facts: TraceFacts) => void
}

/** A trace as a run, and its files. */
type ReadRun = ComparedTrace & Pick<TraceFacts, 'files'>

/** Runs in the order of the paths. */
export async function runsOf(
  inputs: TraceInputs,
  { geometry, results, before }: RunsOptions = {},
): Promise<readonly ReadRun[]> {
  const ask = (facts: TraceFacts) => {
    before?.(facts)
    const runGeometry = geometry ?? arrayOf(facts.notes)
    return runGeometry ? { geometry: runGeometry } : {}
  }
  const answers = await answersOfTraces(inputs, 'digest', ask, results)
  const runs = answers.map(
    ({ facts: { notes, ...facts }, answer }): ReadRun => ({
      ...facts,
      trace: answer,
      ...(isQuietRecording(notes) && { quiet: true }),
    }),
  )
  if (!geometry) for (const { path, trace } of runs) suggestGeometry(path, trace)
  return runs
}

/**
 * Names a geometry that the requests of a trace suggest, unless a text next to it has one. It is never applied by
 * itself.
 */
export function suggestGeometry(path: string, { devices }: Digest): void {
  for (const { dev, name, array, suggestion } of devices) {
    if (array || !suggestion?.disks) continue
    const spec = formatGeometry({
      unit: sector(suggestion.unit_sectors),
      dataDisks: suggestion.disks,
      start: sector(suggestion.start_sector),
      level: 'none',
    }).replace('level=none', 'level=...')
    say(
      `${path}: ${name || dev} looks striped (${Math.floor(suggestion.agreement * 100)}% agreement). To use it: --stripe ${spec}`,
    )
  }
}

/** Stripe geometry of the only array that texts next to a trace describe completely. */
export function arrayOf(notes: readonly TraceNote[]): Geometry | undefined {
  const arrays = notes.flatMap(note => note.arrays ?? [])
  const [only] = arrays
  if (!only?.level || !only.disks || arrays.some(a => JSON.stringify(a) !== JSON.stringify(only))) return undefined
  return { level: only.level, unit: sector(only.unit_sectors), dataDisks: only.disks, start: sector(0) }
}
