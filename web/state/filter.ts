/** From the one view on all runs to the question asked of each run. */
import type { DeviceInfo, Filter, Layer, ProcessInfo, Range } from '../engine/protocol'
import { type Ns, ns } from '../lib/units'
import type { Hidden, Run, View } from './types'

/** As people count. One for all: making one for each comparison takes seconds where there are many. */
const IN_ORDER = new Intl.Collator('en', { numeric: true })

export const NOTHING_HIDDEN: Hidden = { ops: [], flags: [], processes: [], cpus: [], alignment: [] }

/** Slots of the process palette; the last is "other". */
export const PROCESS_SLOTS = 5

/** Processes of all runs are told apart by name and the device they came through, never by pid. */
export const processKey = (p: ProcessInfo): string => (p.via === undefined ? p.name : `${p.name} ${p.via}`)

/** What the rail leaves out, as a filter on one run's shown device. */
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

/** The whole of the one time axis: from the first event of the earliest run to the end of the last one in sight. */
export function extentOf(runs: readonly Run[]): Range {
  const end = Math.max(0, ...visible(runs).map(r => endOf(r) + (r.shift ?? 0)))
  return { t0: ns(0), t1: ns(end > 0 ? end : 1e9) }
}

/**
 * Keys that stand for the same process in different runs: each the only one of its run that came through the same device.
 * A task that was recorded before it called exec keeps the name of its parent, so names alone do not tell.
 */
function counterparts(runs: readonly Run[]): ReadonlyMap<string, string> {
  const byVia = new Map<string, { readonly keys: Set<string>; sole: boolean }>()
  for (const run of runs) {
    const mine = new Map<string, Set<string>>()
    for (const p of run.info?.processes ?? []) {
      if (p.via !== undefined && p.queued > 0) mine.set(p.via, (mine.get(p.via) ?? new Set()).add(processKey(p)))
    }
    for (const [via, keys] of mine) {
      const all = byVia.get(via) ?? { keys: new Set(), sole: true }
      for (const key of keys) all.keys.add(key)
      byVia.set(via, { keys: all.keys, sole: all.sole && keys.size === 1 })
    }
  }
  const out = new Map<string, string>()
  for (const { keys, sole } of byVia.values()) {
    const [first] = [...keys].sort((a, b) => IN_ORDER.compare(a, b))
    if (sole && first !== undefined) for (const key of keys) out.set(key, first)
  }
  return out
}

/** Busiest process keys of all runs with their palette slot; from the sixth on all share the last. */
export function processSlots(runs: readonly Run[]): ReadonlyMap<string, number> {
  const same = counterparts(runs)
  const queued = new Map<string, number>()
  const keys = new Set<string>()
  for (const run of runs) {
    for (const p of run.info?.processes ?? []) {
      if (p.queued === 0) continue
      const key = processKey(p)
      const one = same.get(key) ?? key
      keys.add(key)
      queued.set(one, (queued.get(one) ?? 0) + p.queued)
    }
  }
  const busiest = [...queued].sort(([a, m], [b, n]) => n - m || IN_ORDER.compare(a, b)).map(([key]) => key)
  const named = busiest.slice(0, PROCESS_SLOTS).sort((a, b) => IN_ORDER.compare(a, b))
  const slotOf = (key: string) => {
    const slot = named.indexOf(same.get(key) ?? key)
    return slot < 0 ? PROCESS_SLOTS : slot
  }
  const inOrder = [...keys].sort((a, b) => slotOf(a) - slotOf(b) || IN_ORDER.compare(a, b))
  return new Map(inOrder.map(key => [key, slotOf(key)] as const))
}

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
  if (new Set(processSlots(shown).values()).size > 1) return 'process'
  return 'op'
}
