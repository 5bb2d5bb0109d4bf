/** Pure changes of the row of runs. A run's letter is its place in the row. */
import type { Run, RunLetter } from './types'

export const LETTERS = 'ABCDEFGHIJKLMNOPQRST'.split('') as RunLetter[]

/** Letters by place, and exactly one baseline: the first run unless another was chosen. */
export function placed(runs: readonly Run[]): readonly Run[] {
  const chosen = runs.find(r => r.baseline) ?? runs[0]
  return runs.map((run, i) => {
    const letter = LETTERS[i] ?? 'T'
    const baseline = run === chosen
    return run.letter === letter && run.baseline === baseline ? run : { ...run, letter, baseline }
  })
}

export const changed = (runs: readonly Run[], id: string, by: Partial<Run>): readonly Run[] => runs.map(r => (r.id === id ? { ...r, ...by } : r))

export const without = (runs: readonly Run[], id: string): readonly Run[] => placed(runs.filter(r => r.id !== id))

/** The run at another place of the row. */
export function moved(runs: readonly Run[], id: string, to: number): readonly Run[] {
  const run = runs.find(r => r.id === id)
  if (!run) return runs
  const rest = runs.filter(r => r !== run)
  return placed(rest.toSpliced(Math.max(0, Math.min(rest.length, to)), 0, run))
}

export const withBaseline = (runs: readonly Run[], id: string): readonly Run[] =>
  runs.map(r => (r.baseline === (r.id === id) ? r : { ...r, baseline: r.id === id }))

/** Hidden or shown; the last one in sight stays. */
export function toggled(runs: readonly Run[], id: string): readonly Run[] {
  const inSight = runs.filter(r => !r.hidden)
  if (inSight.length === 1 && inSight[0]?.id === id) return runs
  return runs.map(r => (r.id === id ? { ...r, hidden: !r.hidden } : r))
}
