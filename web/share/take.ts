/** Takes a snapshot of the page: what its charts and findings show, at a size, as text for a URL. */
import type {
  Layer,
  Setting,
  Snapshot,
  SnapshotQuery,
  SnapshotSize,
  TraceClient,
  TraceSnapshot,
} from '../engine/protocol'
import type { TraceSum } from '../link/view'
import { comparable, comparisonOfRuns, currentComparison } from '../state/comparing/comparing'
import { storedTables } from '../state/comparing/results'
import { beginOf, filterOf, layerOf, visible } from '../state/filter'
import type { Page } from '../state/page'
import { processSlots, slotsOf } from '../state/runs/processes'
import { ownLabel } from '../state/runs/split'
import { current } from '../state/trail'
import type { Run } from '../state/types'
import { LABEL_LENGTHS, TRIMS, withShortLabels } from './trim'

/** Sizes that are made to fit: their links have a promised length. */
const FITTED: readonly SnapshotSize[] = ['XS', 'S']

/** Most runs of a link of size XS. */
export const MAX_BRIEF_RUNS = 2

/** What is included only on request. */
export interface IncludedNames {
  /** Process names. */
  readonly names: boolean
  /** File names and paths. */
  readonly files: boolean
}

export interface PackedSnapshot {
  readonly text: string
  readonly size: SnapshotSize
  /** Columns of maps, bins of series. */
  readonly columns: number
}

const ALL: readonly Layer[] = ['op', 'alignment', 'process', 'size', 'latency', 'sync']

/** Complete traces in the order of opening: the runs of each. */
function tracesOf({ runs }: Pick<Page, 'runs'>): readonly (readonly [Run, ...Run[]])[] {
  const whole = runs.filter(run => run.status.kind === 'ready' && run.info && (!run.snapshot || run.digest))
  const traces = [...new Set(whole.map(run => run.trace))].sort((a, b) => a - b)
  return traces.flatMap(trace => {
    const [first, ...more] = whole.filter(run => run.trace === trace)
    return first ? [[first, ...more] as const] : []
  })
}

/** The checksums for a link with a snapshot. `known`: by number of the trace. */
export const sumsOf = (page: Pick<Page, 'runs'>, known: ReadonlyMap<number, string>): readonly TraceSum[] =>
  tracesOf(page).flatMap(([{ trace }], i) => {
    const sum = known.get(trace)
    return sum === undefined ? [] : [{ trace: i + 1, sum }]
  })

/** Layers of the seek map: the one that is shown, and at larger sizes all others. */
function layersOf(size: SnapshotSize, run: Run, { runs, view }: Page): readonly Layer[] {
  const possible = (layer: Layer) => layer !== 'alignment' || run.geometry !== undefined
  const chosen = layerOf(runs, view)
  const shown = chosen === 'density' || !possible(chosen) ? 'op' : chosen
  return FITTED.includes(size) ? [shown] : [...new Set([shown, ...ALL.filter(possible)])]
}

/** Replacement process names, the same in all runs. */
function aliasesOf(runs: readonly Run[]): Readonly<Record<string, string>> {
  const names = [...new Set(runs.flatMap(run => run.info?.processes.map(p => p.name) ?? []))]
  return Object.fromEntries(names.map((name, i) => [name, `task ${i + 1}`]))
}

/** The query for a trace, of which each run shows one device. */
function askOf(
  page: Page,
  [first, ...more]: readonly [Run, ...Run[]],
  size: SnapshotSize,
  included: IncludedNames,
): Omit<SnapshotQuery, 'step'> {
  const { view, trail, runs } = page
  const span = first.info?.span ?? 0
  const zoomed = current(trail)
  const shift = first.shift ?? 0
  const range = zoomed && ([Math.max(beginOf(first), zoomed.t0 - shift), Math.min(span, zoomed.t1 - shift)] as const)
  return {
    names: included.names,
    files: included.files,
    ...(!included.names && { aliases: aliasesOf(runs) }),
    filters: [first, ...more].map(run => filterOf(run, view)),
    ranges: [[beginOf(first), span], ...(range && range[0] < range[1] ? [range] : [])],
    ...(first.geometry && { geometry: first.geometry }),
    stage: view.stage,
    layers: layersOf(size, first, page),
    slots: slotsOf(first, processSlots(visible(runs))),
    size,
  }
}

/** More steps than size S has; the engine refuses a step when nothing smaller is left. */
const STEPS = 16

/**
 * Takes a snapshot of all traces; of at most `most` characters where the size can be made to fit: then charts get
 * coarser, and figures and findings are left out until it does. Undefined when no trace is there, and for more runs than
 * size XS has room for. Rejects with an EngineError.
 */
export async function takeSnapshot(
  page: Page,
  size: SnapshotSize,
  included: IncludedNames,
  most = Number.POSITIVE_INFINITY,
): Promise<PackedSnapshot | undefined> {
  if (size === 'XS' && page.runs.length > MAX_BRIEF_RUNS) return undefined
  const traces = tracesOf(page)
  const client = traces[0]?.[0].client
  if (client === undefined) return resultsAlone(page, size, included, most)
  const room = FITTED.includes(size) ? most : Number.POSITIVE_INFINITY
  const given = { page, traces, client, size, included, room }
  const found = await firstOfSteps(given, size)
  if (found === undefined) return undefined
  const { snapshot, ...packed } = found
  return found.text.length <= room || size !== 'S' ? packed : trimmedToFit(given, packed, snapshot)
}

/** What a snapshot is taken of, and for. */
interface Taking {
  readonly page: Page
  readonly traces: ReturnType<typeof tracesOf>
  readonly client: TraceClient
  /** As the link says. */
  readonly size: SnapshotSize
  readonly included: IncludedNames
  readonly room: number
}

/** The first step of a size that fits, else the smallest one. `change`: what is left out of it besides. */
function firstOfSteps(
  { page, traces, client, size, included, room }: Taking,
  steps: SnapshotSize,
  change = (snapshot: Snapshot): Snapshot => snapshot,
): Promise<SizedSnapshot | undefined> {
  const asks = traces.map(runs => ({ client: runs[0].client, ask: askOf(page, runs, steps, included) }))
  const about = aboutOf(page, traces, size, included)
  /** Undefined where the engine refuses the step. */
  const packed = async (step: number): Promise<SnapshotAttempt<SizedSnapshot> | undefined> => {
    const snapshots = await traceSnapshots(asks, step).catch(reason => {
      if (step === 0) throw reason
    })
    if (snapshots === undefined) return undefined
    const snapshot = change({ ...about, traces: snapshots })
    const pack = async (): Promise<SizedSnapshot> => {
      const { text } = await client.query('packSnapshot', {
        snapshot,
        size: steps,
        step,
        ...(page.finding !== undefined && { finding: page.finding }),
      })
      return { text, size, columns: snapshots[0]?.detail.columns ?? 0, snapshot }
    }
    // Size XS leaves out more than its traces.
    const expected = Number.isFinite(room) && steps !== 'XS' ? expectedLength(snapshot) : 0
    if (expected > SURELY * room) return { length: expected, pack }
    const found = await pack()
    return { length: found.text.length, pack: async () => found }
  }
  return firstThatFits(packed, room)
}

interface SizedSnapshot extends PackedSnapshot {
  readonly snapshot: Snapshot
}

/**
 * Size S whose smallest charts are too long: less of the comparison, then what size XS keeps of it, of the comparison that
 * the page shows, then shorter labels.
 */
async function trimmedToFit(taking: Taking, smallest: PackedSnapshot, snapshot: Snapshot): Promise<PackedSnapshot> {
  const { client, room, size } = taking
  for (const trimmed of TRIMS.map(trim => trim(snapshot))) {
    if (expectedLength(trimmed) > SURELY * room) continue
    const { text } = await client.query('packSnapshot', { snapshot: trimmed, size, step: 0 })
    if (text.length <= room) return { ...smallest, text }
  }
  const shown = (given: Snapshot) => withShownComparison(given, taking.page)
  let best = await firstOfSteps(taking, 'XS', shown)
  for (const most of LABEL_LENGTHS) {
    if (best === undefined || best.text.length <= room) break
    best = await firstOfSteps(taking, 'XS', given => withShortLabels(shown(given), most))
  }
  return best ? { text: best.text, size, columns: best.columns } : smallest
}

/** The comparison that the page shows in the place of the first one, which is all that size XS keeps. */
function withShownComparison(snapshot: Snapshot, page: Page): Snapshot {
  const shown = currentComparison(page)
  return snapshot.document && shown
    ? { ...snapshot, document: { ...snapshot.document, ...shown.comparison } }
    : snapshot
}

/** A step: its length, which is only expected where packing it would most likely be in vain. */
export interface SnapshotAttempt<T extends PackedSnapshot = PackedSnapshot> {
  readonly length: number
  readonly pack: () => Promise<T>
}

/** By so much packing shortens a snapshot, about. */
const PACKED = 4.5
const expectedLength = (snapshot: Snapshot): number => JSON.stringify(snapshot).length / PACKED
/** A snapshot that is expected to be so many times too long is not packed. */
const SURELY = 3
/** By how much a step shortens a snapshot that is too long by so much, about; both as logarithms of the length. */
const shortening = (tooLong: number): number => 0.05 + 0.08 * tooLong
/** So many attempts are guessed; the others halve what is left. */
const GUESSED = 2

/** Each step is smaller than the one before: the first that fits; the smallest one where none fits. */
export async function firstThatFits<T extends PackedSnapshot>(
  attempt: (step: number) => Promise<SnapshotAttempt<T> | undefined>,
  most: number,
): Promise<T | undefined> {
  const first = await attempt(0)
  if (first === undefined || first.length <= most) return first?.pack()
  let best = first
  let [long, short] = [0, STEPS]
  const above = (length: number) => Math.log(length / most)
  let tooLong = above(first.length)
  let shortens = shortening(tooLong)
  for (let tried = 0; short - long > 1; tried++) {
    const step =
      tried < GUESSED
        ? long + Math.max(1, Math.min(Math.ceil(tooLong / shortens), short - long - 1))
        : (long + short) >> 1
    const found = await attempt(step)
    if (found === undefined) {
      short = step
      continue
    }
    const length = above(found.length)
    shortens = Math.max((tooLong - length) / (step - long), 1e-3)
    if (length <= 0) [best, short] = [found, step]
    else {
      if (best.length > most) best = found
      ;[long, tooLong] = [step, length]
    }
  }
  return best.pack()
}

/** Results without a trace: in short links without distributions if they do not fit. */
async function resultsAlone(
  { results }: Page,
  size: SnapshotSize,
  { files }: IncludedNames,
  most: number,
): Promise<PackedSnapshot | undefined> {
  if (!results) return undefined
  const packed = async (distributions: boolean): Promise<PackedSnapshot> => {
    const tables = storedTables(results.document, { files, distributions })
    const snapshot = { head: { size, runs: [] }, document: null, of: [], traces: [], results: { tables } }
    return { text: await results.client.pack({ snapshot, size }), size, columns: 0 }
  }
  const complete = await packed(true)
  return !FITTED.includes(size) || complete.text.length <= most ? complete : packed(false)
}

const traceSnapshots = (
  asks: readonly { readonly client: TraceClient; readonly ask: Omit<SnapshotQuery, 'step'> }[],
  step: number,
): Promise<TraceSnapshot[]> => Promise.all(asks.map(({ client, ask }) => client.query('snapshot', { ...ask, step })))

/** The snapshot without its traces. */
function aboutOf(
  page: Page,
  traces: ReturnType<typeof tracesOf>,
  size: SnapshotSize,
  { files }: IncludedNames,
): Omit<Snapshot, 'traces'> {
  const asked = comparisonOfRuns(page)
  const compared = asked ? page.runs.filter(run => asked.runs.includes(run.id)) : comparable(page.runs)
  const runs = traces.map(([first]) => ({
    // A label given by the user is in the link; the folder name then stays out unless file names are included.
    label: first.label === ownLabel(first) || files ? (first.info?.label ?? first.label) : `Run ${first.letter}`,
    ...(first.kernel !== undefined && { kernel: first.kernel }),
    ...(first.deviceNames && { deviceNames: first.deviceNames }),
    ...(first.bench && { bench: first.bench }),
    ...(first.settings && { settings: differing(first.settings, traces) }),
  }))
  return {
    head: { size, runs },
    document: asked?.document ?? null,
    of: compared.map(run => traces.findIndex(([first]) => first.trace === run.trace)),
    ...(page.results && {
      results: { tables: storedTables(page.results.document, { files, distributions: !FITTED.includes(size) }) },
    }),
  }
}

/**
 * Settings that are not the same in all runs, and one of each device: what a comparison can find, and its names of
 * devices.
 */
function differing(settings: readonly Setting[], traces: ReturnType<typeof tracesOf>): readonly Setting[] {
  const device = ({ device, dev }: Setting) => `${device ?? ''} ${dev ?? ''}`
  const whole = (setting: Setting) => `${device(setting)} ${setting.key} ${setting.value}`
  const others = traces.map(([run]) => new Set(run.settings?.map(whole)))
  return settings.filter(
    (setting, at) =>
      others.some(other => !other.has(whole(setting))) || settings.findIndex(s => device(s) === device(setting)) === at,
  )
}
