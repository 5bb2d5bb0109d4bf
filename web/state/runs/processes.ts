/**
 * Processes of all runs as one list with one palette. A recording can have tens of thousands of them, and every render
 * needs the list.
 */
import type { ProcessInfo } from '../../engine/protocol'
import type { Run } from '../types'

/** Slots of the process palette; the last is "other". */
export const PROCESS_SLOTS = 5

/** Identifies a process in all runs: by name and the device through which its bios came, not by pid. */
export const processKey = (p: Pick<ProcessInfo, 'name' | 'via'>): string =>
  p.via === undefined ? p.name : `${p.name} ${p.via}`

/** One writer in all runs: a row of the process list, with one colour. */
export interface ProcessGroup {
  /** The key that is shown. Other keys of the group are the same writer under other names. */
  readonly key: string
  readonly keys: readonly string[]
  /** Name without the device; several names if the runs do not show which one is right. */
  readonly name: string
  /** Device that all its bios came through. */
  readonly via?: string
  readonly slot: number
}

type Processes = readonly ProcessInfo[]

const processesOf = (run: Run): Processes | undefined => run.info?.processes

/**
 * Keys of the same writer in different runs: each is the only key of its run for one device. blktrace records the
 * name of a task once; if that was before exec, it is the name of the parent (`init` instead of `dd`), so names
 * alone do not identify a writer.
 */
function sameWriters(runs: readonly Processes[]): readonly ReadonlySet<string>[] {
  const byVia = new Map<string, { readonly keys: Set<string>; sole: boolean }>()
  for (const run of runs) {
    const keysOfRun = new Map<string, Set<string>>()
    for (const p of run) {
      if (p.via !== undefined) keysOfRun.set(p.via, (keysOfRun.get(p.via) ?? new Set()).add(processKey(p)))
    }
    for (const [via, keys] of keysOfRun) {
      const all = byVia.get(via) ?? { keys: new Set(), sole: true }
      for (const key of keys) all.keys.add(key)
      byVia.set(via, { keys: all.keys, sole: all.sole && keys.size === 1 })
    }
  }
  return [...byVia.values()].filter(({ sole }) => sole).map(({ keys }) => keys)
}

/**
 * Key for natural order: numbers by their value, upper and lower case alike. Comparing keys is fast; `Intl.Collator`
 * takes seconds for 10,000 names.
 */
const inOrder = (name: string): string => name.toLowerCase().replace(/\d+/g, digits => digits.padStart(20, '0'))

interface Ordered extends ProcessGroup {
  /** Requests queued in all runs. */
  readonly total: number
  readonly order: string
}

const byOrder = (a: Ordered, b: Ordered): number => (a.order < b.order ? -1 : a.order > b.order ? 1 : 0)

/** The groups with the most requests. */
function busiestOf(groups: readonly Ordered[]): readonly Ordered[] {
  const busiest: Ordered[] = []
  for (const group of groups) {
    const before = (candidate: Ordered) =>
      candidate.total > group.total || (candidate.total === group.total && byOrder(candidate, group) <= 0)
    const index = busiest.findLastIndex(before) + 1
    if (index < PROCESS_SLOTS) busiest.splice(index, 0, group)
    if (busiest.length > PROCESS_SLOTS) busiest.pop()
  }
  return busiest
}

function groupProcesses(runs: readonly Processes[]): readonly ProcessGroup[] {
  const queued = new Map<string, number>()
  const infos = new Map<string, ProcessInfo>()
  const uses = new Map<string, number>()
  for (const p of runs.flat()) {
    const key = processKey(p)
    queued.set(key, (queued.get(key) ?? 0) + p.queued)
    if (!infos.has(key)) infos.set(key, p)
    uses.set(p.name, (uses.get(p.name) ?? 0) + 1)
  }
  const nameOf = (key: string) => infos.get(key)?.name ?? key
  const byUse = (a: string, b: string) =>
    (uses.get(nameOf(b)) ?? 0) - (uses.get(nameOf(a)) ?? 0) || (inOrder(a) < inOrder(b) ? -1 : 1)
  // A name is the parent's where the run has the shown name too, at another device.
  const explained = (key: string, shown: string) =>
    runs.every(run => !run.some(p => processKey(p) === key) || run.some(p => p.name === nameOf(shown)))
  const identified = sameWriters(runs).map(keys => [...keys].sort(byUse))
  const joined = new Set(identified.flat())
  const groups = [...identified, ...[...queued.keys()].filter(key => !joined.has(key)).map(key => [key])].flatMap(
    (keys): Ordered[] => {
      const [key] = keys
      if (key === undefined) return []
      const { name, via } = infos.get(key) ?? { name: key }
      const otherKeys = keys.slice(1).filter(other => !explained(other, key))
      const total = keys.reduce((sum, k) => sum + (queued.get(k) ?? 0), 0)
      const names = [name, ...otherKeys.map(nameOf)].join(' / ')
      return [
        { key, keys, name: names, ...(via !== undefined && { via }), slot: PROCESS_SLOTS, total, order: inOrder(key) },
      ]
    },
  )
  const busiest = [...busiestOf(groups)].sort(byOrder)
  const rest = groups.filter(each => !busiest.includes(each)).sort(byOrder)
  return [...busiest.map((each, slot) => ({ ...each, slot })), ...rest]
}

let last: { readonly lists: readonly (Processes | undefined)[]; readonly groups: readonly ProcessGroup[] } = {
  lists: [],
  groups: [],
}

/**
 * Processes of all runs that queued requests as one list, by palette slot. The last list is cached: one render needs
 * it several times, and a recording can have tens of thousands of processes.
 */
export function processGroups(runs: readonly Run[]): readonly ProcessGroup[] {
  const lists = runs.map(processesOf)
  if (lists.length !== last.lists.length || lists.some((processes, i) => processes !== last.lists[i])) {
    last = { lists, groups: groupProcesses(lists.map(processes => processes?.filter(p => p.queued > 0) ?? [])) }
  }
  return last.groups
}

/**
 * Busiest process keys of all runs with their palette slot; from the sixth on all share the last. The first key of a
 * slot is the one shown.
 */
export const processSlots = (runs: readonly Run[]): ReadonlyMap<string, number> =>
  new Map(processGroups(runs).flatMap(({ keys, slot }) => keys.map(key => [key, slot] as const)))

/** Palette slot of each process of a run, for the `process` layer: index is `ProcessInfo.index`. */
export function slotsOf(run: Run, slots: ReadonlyMap<string, number>): number[] {
  const slotOfProcess: number[] = []
  for (const p of run.info?.processes ?? []) slotOfProcess[p.index] = slots.get(processKey(p)) ?? PROCESS_SLOTS
  return slotOfProcess
}
