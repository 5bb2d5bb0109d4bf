/** Pure changes of the row of runs. A run's letter is its place in the row. */
import { LETTERS } from '../../link/view'
import type { Run } from '../types'

export { LETTERS }

/** Runs of a group behind the first of them. */
const together = (runs: readonly Run[]): readonly Run[] =>
  runs.flatMap((run, i) => {
    if (run.group === undefined) return [run]
    return runs.findIndex(r => r.group === run.group) === i ? runs.filter(r => r.group === run.group) : []
  })

/** Groups together, letters by place, and exactly one baseline: the first run unless another was chosen. */
export function placed(runs: readonly Run[]): readonly Run[] {
  const chosen = runs.find(r => r.baseline) ?? runs[0]
  return together(runs).map((run, i) => {
    const letter = LETTERS[i] ?? 'T'
    const baseline = run === chosen
    return run.letter === letter && run.baseline === baseline ? run : { ...run, letter, baseline }
  })
}

export const changed = (runs: readonly Run[], id: string, by: Partial<Run>): readonly Run[] =>
  runs.map(r => (r.id === id ? { ...r, ...by } : r))

/** The row without a run; where that was the last one in sight, the first is shown again. */
export function without(runs: readonly Run[], id: string): readonly Run[] {
  const rest = placed(runs.filter(r => r.id !== id))
  return rest.every(r => r.hidden) ? rest.map((r, i) => (i === 0 ? { ...r, hidden: false } : r)) : rest
}

/** The run at another place of the row. */
export function moved(runs: readonly Run[], id: string, to: number): readonly Run[] {
  const run = runs.find(r => r.id === id)
  if (!run) return runs
  const rest = runs.filter(r => r !== run)
  return placed(rest.toSpliced(Math.max(0, Math.min(rest.length, to)), 0, run))
}

export const withBaseline = (runs: readonly Run[], id: string): readonly Run[] =>
  runs.map(r => (r.baseline === (r.id === id) ? r : { ...r, baseline: r.id === id }))

/** The one that is compared with the baseline. */
export const withCompared = (runs: readonly Run[], id: string): readonly Run[] =>
  runs.map(run => {
    const { compared: _, ...rest } = run
    return run.id === id ? { ...run, compared: true } : run.compared ? rest : run
  })

/** Hidden or shown; the last one in sight stays. */
export function toggled(runs: readonly Run[], id: string): readonly Run[] {
  const inSight = runs.filter(r => !r.hidden)
  if (inSight.length === 1 && inSight[0]?.id === id) return runs
  return runs.map(r => (r.id === id ? { ...r, hidden: !r.hidden } : r))
}
