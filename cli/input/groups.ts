/** Groups of runs that repeat one measurement: given by options, recorded, or recognised by name. */
import type { GuessedLabels, LabelSource } from '../../web/engine/protocol'
import { groupsIfSeveral } from '../../web/lib/groupsIfSeveral'
import { groupedWords } from '../../web/state/runs/grouping'
import { say } from '../output/progress'
import type { RunArrangement } from '../program/values'
import type { Engine } from './read/engine'

interface NamedRun {
  /** Group that the recorder noted. */
  readonly group?: string
  readonly labelSource: LabelSource
}

export interface RunGroups {
  /** Group of each run. */
  readonly groups: readonly (string | undefined)[]
  readonly byName: boolean
}

/** Groups of runs; says how repeats were recognised, and how to undo it. */
export function groupRuns(
  engine: Pick<Engine, 'guessLabels'>,
  runs: readonly NamedRun[],
  { groups, labels, ungrouped }: Pick<RunArrangement, 'groups' | 'labels' | 'ungrouped'>,
): RunGroups {
  if (ungrouped) return { groups: runs.map(() => undefined), byName: false }
  if (groups.length > 0) return { groups: runs.map((_, i) => groups[i] || undefined), byName: false }
  const noted = groupsIfSeveral(runs.map(run => run.group))
  if (noted.some(group => group !== undefined)) return { groups: noted, byName: false }
  const sources = runs.map(({ labelSource }, i): LabelSource => {
    const label = labels[i]
    return label === undefined ? labelSource : { ...labelSource, label, folder: '' }
  })
  const guessed: GuessedLabels = engine.guessLabels(JSON.stringify(sources))
  const groupNames = runs.map((_, i) => guessed.groups.find(group => group.runs.includes(i))?.label)
  const words = groupedWords(groupNames.map(group => ({ ...(group !== undefined && { group }) })))
  if (words === '') return { groups: noted, byName: false }
  say(`${words} To undo: --ungrouped`)
  return { groups: groupNames, byName: true }
}
