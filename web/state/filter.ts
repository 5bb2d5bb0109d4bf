/** Derives the parameters of queries from the view. */
import type { DeviceInfo, Filter, Layer, Range } from '../engine/protocol'
import { type Ns, ns } from '../lib/units'
import { processKey, processSlots } from './runs/processes'
import type { Hidden, Run, View } from './types'

export const NOTHING_HIDDEN: Hidden = {
  ops: [],
  flags: [],
  processes: [],
  cpus: [],
  alignment: [],
  objects: [],
  writers: [],
}

/** The filters of the rail, for the shown device of a run. */
export function filterOf(run: Run, view: View): Filter {
  const { hidden } = view
  const processes = run.info?.processes.filter(p => hidden.processes.includes(processKey(p))).map(p => p.index) ?? []
  const objects = run.info?.objects?.filter(o => hidden.objects.includes(o.name)).map(o => o.index) ?? []
  const writers = run.info?.writers?.flatMap((name, i) => (hidden.writers.includes(name) ? [i] : [])) ?? []
  return {
    device: run.device,
    ...(hidden.ops.length > 0 && { hideOps: hidden.ops }),
    ...(hidden.flags.length > 0 && { hideFlags: hidden.flags }),
    ...(processes.length > 0 && { hideProcesses: processes }),
    ...(hidden.cpus.length > 0 && { hideCpus: hidden.cpus }),
    ...(objects.length > 0 && { hideObjects: objects }),
    ...(writers.length > 0 && { hideWriters: writers }),
    ...(run.geometry && { geometry: run.geometry }),
    ...(run.geometry && hidden.alignment.length > 0 && { hideAlignment: hidden.alignment }),
    ...(view.latency && { latency: view.latency }),
    ...(view.functions && { functions: view.functions }),
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

/** Begin of what was read of a run, ns: 0 unless only a part of its recording was read. */
export const beginOf = ({ window, info }: Run): Ns => (info?.window ?? window)?.from_ns ?? ns(0)

/**
 * The complete time axis: from the first event of the earliest visible run, or the begin of its part, to the end of the
 * last one.
 */
export function extentOf(runs: readonly Run[]): Range {
  const shownRuns = visible(runs)
  const begin = shownRuns.length === 0 ? 0 : Math.max(0, Math.min(...shownRuns.map(r => beginOf(r) + (r.shift ?? 0))))
  const end = Math.max(0, ...shownRuns.map(r => endOf(r) + (r.shift ?? 0)))
  return { t0: ns(begin), t1: ns(end > begin ? end : begin + 1e9) }
}

/** What colours the map: the chosen layer, else the first dimension with more than one value. */
export function layerOf(runs: readonly Run[], view: View): Layer {
  const layer = preferredLayer(runs, view)
  const available = heldLayers(runs)
  return available === undefined || available.includes(layer) ? layer : (available[0] ?? layer)
}

/** Layers that every snapshot among the runs has; `undefined` if no run is a snapshot. Every snapshot has density. */
export function heldLayers(runs: readonly Run[]): readonly Layer[] | undefined {
  const layerSets = visible(runs).flatMap(run => (run.snapshot ? [run.snapshot.layers] : []))
  const [first] = layerSets
  return first && [...first.filter(layer => layerSets.every(layers => layers.includes(layer))), 'density']
}

function preferredLayer(runs: readonly Run[], view: View): Layer {
  if (view.layer) return view.layer
  const shown = visible(runs)
  if (shown.some(r => r.geometry)) return 'alignment'
  const hasProcesses = shown.some(r => deviceOf(r)?.absent?.processes === undefined)
  if (hasProcesses && new Set(processSlots(shown).values()).size > 1) return 'process'
  return 'op'
}
