/** Pure changes of the row of runs. Letters follow from groups and places in the row. */
import { LETTERS } from '../../link/view'
import type { Run } from '../types'
import { withLetters } from './letters'

export { LETTERS }

/** Moves the runs of a group behind its first one. */
const gatherGroups = (runs: readonly Run[]): readonly Run[] =>
  runs.flatMap((run, i) => {
    if (run.group === undefined) return [run]
    return runs.findIndex(r => r.group === run.group) === i ? runs.filter(r => r.group === run.group) : []
  })

/**
 * Restores what must hold for every row of runs: groups are adjacent, letters follow the order, and exactly one run
 * is the baseline (the first unless another was chosen). Every change of the row ends here.
 */
export function placeRuns(runs: readonly Run[]): readonly Run[] {
  const chosen = runs.find(r => r.baseline) ?? runs[0]
  const row = gatherGroups(runs).map(run => {
    const baseline = run === chosen
    return run.baseline === baseline ? run : { ...run, baseline }
  })
  return withLetters(row)
}

export const changeRun = (runs: readonly Run[], id: string, changes: Partial<Run>): readonly Run[] =>
  runs.map(r => (r.id === id ? { ...r, ...changes } : r))

/** Removes a run. If all remaining runs are hidden, the first one is shown. */
export function rowWithout(runs: readonly Run[], id: string): readonly Run[] {
  const rest = placeRuns(runs.filter(r => r.id !== id))
  return rest.every(r => r.hidden) ? rest.map((r, i) => (i === 0 ? { ...r, hidden: false } : r)) : rest
}

/** Moves a run to another index of the row. */
export function moveRun(runs: readonly Run[], id: string, index: number): readonly Run[] {
  const run = runs.find(r => r.id === id)
  if (!run) return runs
  const rest = runs.filter(r => r !== run)
  return placeRuns(rest.toSpliced(Math.max(0, Math.min(rest.length, index)), 0, run))
}

export const withBaseline = (runs: readonly Run[], id: string): readonly Run[] =>
  runs.map(r => (r.baseline === (r.id === id) ? r : { ...r, baseline: r.id === id }))

/** Marks the run that is compared with the baseline. */
export const withCompared = (runs: readonly Run[], id: string): readonly Run[] =>
  runs.map(run => {
    const { compared: _, ...rest } = run
    return run.id === id ? { ...run, compared: true } : run.compared ? rest : run
  })

/** Hides or shows a run; the last visible run stays visible. */
export function toggleRun(runs: readonly Run[], id: string): readonly Run[] {
  const inSight = runs.filter(r => !r.hidden)
  if (inSight.length === 1 && inSight[0]?.id === id) return runs
  return runs.map(r => (r.id === id ? { ...r, hidden: !r.hidden } : r))
}
