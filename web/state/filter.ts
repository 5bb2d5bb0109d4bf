/** From the view to the parameters of each run's queries. */
import type { DeviceInfo, Filter, Layer, ProcessInfo, Range } from '../engine/protocol'
import { type Ns, ns } from '../lib/units'
import type { Hidden, Run, View } from './types'

/** As people count. One for all: making one for each comparison takes seconds where there are many. */
const IN_ORDER = new Intl.Collator('en', { numeric: true })

export const NOTHING_HIDDEN: Hidden = { ops: [], flags: [], processes: [], cpus: [], alignment: [] }

/** Slots of the process palette; the last is "other". */
export const PROCESS_SLOTS = 5

/** Identifies a process in all runs: by name and the device through which its bios came, not by pid. */
export const processKey = (p: ProcessInfo): string => (p.via === undefined ? p.name : `${p.name} ${p.via}`)

/** The filters of the rail, for the shown device of a run. */
export function filterOf(run: Run, view: View): Filter {
  const { hidden } = view
  const processes = run.info?.processes.filter(p => hidden.processes.includes(processKey(p))).map(p => p.index) ?? []
  return {
    device: run.device,
    ...(hidden.ops.length > 0 && { hideOps: hidden.ops }),
    ...(hidden.flags.length > 0 && { hideFlags: hidden.flags }),
    ...(processes.length > 0 && { hideProcesses: processes }),
    ...(hidden.cpus.length > 0 && { hideCpus: hidden.cpus }),
    ...(run.geometry && { geometry: run.geometry }),
    ...(run.geometry && hidden.alignment.length > 0 && { hideAlignment: hidden.alignment }),
    ...(view.latency && { latency: view.latency }),
  }
}

export const visible = (runs: readonly Run[]): readonly Run[] => runs.filter(r => !r.hidden)

/** The device that the charts show. */
export const deviceOf = (run: Run): DeviceInfo | undefined => run.info?.devices.find(d => d.index === run.device)

/** When the shown device is done: its last completion, or the last event read so far. */
export function endOf(run: Run): Ns {
  if (!run.info) return ns(0)
  return deviceOf(run)?.active[1] ?? run.info.span
}

/** First queued to last completed request of the shown device. */
export function runTime(run: Run): Ns {
  const active = deviceOf(run)?.active
  return active ? ns(active[1] - active[0]) : endOf(run)
}

/** The complete time axis: from the first event of the earliest visible run to the end of the last one. */
export function extentOf(runs: readonly Run[]): Range {
  const end = Math.max(0, ...visible(runs).map(r => endOf(r) + (r.shift ?? 0)))
  return { t0: ns(0), t1: ns(end > 0 ? end : 1e9) }
}

/** One writer in all runs: a row of the process list, with one colour. */
export interface ProcessGroup {
  /** The key shown; the others are the same writer under other names. */
  readonly key: string
  readonly keys: readonly string[]
  /** Name without the device: several names, where the runs do not show which is the right one. */
  readonly name: string
  /** Device that all its bios came through. */
  readonly via?: string
  readonly slot: number
}

const active = (run: Run): readonly ProcessInfo[] => run.info?.processes.filter(p => p.queued > 0) ?? []

/**
 * Keys of the same writer in different runs: each is the only key of its run for one device. blktrace records the name of a task once;
 * if that was before exec, it is the name of the parent (`init` instead of `dd`), so names alone do not identify a writer.
 */
function sameWriters(runs: readonly Run[]): readonly ReadonlySet<string>[] {
  const byVia = new Map<string, { readonly keys: Set<string>; sole: boolean }>()
  for (const run of runs) {
    const mine = new Map<string, Set<string>>()
    for (const p of active(run)) {
      if (p.via !== undefined) mine.set(p.via, (mine.get(p.via) ?? new Set()).add(processKey(p)))
    }
    for (const [via, keys] of mine) {
      const all = byVia.get(via) ?? { keys: new Set(), sole: true }
      for (const key of keys) all.keys.add(key)
      byVia.set(via, { keys: all.keys, sole: all.sole && keys.size === 1 })
    }
  }
  return [...byVia.values()].filter(({ sole }) => sole).map(({ keys }) => keys)
}

/** Processes of all runs as one list, by palette slot. */
export function processGroups(runs: readonly Run[]): readonly ProcessGroup[] {
  const queued = new Map<string, number>()
  const infos = new Map<string, ProcessInfo>()
  const named = new Map<string, number>()
  for (const p of runs.flatMap(active)) {
    const key = processKey(p)
    queued.set(key, (queued.get(key) ?? 0) + p.queued)
    if (!infos.has(key)) infos.set(key, p)
    named.set(p.name, (named.get(p.name) ?? 0) + 1)
  }
  const nameOf = (key: string) => infos.get(key)?.name ?? key
  const byUse = (a: string, b: string) => (named.get(nameOf(b)) ?? 0) - (named.get(nameOf(a)) ?? 0) || IN_ORDER.compare(a, b)
  // A name is the parent's where the run has the shown name too, at another device.
  const explained = (key: string, shown: string) =>
    runs.every(run => !active(run).some(p => processKey(p) === key) || active(run).some(p => p.name === nameOf(shown)))
  const same = sameWriters(runs).map(keys => [...keys].sort(byUse))
  const joined = new Set(same.flat())
  const groups = [...same, ...[...queued.keys()].filter(key => !joined.has(key)).map(key => [key])].flatMap(keys => {
    const [key] = keys
    if (key === undefined) return []
    const { name, via } = infos.get(key) ?? { name: key }
    const names = [
      name,
      ...keys
        .slice(1)
        .filter(other => !explained(other, key))
        .map(nameOf),
    ]
    const total = keys.reduce((sum, k) => sum + (queued.get(k) ?? 0), 0)
    return { key, keys, name: names.join(' / '), ...(via !== undefined && { via }), total }
  })
  const busiest = groups.toSorted((a, b) => b.total - a.total || IN_ORDER.compare(a.key, b.key)).slice(0, PROCESS_SLOTS)
  const slots = busiest.map(g => g.key).sort((a, b) => IN_ORDER.compare(a, b))
  return groups
    .map(({ total: _, ...group }) => ({ ...group, slot: slots.includes(group.key) ? slots.indexOf(group.key) : PROCESS_SLOTS }))
    .sort((a, b) => a.slot - b.slot || IN_ORDER.compare(a.key, b.key))
}

/** Busiest process keys of all runs with their palette slot; from the sixth on all share the last. The first key of a slot is the one shown. */
export const processSlots = (runs: readonly Run[]): ReadonlyMap<string, number> =>
  new Map(processGroups(runs).flatMap(({ keys, slot }) => keys.map(key => [key, slot] as const)))

/** Palette slot of each process of a run, for the `process` layer: index is `ProcessInfo.index`. */
export function slotsOf(run: Run, slots: ReadonlyMap<string, number>): number[] {
  const out: number[] = []
  for (const p of run.info?.processes ?? []) out[p.index] = slots.get(processKey(p)) ?? PROCESS_SLOTS
  return out
}

/** What colours the map: the chosen layer, else the first dimension with more than one value. */
export function layerOf(runs: readonly Run[], view: View): Layer {
  const layer = wantedLayer(runs, view)
  const held = heldLayers(runs)
  return held === undefined || held.includes(layer) ? layer : (held[0] ?? layer)
}

/** Those that every snapshot among the runs holds; absent where there is none. Density is in all of them. */
export function heldLayers(runs: readonly Run[]): readonly Layer[] | undefined {
  const held = visible(runs).flatMap(run => (run.snapshot ? [run.snapshot.layers] : []))
  const [first] = held
  return first && [...first.filter(layer => held.every(layers => layers.includes(layer))), 'density']
}

function wantedLayer(runs: readonly Run[], view: View): Layer {
  if (view.layer) return view.layer
  const shown = visible(runs)
  if (shown.some(r => r.geometry)) return 'alignment'
  const named = shown.some(r => deviceOf(r)?.absent?.processes === undefined)
  if (named && new Set(processSlots(shown).values()).size > 1) return 'process'
  return 'op'
}
