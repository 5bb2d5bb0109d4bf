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
import { objectColours, objectSlotsOf } from '../state/runs/objects'
import { processSlots, slotsOf } from '../state/runs/processes'
import { ownLabel } from '../state/runs/split'
import { current } from '../state/trail'
import type { Run } from '../state/types'
import { LABEL_LENGTHS, TRIMS, withShortLabels } from './trim'

/** Sizes that are made to fit: their links have a promised length. */
const FITTED: readonly SnapshotSize[] = ['XS', 'S']

/** Maximum number of runs in a link of size XS. */
export const MAX_BRIEF_RUNS = 2

/** Names that are included only on request, because they may be confidential. */
export interface IncludedNames {
  readonly names: boolean
  readonly files: boolean
}

export interface PackedSnapshot {
  readonly text: string
  readonly size: SnapshotSize
  /** Columns of maps, bins of series. */
  readonly columns: number
}

const ALL: readonly Layer[] = ['op', 'alignment', 'process', 'size', 'latency', 'sync', 'object']

/** Complete traces in the order of opening: the runs of each. */
function tracesOf({ runs }: Pick<Page, 'runs'>): readonly (readonly [Run, ...Run[]])[] {
  const whole = runs.filter(run => run.status.kind === 'ready' && run.info && (!run.snapshot || run.digest))
  const traces = [...new Set(whole.map(run => run.trace))].sort((a, b) => a - b)
  return traces.flatMap(trace => {
    const [first, ...more] = whole.filter(run => run.trace === trace)
    return first ? [[first, ...more] as const] : []
  })
}

/** The checksums for a link with a snapshot. `sums`: by number of the trace. */
export const sumsOf = (page: Pick<Page, 'runs'>, sums: ReadonlyMap<number, string>): readonly TraceSum[] =>
  tracesOf(page).flatMap(([{ trace }], i) => {
    const sum = sums.get(trace)
    return sum === undefined ? [] : [{ trace: i + 1, sum }]
  })

/** Layers of the seek map: the one that is shown, and at larger sizes all others. */
function layersOf(size: SnapshotSize, run: Run, { runs, view }: Page): readonly Layer[] {
  const possible = (layer: Layer) =>
    (layer !== 'object' || run.info?.objects !== undefined) && (layer !== 'alignment' || run.geometry !== undefined)
  const chosen = layerOf(runs, view)
  const shown = chosen === 'density' || !possible(chosen) ? 'op' : chosen
  return FITTED.includes(size) ? [shown] : [...new Set([shown, ...ALL.filter(possible)])]
}

/** Replacement process names, the same in all runs. */
function aliasesOf(runs: readonly Run[]): Readonly<Record<string, string>> {
  const names = [...new Set(runs.flatMap(run => run.info?.processes.map(p => p.name) ?? []))]
  return Object.fromEntries(names.map((name, i) => [name, `task ${i + 1}`]))
}

/** Names that replace those of files on the disk: the same file has one name in all runs, which pairs them. */
function fileAliasesOf(runs: readonly Run[]): Readonly<Record<string, string>> {
  const objects = runs.flatMap(run => run.info?.objects ?? [])
  const names = [...new Set(objects.filter(({ kind }) => kind === 'file').map(({ name }) => name))]
  return Object.fromEntries(names.map((name, i) => [name, `file ${i + 1}`]))
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
    ...(!included.files && { fileAliases: fileAliasesOf(runs) }),
    filters: [first, ...more].map(run => filterOf(run, view)),
    ranges: [[beginOf(first), span], ...(range && range[0] < range[1] ? [range] : [])],
    ...(first.geometry && { geometry: first.geometry }),
    stage: view.stage,
    layers: layersOf(size, first, page),
    slots: slotsOf(first, processSlots(visible(runs))),
    ...(first.info?.objects && { objectSlots: objectSlotsOf(first, objectColours(visible(runs))) }),
    size,
  }
}

/** Upper bound of the steps of size S; the engine refuses a step when nothing smaller is left. */
const STEPS = 16

/**
 * Takes a snapshot of all traces. Sizes with a limit are made to fit into `maxLength` characters: charts get coarser,
 * then figures and findings are left out. `undefined` without traces, and for more runs than size XS can have.
 * Rejects with an EngineError.
 */
export async function takeSnapshot(
  page: Page,
  size: SnapshotSize,
  included: IncludedNames,
  maxLength = Number.POSITIVE_INFINITY,
): Promise<PackedSnapshot | undefined> {
  if (size === 'XS' && page.runs.length > MAX_BRIEF_RUNS) return undefined
  const traces = tracesOf(page)
  const client = traces[0]?.[0].client
  if (client === undefined) return resultsAlone(page, size, included, maxLength)
  const room = FITTED.includes(size) ? maxLength : Number.POSITIVE_INFINITY
  const taking = { page, traces, client, size, included, room }
  const found = await firstOfSteps(taking, size)
  if (found === undefined) return undefined
  const { snapshot, ...packed } = found
  return found.text.length <= room || size !== 'S' ? packed : trimmedToFit(taking, packed, snapshot)
}

/** A snapshot to take: its traces, size and limit. */
interface SnapshotRequest {
  readonly page: Page
  readonly traces: ReturnType<typeof tracesOf>
  readonly client: TraceClient
  /** Size as noted in the link. */
  readonly size: SnapshotSize
  readonly included: IncludedNames
  readonly room: number
}

/** The first step of a size that fits, else the smallest one. `change` leaves out more. */
function firstOfSteps(
  { page, traces, client, size, included, room }: SnapshotRequest,
  steps: SnapshotSize,
  change = (snapshot: Snapshot): Snapshot => snapshot,
): Promise<SizedSnapshot | undefined> {
  const asks = traces.map(runs => ({ client: runs[0].client, ask: askOf(page, runs, steps, included) }))
  const about = aboutOf(page, traces, size, included)
  /** `undefined` if the engine refuses the step. */
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
    // Size XS leaves out more than the traces do here, so its length cannot be predicted from them.
    const expected = Number.isFinite(room) && steps !== 'XS' ? expectedLength(snapshot) : 0
    if (expected > HOPELESS_RATIO * room) return { length: expected, pack }
    const found = await pack()
    return { length: found.text.length, pack: async () => found }
  }
  return firstThatFits(packed, room)
}

interface SizedSnapshot extends PackedSnapshot {
  readonly snapshot: Snapshot
}

/**
 * Trims size S when even its smallest charts are too long. First the comparison is reduced; then to what size XS
 * keeps, of the comparison that the page shows; then labels are shortened.
 */
async function trimmedToFit(
  taking: SnapshotRequest,
  smallest: PackedSnapshot,
  snapshot: Snapshot,
): Promise<PackedSnapshot> {
  const { client, room, size } = taking
  for (const trimmed of TRIMS.map(trim => trim(snapshot))) {
    if (expectedLength(trimmed) > HOPELESS_RATIO * room) continue
    const { text } = await client.query('packSnapshot', { snapshot: trimmed, size, step: 0 })
    if (text.length <= room) return { ...smallest, text }
  }
  const shown = (smaller: Snapshot) => withShownComparison(smaller, taking.page)
  let best = await firstOfSteps(taking, 'XS', shown)
  for (const maxLabelLength of LABEL_LENGTHS) {
    if (best === undefined || best.text.length <= room) break
    best = await firstOfSteps(taking, 'XS', smaller => withShortLabels(shown(smaller), maxLabelLength))
  }
  return best ? { text: best.text, size, columns: best.columns } : smallest
}

/** Moves the comparison that the page shows to the first place, the only one that size XS keeps. */
function withShownComparison(snapshot: Snapshot, page: Page): Snapshot {
  const shown = currentComparison(page)
  return snapshot.document && shown
    ? { ...snapshot, document: { ...snapshot.document, ...shown.comparison } }
    : snapshot
}

/**
 * A step with its length. The length is only estimated if the step is most likely too long: packing it would be
 * wasted time.
 */
export interface SnapshotAttempt<T extends PackedSnapshot = PackedSnapshot> {
  readonly length: number
  readonly pack: () => Promise<T>
}

/** Approximate ratio of JSON to packed length. */
const PACKING_RATIO = 4.5
const expectedLength = (snapshot: Snapshot): number => JSON.stringify(snapshot).length / PACKING_RATIO
/** A snapshot whose expected length is this many times the limit is not packed. */
const HOPELESS_RATIO = 3
/** Expected effect of one step on a snapshot that is too long; both are logarithms of lengths. */
const shortening = (tooLong: number): number => 0.05 + 0.08 * tooLong
/** Number of attempts at a guessed step; later ones bisect. */
const GUESSED_ATTEMPTS = 2

/**
 * Finds the first step that fits; each step is smaller than the one before. Returns the smallest one if none fits.
 *
 * Packing takes up to a second for many runs, so few attempts count. The first two steps are guessed from how much
 * too long the last attempt was, with a rate that each attempt corrects; then the interval is bisected. `long` is the
 * last step known to be too long, `short` the first known to fit or to be refused.
 */
export async function firstThatFits<T extends PackedSnapshot>(
  attempt: (step: number) => Promise<SnapshotAttempt<T> | undefined>,
  maxLength: number,
): Promise<T | undefined> {
  const first = await attempt(0)
  if (first === undefined || first.length <= maxLength) return first?.pack()
  let best = first
  let [long, short] = [0, STEPS]
  const above = (length: number) => Math.log(length / maxLength)
  let tooLong = above(first.length)
  let shortens = shortening(tooLong)
  for (let tried = 0; short - long > 1; tried++) {
    const step =
      tried < GUESSED_ATTEMPTS
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
      if (best.length > maxLength) best = found
      ;[long, tooLong] = [step, length]
    }
  }
  return best.pack()
}

/** A snapshot of results without a trace; in short links without distributions if they do not fit. */
async function resultsAlone(
  { results }: Page,
  size: SnapshotSize,
  { files }: IncludedNames,
  maxLength: number,
): Promise<PackedSnapshot | undefined> {
  if (!results) return undefined
  const packed = async (distributions: boolean): Promise<PackedSnapshot> => {
    const tables = storedTables(results.document, { files, distributions })
    const snapshot = { head: { size, runs: [] }, document: null, of: [], traces: [], results: { tables } }
    return { text: await results.client.pack({ snapshot, size }), size, columns: 0 }
  }
  const complete = await packed(true)
  return !FITTED.includes(size) || complete.text.length <= maxLength ? complete : packed(false)
}

const traceSnapshots = (
  asks: readonly { readonly client: TraceClient; readonly ask: Omit<SnapshotQuery, 'step'> }[],
  step: number,
): Promise<TraceSnapshot[]> => Promise.all(asks.map(({ client, ask }) => client.query('snapshot', { ...ask, step })))

/** The parts of a snapshot besides the traces. */
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
    label: first.label === ownLabel(first) || files ? (first.info?.label ?? first.label) : `Run ${first.linkLetter}`,
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

/** Settings that differ between runs, which a comparison can find, and one setting per device, which names it. */
function differing(settings: readonly Setting[], traces: ReturnType<typeof tracesOf>): readonly Setting[] {
  const device = ({ device, dev }: Setting) => `${device ?? ''} ${dev ?? ''}`
  const settingText = (setting: Setting) => `${device(setting)} ${setting.key} ${setting.value}`
  const settingsOfRuns = traces.map(([run]) => new Set(run.settings?.map(settingText)))
  return settings.filter(
    (setting, index) =>
      settingsOfRuns.some(settingsOfRun => !settingsOfRun.has(settingText(setting))) ||
      settings.findIndex(s => device(s) === device(setting)) === index,
  )
}
