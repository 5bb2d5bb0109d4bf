/** Traces as runs: their digests, with the geometry of arrays that texts next to them describe. */
import type { BenchFigure, Digest, Geometry, LabelSource, Setting, TraceNote } from '../web/engine/protocol'
import { formatGeometry } from '../web/lib/geometry'
import { sector } from '../web/lib/units'
import { say } from './progress'
import type { FoundResults } from './results'
import { answersOfTraces } from './traces'
import type { TraceInputs } from './values'

/** A trace as a run of a comparison. */
export interface ComparedTrace {
  readonly label: string
  readonly kernel?: string
  /** Repeats of one measurement, as the recorder noted. */
  readonly group?: string
  /** Of its first file. */
  readonly path: string
  readonly bench: readonly BenchFigure[]
  readonly settings: readonly Setting[]
  readonly labelSource: LabelSource
  readonly trace: Digest
}

/** Runs in the order of the paths. Without `geometry` the array is used that texts next to a trace describe. */
export async function runsOf(inputs: TraceInputs, geometry?: Geometry, results?: (found: FoundResults) => void): Promise<readonly ComparedTrace[]> {
  const ask = ({ notes }: { readonly notes: readonly TraceNote[] }) => {
    const own = geometry ?? arrayOf(notes)
    return own ? { geometry: own } : {}
  }
  const answers = await answersOfTraces(inputs, 'digest', ask, results)
  const runs = answers.map(({ facts: { notes: _, ...facts }, answer }): ComparedTrace => ({ ...facts, trace: answer }))
  if (!geometry) for (const { path, trace } of runs) suggestGeometry(path, trace)
  return runs
}

/** Names a geometry that the requests of a trace suggest, unless a text next to it has one. It is never applied by itself. */
export function suggestGeometry(path: string, { devices }: Digest): void {
  for (const { dev, name, array, suggestion } of devices) {
    if (array || !suggestion?.disks) continue
    const spec = formatGeometry({
      unit: sector(suggestion.unit_sectors),
      dataDisks: suggestion.disks,
      start: sector(suggestion.start_sector),
      level: 'none',
    }).replace('level=none', 'level=...')
    say(`${path}: ${name || dev} looks striped (${Math.floor(suggestion.agreement * 100)}% agreement). To use it: --stripe ${spec}`)
  }
}

/** Stripe geometry of the only array that texts next to a trace describe completely. */
export function arrayOf(notes: readonly TraceNote[]): Geometry | undefined {
  const arrays = notes.flatMap(note => note.arrays ?? [])
  const [only] = arrays
  if (!only?.level || !only.disks || arrays.some(a => JSON.stringify(a) !== JSON.stringify(only))) return undefined
  return { level: only.level, unit: sector(only.unit_sectors), dataDisks: only.disks, start: sector(0) }
}
