/** Groups of repeated runs: recognised by their names, or chosen by the user. Pure changes of the page. */

import { type Page, put } from '../page'
import type { Run } from '../types'
import { placeRuns } from './runs'

/** A group and the ids of its runs. */
export interface RunGroup {
  readonly label: string
  readonly runs: readonly string[]
}

/** Assigns exactly these groups; a run that several groups list is in the last one. */
export function groupRuns(runs: readonly Run[], groups: readonly RunGroup[]): readonly Run[] {
  const names = new Map(groups.flatMap(({ label, runs }) => runs.map(id => [id, label] as const)))
  const isUnchanged = runs.every(run => run.group === names.get(run.id))
  return isUnchanged ? runs : placeRuns(runs.map(run => put(run, 'group', names.get(run.id))))
}

/** The groups of a snapshot cannot change: it has only the comparison that was shared. */
const isFixed = (run: Run): boolean => run.snapshot !== undefined && run.digest === undefined

/**
 * Groups repeats that were recognised by their names. Groups that were recorded, came with a link or were chosen by
 * the user are kept, and nothing is grouped while traces are still being opened.
 */
export function groupByName(page: Page): Page {
  const { grouping, runs, labels } = page
  if (page.sorting || page.opening || page.arranging || runs.some(isFixed)) return page
  if (grouping === undefined ? runs.some(run => run.group !== undefined) : grouping !== 'name') return page
  const ids = new Set(runs.map(run => run.id))
  // The labels of other runs are still the old ones.
  if (runs.some(run => labels.values[run.id] === undefined)) return page
  const openGroups = labels.groups.map(group => ({ ...group, runs: group.runs.filter(id => ids.has(id)) }))
  const groups = openGroups.filter(group => group.runs.length > 0)
  const recognised = groups.length > 1 && groups.some(group => group.runs.length > 1)
  if (!recognised && grouping === undefined) return page
  const now = groupRuns(runs, recognised ? groups : [])
  const mode = recognised ? 'name' : undefined
  return now === runs && grouping === mode ? page : put({ ...page, runs: now }, 'grouping', mode)
}

/** Groups of runs in their order. */
export function groupsOf<T extends { readonly group?: string }>(
  runs: readonly T[],
): readonly { readonly label: string; readonly runs: readonly T[] }[] {
  const labels = [...new Set(runs.flatMap(run => run.group ?? []))]
  return labels.map(label => ({ label, runs: runs.filter(run => run.group === label) }))
}

/** `Grouped by name: nr64 (3) against nr4 (3).` */
export function groupedWords(runs: readonly { readonly group?: string }[]): string {
  const [first, ...following] = groupsOf(runs).map(group => `${group.label} (${group.runs.length})`)
  const last = following.at(-1)
  if (first === undefined || last === undefined) return ''
  const rest = following.length > 1 ? `${following.slice(0, -1).join(', ')} and ${last}` : last
  return `Grouped by name: ${first} against ${rest}.`
}
