/** What is needed to read each trace of a grouping: its files, its facts, and what the texts next to it say. */
import type { Grouping } from '../engine/protocol'
import type { FoundFile } from '../ingest/found'
import { groupsIfSeveral } from '../lib/groupsIfSeveral'
import { cutTraces } from './cut'
import { besideIn, factsOfNotes, factsOfRun, notesOf } from './facts'
import type { TraceToOpen } from './session'

export function openingsOf(grouping: Grouping, dropped: readonly FoundFile[]): readonly TraceToOpen[] {
  const { files, traces } = grouping
  const groups = groupsIfSeveral(traces.map(trace => trace.group))
  const cuts = cutTraces(grouping)
  return traces.map(({ name, label, parts, kernel, dropped: lost, zones, blocks, group: _, ...named }, i) => {
    const found = parts.flatMap(part => files[part] ?? [])
    const notes = notesOf(grouping, i)
    const [group, cut] = [groups[i], cuts[i]]
    return {
      name,
      label,
      parts: found.map(({ name, blob, pattern }) => ({ name, blob, ...(pattern !== undefined && { pattern }) })),
      inputs: inputsOf(
        found.map(file => file.path),
        dropped,
      ),
      facts: {
        ...factsOfNotes(notes, kernel),
        ...factsOfRun(files[parts[0] ?? 0]?.path ?? '', named),
        ...(group && { group }),
        ...(cut && { cut }),
      },
      beside: besideIn(notes),
      ...(lost && { dropped: lost }),
      ...(zones && { zones }),
      ...(blocks && { blocks }),
    }
  })
}

/** What the command line calls these files: the dropped archive, or the base name of per-CPU files. */
function inputsOf(paths: readonly string[], dropped: readonly FoundFile[]): readonly string[] {
  const names = paths.map(
    path => dropped.find(file => path.startsWith(`${file.path}/`))?.path ?? path.replace(/\.blktrace\.\d+$/, ''),
  )
  return [...new Set(names)]
}
