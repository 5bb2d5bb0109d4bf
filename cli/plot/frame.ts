/** The runs of a plot as the charts of the page take them, with one range and the figures of that range. */
import { type Shown, type StableView, shownRuns } from '../../web/charts/shared/answers/shown'
import type { Digest, FigureInterval, Layer, Range } from '../../web/engine/protocol'
import { visibleLine } from '../../web/lib/text/visible'
import { ns } from '../../web/lib/units'
import { pageOfTraces, type ReadTrace } from '../../web/share/traces'
import { extentOf, NOTHING_HIDDEN } from '../../web/state/filter'
import { type ObjectColours, objectColours } from '../../web/state/runs/objects'
import { processSlots } from '../../web/state/runs/processes'
import type { Run, View } from '../../web/state/types'
import { UsageError } from '../program/usage'
import type { TimeLimits } from '../program/values'

export interface PlotFrame {
  readonly runs: readonly Run[]
  readonly shown: readonly Shown[]
  readonly view: StableView
  /** From the first to the last time of all runs. */
  readonly extent: Range
  /** Palette slots by process key, the same in all runs. */
  readonly processes: ReadonlyMap<string, number>
  /** Files and structures with their palette slots, the same in all runs. */
  readonly objects: ObjectColours
  /** The 95 % interval of a figure of the shown device. */
  intervalOf(run: Shown, key: string): FigureInterval | undefined
}

const seconds = (t: number): string => `${Number((t / 1e9).toPrecision(6))} s`

/** The common range; throws UsageError where it contains nothing of any run. */
function rangeOf(extent: Range, limits: TimeLimits | undefined): Range {
  if (limits === undefined) return extent
  const t0 = Math.max(limits.t0 ?? extent.t0, extent.t0)
  const t1 = Math.min(limits.t1 ?? extent.t1, extent.t1)
  if (t1 <= t0) throw new UsageError(`--range: the runs are from ${seconds(extent.t0)} to ${seconds(extent.t1)}`)
  return { t0: ns(t0), t1: ns(t1) }
}

/** Names from inputs are made visible here: what follows measures their width. */
function named(run: ReadTrace): ReadTrace {
  const devices = run.info.devices.map(device => ({ ...device, name: visibleLine(device.name) }))
  const processes = run.info.processes.map(process => ({ ...process, name: visibleLine(process.name) }))
  const objects = run.info.objects?.map(object => ({ ...object, name: visibleLine(object.name) }))
  const info = { ...run.info, devices, processes, ...(objects && { objects }) }
  return { ...run, label: visibleLine(run.label), info }
}

const STAGES = ['q2c', 'd2c'] as const

/** Throws UsageError for colours of which no run knows what they would mean. */
function checkLayer(runs: readonly Run[], layer: Layer | undefined): void {
  if (layer === 'object' && runs.every(run => run.info?.objects === undefined))
    throw new UsageError('--layer object: no run has a map of its disk; seekscope-record takes one')
  if (layer === 'alignment' && runs.every(run => run.geometry === undefined))
    throw new UsageError('--layer alignment needs --stripe')
}

/** Queries summary and digest of each run. Rejects with an EngineError, or a UsageError for an empty range. */
export async function plotFrame(
  traces: readonly ReadTrace[],
  limits: TimeLimits | undefined,
  layer?: Layer,
): Promise<PlotFrame> {
  // Texts and pictures name runs as the command line does: by their place, also in a group.
  const read = pageOfTraces(traces.map(named)).runs.map(run => ({ ...run, letter: run.linkLetter }))
  const extent = extentOf(read)
  const range = rangeOf(extent, limits)
  const asked = read.map(({ geometry }) => ({ ...(geometry && { geometry }), ...(limits && { range }) }))
  const runs = await Promise.all(
    read.map(async (run, i): Promise<Run> => ({ ...run, summary: await run.client.query('summary', asked[i] ?? {}) })),
  )
  const digests = new Map<string, Digest>()
  for (const [i, run] of runs.entries()) digests.set(run.id, await run.client.query('digest', asked[i] ?? {}))
  checkLayer(runs, layer)
  const base: View = {
    ...{ range, stage: 'q2c', layout: 'columns', trueScale: false, hidden: NOTHING_HIDDEN },
    ...(layer && { layer }),
  }
  const runsInView = shownRuns(runs, base)
  const stage = STAGES.find(name => runsInView.some(run => (run.figures?.latency_ns[name]?.n ?? 0) > 0)) ?? 'q2c'
  const view: View = { ...base, stage }
  return {
    runs,
    shown: runsInView,
    view,
    extent,
    processes: processSlots(runs),
    objects: objectColours(runs),
    intervalOf: ({ id, device }, key) =>
      digests.get(id)?.devices.find(d => d.dev === device.dev)?.bins.intervals?.[key],
  }
}

/** The answers of all runs to one query each, in their order. */
export const answers = <T>(frame: Pick<PlotFrame, 'shown'>, ask: (run: Shown) => Promise<T>): Promise<readonly T[]> =>
  Promise.all(frame.shown.map(ask))
