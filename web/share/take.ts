/** A snapshot of the page: what its charts and findings show, at a size, as text that stands in an address. */
import type { Layer, Snapshot, SnapshotQuery, SnapshotSize, TraceClient, TraceSnapshot } from '../engine/protocol'
import { comparable } from '../state/comparing'
import { filterOf, layerOf, processSlots, slotsOf, visible } from '../state/filter'
import type { Page } from '../state/page'
import { ownLabel } from '../state/split'
import { current } from '../state/trail'
import type { Run } from '../state/types'

/** What is taken only when the reader says so. */
export interface IncludedNames {
  /** Process names. */
  readonly names: boolean
  /** Names and paths of files. */
  readonly files: boolean
}

export interface PackedSnapshot {
  readonly text: string
  readonly size: SnapshotSize
  /** Columns of maps, bins of series. */
  readonly columns: number
}

const ALL: readonly Layer[] = ['op', 'alignment', 'process', 'size', 'latency', 'sync']

/** Traces that are there and whole: the runs of each, in the order of opening. */
export function tracesOf({ runs }: Pick<Page, 'runs'>): readonly (readonly [Run, ...Run[]])[] {
  const whole = runs.filter(run => run.status.kind === 'ready' && run.info && !run.snapshot)
  const traces = [...new Set(whole.map(run => run.trace))].sort((a, b) => a - b)
  return traces.flatMap(trace => {
    const [first, ...more] = whole.filter(run => run.trace === trace)
    return first ? [[first, ...more] as const] : []
  })
}

/** Layers of the seek map: the one that is looked at, and at larger sizes the others. */
function layersOf(size: SnapshotSize, run: Run, { runs, view }: Page): readonly Layer[] {
  const possible = (layer: Layer) => layer !== 'alignment' || run.geometry !== undefined
  const chosen = layerOf(runs, view)
  const shown = chosen === 'density' || !possible(chosen) ? 'op' : chosen
  return size === 'S' ? [shown] : [...new Set([shown, ...ALL.filter(possible)])]
}

/** Replacement process names, the same in all runs. */
function aliasesOf(runs: readonly Run[]): Readonly<Record<string, string>> {
  const names = [...new Set(runs.flatMap(run => run.info?.processes.map(p => p.name) ?? []))]
  return Object.fromEntries(names.map((name, i) => [name, `task ${i + 1}`]))
}

/** What is asked of a trace, of which these runs show a device each. */
function askOf(page: Page, [first, ...more]: readonly [Run, ...Run[]], size: SnapshotSize, included: IncludedNames): Omit<SnapshotQuery, 'step'> {
  const { view, trail, runs } = page
  const span = first.info?.span ?? 0
  const zoomed = current(trail)
  const shift = first.shift ?? 0
  const range = zoomed && ([Math.max(0, zoomed.t0 - shift), Math.min(span, zoomed.t1 - shift)] as const)
  return {
    ...included,
    ...(!included.names && { aliases: aliasesOf(runs) }),
    filters: [first, ...more].map(run => filterOf(run, view)),
    ranges: [[0, span], ...(range && range[0] < range[1] ? [range] : [])],
    ...(first.geometry && { geometry: first.geometry }),
    stage: view.stage,
    layers: layersOf(size, first, page),
    slots: slotsOf(first, processSlots(visible(runs))),
    size,
  }
}

/** Tries of the small size until it fits; a refusal means that nothing is left to leave out. */
const MOST_STEPS = 20

/**
 * Takes a snapshot of all traces; of at most `most` characters where the size can be made to fit. Undefined when no trace is there.
 * Rejects with an EngineError.
 */
export async function takeSnapshot(
  page: Page,
  size: SnapshotSize,
  included: IncludedNames,
  most = Number.POSITIVE_INFINITY,
): Promise<PackedSnapshot | undefined> {
  const traces = tracesOf(page)
  const client = traces[0]?.[0].client
  if (client === undefined) return undefined
  const asks = traces.map(runs => ({ client: runs[0].client, ask: askOf(page, runs, size, included) }))
  const about = aboutOf(page, traces, size, included)
  let last: PackedSnapshot | undefined
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const snapshots = await traceSnapshots(asks, step).catch(reason => {
      if (last === undefined) throw reason
    })
    if (snapshots === undefined) return last
    const { text } = await client.query('packSnapshot', { snapshot: { ...about, traces: snapshots }, size })
    last = { text, size, columns: snapshots[0]?.detail.columns ?? 0 }
    if (size !== 'S' || text.length <= most) return last
  }
  return last
}

const traceSnapshots = (
  asks: readonly { readonly client: TraceClient; readonly ask: Omit<SnapshotQuery, 'step'> }[],
  step: number,
): Promise<TraceSnapshot[]> => Promise.all(asks.map(({ client, ask }) => client.query('snapshot', { ...ask, step })))

/** All of a snapshot but the traces. */
function aboutOf(page: Page, traces: ReturnType<typeof tracesOf>, size: SnapshotSize, { files }: IncludedNames): Omit<Snapshot, 'traces'> {
  const compared = comparable(page.runs)
  const said = page.comparison?.runs.join() === compared.map(run => run.id).join() ? page.comparison.document : undefined
  const runs = traces.map(([first]) => ({
    // What the reader called it is in the view; then the folder's name need not be known.
    label: first.label === ownLabel(first) || files ? (first.info?.label ?? first.label) : `Run ${first.letter}`,
    ...(first.kernel !== undefined && { kernel: first.kernel }),
    ...(first.deviceNames && { deviceNames: first.deviceNames }),
    ...(first.bench && { bench: first.bench }),
  }))
  return {
    head: { size, runs },
    document: said ?? null,
    of: compared.map(run => traces.findIndex(([first]) => first.trace === run.trace)),
  }
}
