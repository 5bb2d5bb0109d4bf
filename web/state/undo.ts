/**
 * What can be undone: a removed run, closed runs, groups and labels. A step holds what it takes to bring it back. The
 * traces of a step stay open until it leaves the list: as the oldest of too many, or because another comparison is
 * opened. `web/opening` ends their workers then.
 */
import { type Page, put, settlePage, titleOf, type UndoStep } from './page'
import { type LabelTable, NO_LABELS } from './runs/labels'
import { changeRun, LETTERS, placeRuns, withBaseline, withCompared } from './runs/runs'
import type { Run } from './types'

export const MAX_UNDO_STEPS = 8
/** As many traces as can be open at once. */
export const MAX_HELD_TRACES = LETTERS.length

/** The last steps within both limits; the last one always stays. */
function withinLimits(steps: readonly UndoStep[]): readonly UndoStep[] {
  let held = 0
  let first = Math.max(0, steps.length - MAX_UNDO_STEPS)
  for (let i = steps.length - 1; i >= first; i--) {
    held += steps[i]?.traces.length ?? 0
    if (held > MAX_HELD_TRACES && i < steps.length - 1) first = i + 1
  }
  return steps.slice(first)
}

/** Adds a step, and offers in a toast to undo it. */
export const withStep = (page: Page, step: UndoStep): Page => ({
  ...page,
  undo: withinLimits([...page.undo, step]),
  toast: { words: step.words, undo: true },
})

/** The page before the last step. */
export function undone(page: Page): Page {
  const step = page.undo.at(-1)
  if (!step) return page
  const restored = step.restore(page)
  if (!restored)
    return { ...page, toast: { words: `${LETTERS.length} runs are open: remove one, then undo again.`, undo: true } }
  return settlePage({ ...restored, undo: page.undo.slice(0, -1), toast: { words: 'Undone.' } })
}

/** Gives the runs of an earlier page the groups that they had on it. */
function withGroups(page: Page, before: Page): Page {
  const groups = new Map(before.runs.map(run => [run.id, run.group] as const))
  const runs = page.runs.map(run => (groups.has(run.id) ? put(run, 'group', groups.get(run.id)) : run))
  return put({ ...page, runs }, 'grouping', before.grouping)
}

const traceSet = (runs: readonly Run[]): string => [...new Set(runs.map(run => run.trace))].sort((a, b) => a - b).join()

/** The step of a run that was removed from the page `before`. */
export function removal(before: Page, removed: Run, traces: readonly number[]): UndoStep {
  const index = before.runs.indexOf(removed)
  return {
    words: `Removed ${removed.letter}.`,
    traces,
    restore(page) {
      if (page.runs.length >= LETTERS.length) return undefined
      const grouped = withGroups({ ...page, runs: page.runs.toSpliced(index, 0, removed) }, before)
      const withBase = removed.baseline ? withBaseline(grouped.runs, removed.id) : grouped.runs
      const runs = placeRuns(removed.compared ? withCompared(withBase, removed.id) : withBase)
      const values = { ...page.labels.values, [removed.id]: before.labels.values[removed.id] ?? {} }
      // With all its runs the sample is the sample again.
      const sample = page.sample ?? (traceSet(runs) === traceSet(before.runs) ? before.sample : undefined)
      return put({ ...grouped, runs, labels: { ...page.labels, values } }, 'sample', sample)
    },
  }
}

/** The step of runs that were closed, all at once or with the last of them. `before`: without runs that were ended. */
export function closing(before: Page, words = `Closed ${titleOf(before)}.`): UndoStep {
  const open = put(put(put(before, 'dialog', undefined), 'home', undefined), 'toast', undefined)
  return {
    words,
    traces: [...new Set(before.runs.map(run => run.trace))],
    closes: true,
    restore: page =>
      page.runs.length > 0 || page.results
        ? undefined
        : put(put(open, 'fleet', page.fleet), 'bisection', page.bisection),
  }
}

export const renaming = (run: Run, label: string): UndoStep => ({
  words: `Renamed ${run.letter} to ${label}.`,
  traces: [],
  restore: page => ({ ...page, runs: changeRun(page.runs, run.id, { label: run.label }) }),
})

/** Groups move runs: their order comes back with the groups. */
export const regrouping = (before: Page, words: string): UndoStep => ({
  words,
  traces: [],
  restore(page) {
    const grouped = withGroups(page, before)
    const place = (run: Run) => {
      const index = before.runs.findIndex(candidate => candidate.id === run.id)
      return index < 0 ? before.runs.length : index
    }
    return { ...grouped, runs: placeRuns([...grouped.runs].sort((a, b) => place(a) - place(b))) }
  },
})

/** Adds the step of a change of the label table; further edits in the same dialog belong to it. */
export function withLabelStep(page: Page, labels: LabelTable, words: string): Page {
  if (labels === page.labels) return page
  const changed = { ...page, labels }
  const last = page.undo.at(-1)
  if (last?.dialog !== undefined && last.dialog === page.dialog) return changed
  const before = page.labels
  return withStep(changed, {
    words,
    traces: [],
    ...(page.dialog && { dialog: page.dialog }),
    restore: now => ({
      ...now,
      labels: before.edited ? { ...before, values: { ...now.labels.values, ...before.values } } : NO_LABELS,
    }),
  })
}
