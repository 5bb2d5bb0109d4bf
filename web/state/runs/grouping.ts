/** Groups of repeated runs: recognised by their names, or chosen by the user. Pure changes of the page. */

import { type Page, put } from '../page'
import type { Run } from '../types'
import { placed } from './runs'

/** The runs of a group, by id. */
export interface RunGroup {
  readonly label: string
  readonly runs: readonly string[]
}

/** The runs with exactly these groups; each run is in the last one that has it. */
export function inGroups(runs: readonly Run[], groups: readonly RunGroup[]): readonly Run[] {
  const names = new Map(groups.flatMap(({ label, runs }) => runs.map(id => [id, label] as const)))
  const same = runs.every(run => run.group === names.get(run.id))
  return same ? runs : placed(runs.map(run => put(run, 'group', names.get(run.id))))
}

/** Snapshots have the comparison only as it was shared. */
const isFixed = (run: Run): boolean => run.snapshot !== undefined && run.digest === undefined

/**
 * The page with repeats in groups, as recognised by their names. Groups that were recorded, come with a link or were
 * chosen stay, and what is still being opened has no groups yet.
 */
export function grouped(page: Page): Page {
  const { grouping, runs, labels } = page
  if (page.sorting || page.opening || page.arranging || runs.some(isFixed)) return page
  if (grouping === undefined ? runs.some(run => run.group !== undefined) : grouping !== 'name') return page
  const ids = new Set(runs.map(run => run.id))
  // The labels of other runs are still the old ones.
  if (runs.some(run => labels.values[run.id] === undefined)) return page
  const known = labels.groups.map(group => ({ ...group, runs: group.runs.filter(id => ids.has(id)) }))
  const groups = known.filter(group => group.runs.length > 0)
  const recognised = groups.length > 1 && groups.some(group => group.runs.length > 1)
  if (!recognised && grouping === undefined) return page
  const now = inGroups(runs, recognised ? groups : [])
  const by = recognised ? 'name' : undefined
  return now === runs && grouping === by ? page : put({ ...page, runs: now }, 'grouping', by)
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
  const [first, ...others] = groupsOf(runs).map(group => `${group.label} (${group.runs.length})`)
  const last = others.at(-1)
  if (first === undefined || last === undefined) return ''
  const rest = others.length > 1 ? `${others.slice(0, -1).join(', ')} and ${last}` : last
  return `Grouped by name: ${first} against ${rest}.`
}
