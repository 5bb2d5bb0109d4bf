/** What folder names and text files beside a trace say about its run. */
import type { FileBeside, Grouping, RunFacts } from '../engine/protocol'
import type { Run, RunNote } from '../state/types'

export type KnownFacts = Partial<
  Pick<Run, 'kernel' | 'deviceNames' | 'notes' | 'labelFacts' | 'bench' | 'settings' | 'group' | 'cut'>
>

/** Notes of a trace, or all notes; those with facts first. */
export const notesOf = ({ files, notes }: Grouping, trace?: number): RunNote[] =>
  notes
    .filter(({ traces }) => trace === undefined || traces.includes(trace))
    .flatMap(({ index, note }) => (files[index] ? [{ ...note, blob: files[index].blob }] : []))
    .sort((a, b) => Number(b.facts.length > 0) - Number(a.facts.length > 0))

/** Texts that the engine of the trace reads: a note has only what their beginning says. */
export const besideIn = (notes: readonly RunNote[]): readonly FileBeside[] =>
  notes.filter(note => note.beside).map(({ file, blob }) => ({ path: file, blob }))

export function factsOfNotes(notes: readonly RunNote[], kernel: string | undefined): KnownFacts {
  const names = Object.fromEntries(notes.flatMap(n => n.names ?? []))
  return {
    ...(kernel !== undefined && { kernel }),
    ...(Object.keys(names).length > 0 && { deviceNames: names }),
    ...(notes.length > 0 && { notes }),
  }
}

/** Facts for a run's label, and figures of the application. `path`: one of the trace's files. */
export function factsOfRun(
  path: string,
  { scheduler, workload, writers, jobs, bench, settings }: Omit<RunFacts, 'label'>,
): Pick<KnownFacts, 'labelFacts' | 'bench' | 'settings'> {
  const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')))
  const labelFacts = {
    folder,
    ...(scheduler !== undefined && { scheduler }),
    ...(workload !== undefined && { workload }),
    ...(writers !== undefined && { writers }),
    ...(jobs !== undefined && { jobs }),
  }
  return { labelFacts, ...(bench && { bench }), ...(settings && { settings }) }
}

/** Adds facts to a run. Facts that it already has win: they are closer to the recording. */
export function withFacts(run: Run, { labelFacts, bench, settings }: ReturnType<typeof factsOfRun>): Partial<Run> {
  const existing = run.bench ?? []
  const more = bench?.filter(figure => !existing.some(k => k.key === figure.key)) ?? []
  const set = run.settings ?? []
  const added = settings?.filter(setting => !set.some(k => k.key === setting.key && k.device === setting.device)) ?? []
  return {
    labelFacts: { folder: '', ...labelFacts, ...run.labelFacts },
    ...(existing.length + more.length > 0 && { bench: [...existing, ...more] }),
    ...(set.length + added.length > 0 && { settings: [...set, ...added] }),
  }
}
