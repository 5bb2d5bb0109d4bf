/**
 * A run of a table of digests as the contents of a snapshot, so that the page shows it like one: its figures and
 * findings are complete, its depth, throughput and sizes are in the digest, and every other chart says that it needs
 * the trace.
 */
import type {
  ChartName,
  ComparedRun,
  DeviceDigest,
  Digest,
  LabelSource,
  RunBins,
  SizeCount,
  SnapshotPicture,
  TraceInfo,
  TraceSnapshot,
} from '../engine/protocol'
import { STAGES } from '../engine/protocol'
import type { TraceSummary } from '../engine/summary'
import { absentOr, type Checks, isList, isListOf, isNumber, isObject, isSound, isText } from '../lib/checks'
import { ns } from '../lib/units'

/** The text in the column `digest`: a run as a comparison takes it, and where it comes from. */
export interface DigestContents extends Omit<ComparedRun, 'device'> {
  /** Path of the first file of the trace. */
  readonly path: string
  /** Texts from which its labels are guessed. */
  readonly labelSource: LabelSource
}

/** Why a chart of a digest is empty. */
const NEEDS_TRACE = 'the digest does not have it. Drop the trace of this run for it'

const LACKING: readonly ChartName[] = ['seekMap', 'latency', 'alignment', 'stripes', 'life', 'processes', 'zones']

/** Bins of a series: digests have 600. */
const MAX_BINS = 4096

const isSeries = (value: unknown): boolean =>
  isList(value) &&
  value.length <= MAX_BINS &&
  value.every(bin => isList(bin) && bin.length === 2 && bin.every(part => typeof part === 'number'))
const areSizes = (value: unknown): boolean => isList(value) && value.every(rows => isList(rows) && rows.every(isObject))

const BINS: Checks<RunBins> = {
  width: isNumber,
  sums: value => isObject(value) && Object.values(value).every(isSeries),
}

const DEVICE: Checks<DeviceDigest> = {
  dev: isText,
  name: isText,
  active: value => isList(value) && value.length === 2 && value.every(isNumber),
  figures: value => isObject(value) && Object.values(value).every(isNumber),
  bins: value => isSound<RunBins>(value, BINS),
  sizes: absentOr(areSizes),
}

const TRACE: Checks<Digest> = {
  name: isText,
  events: isNumber,
  quality: isObject,
  devices: value => isList(value) && value.length > 0 && value.every(device => isSound<DeviceDigest>(device, DEVICE)),
}

const CONTENTS: Checks<DigestContents> = {
  label: isText,
  kernel: absentOr(isText),
  group: absentOr(isText),
  path: isText,
  bench: absentOr(isListOf(isObject)),
  settings: absentOr(isListOf(isObject)),
  labelSource: isObject,
  trace: value => isSound<Digest>(value, TRACE),
}

/** Undefined where the text is no digest. */
export function contentsOf(text: string): DigestContents | undefined {
  let run: unknown
  try {
    run = JSON.parse(text)
  } catch {
    return undefined
  }
  return isSound<DigestContents>(run, CONTENTS) ? (run as DigestContents) : undefined
}

const requestsOf = ({ submitters, figures }: DeviceDigest): number => submitters?.all?.ended ?? figures['events.C'] ?? 0

function infoOf({ label, path, trace }: DigestContents): TraceInfo {
  const { devices, quality, window, events, name } = trace
  const absent = Object.fromEntries(LACKING.map(chart => [chart, NEEDS_TRACE]))
  return {
    name,
    label,
    format: 'digest',
    absent: [],
    files: [{ name: path, bytes: 0, records: events }],
    ...(window && {
      window: {
        ...(window.from_ns !== undefined && { from_ns: ns(window.from_ns) }),
        ...(window.to_ns !== undefined && { to_ns: ns(window.to_ns) }),
      },
    }),
    complete: true,
    span: ns(Math.max(0, ...devices.map(({ active }) => active[1]))),
    events,
    requests: devices.reduce((sum, device) => sum + requestsOf(device), 0),
    messages: 0,
    cpus: [],
    devices: devices.map((device, index) => ({
      index,
      dev: device.dev,
      name: device.name || device.dev,
      role: device.role,
      ...(device.recorded !== undefined && { recorded: device.recorded }),
      absent,
      events: 0,
      requests: requestsOf(device),
      lba: [0, 0] as unknown as TraceInfo['devices'][number]['lba'],
      active: [ns(device.active[0]), ns(device.active[1])] as const,
    })),
    processes: [],
    quality: {
      lostEvents: quality.lost_events,
      truncatedBytes: quality.truncated_bytes,
      unknownRecords: 0,
      unmatched: { Q: 0, D: 0, C: 0 },
      holes: [],
      warnings: [],
    },
  }
}

/** The figures of the sentence about a single run. */
function summaryOf({ trace }: DigestContents): TraceSummary {
  const device = ({ dev, name, role, active, figures: f, sizes, recorded, suggestion }: DeviceDigest) => {
    const all = (...keys: readonly string[]) => keys.every(key => f[key] !== undefined)
    const figureOf = (key: string) => f[key] ?? 0
    const events = Object.entries(f).flatMap(([key, n]) =>
      key.startsWith('events.') ? [[key.slice(7), n] as const] : [],
    )
    const [queued, issued, completed] = sizes ?? []
    return {
      dev,
      name,
      role,
      span_ns: active[1] - active[0],
      events: Object.fromEntries(events),
      ...(recorded !== undefined && { recorded }),
      ...(all('bytes.read') && {
        bytes: { read: figureOf('bytes.read'), write: figureOf('bytes.write'), discard: figureOf('bytes.discard') },
      }),
      ...(all('iops') && {
        throughput: { read_bps: figureOf('read_bps'), write_bps: figureOf('write_bps'), iops: figureOf('iops') },
      }),
      ...(all('depth.mean', 'depth.max') && {
        depth: {
          mean: figureOf('depth.mean'),
          p50: figureOf('depth.p50'),
          p95: figureOf('depth.p95'),
          max: figureOf('depth.max'),
        },
      }),
      ...(all('waiting.mean', 'waiting.max') && {
        waiting: { mean: figureOf('waiting.mean'), max: figureOf('waiting.max') },
      }),
      ...(all('starved.share') && {
        starved: {
          share: figureOf('starved.share'),
          total_ns: figureOf('starved.share') * (active[1] - active[0]),
          longest_ns: figureOf('starved.longest'),
          intervals: figureOf('starved.intervals'),
        },
      }),
      ...(all('starved.share', 'states.busy_waiting', 'states.busy', 'states.nobody') && {
        states: {
          starved: figureOf('starved.share'),
          busy_waiting: figureOf('states.busy_waiting'),
          busy: figureOf('states.busy'),
          nobody: figureOf('states.nobody'),
        },
      }),
      latency_ns: {},
      latency_bio_ns: {},
      sizes: { ...(queued && { queued }), ...(issued && { issued }), ...(completed && { completed }) },
      seek: {},
      merges: {},
      ...(all('flush.preflush') && {
        flush: {
          preflush: figureOf('flush.preflush'),
          flush: figureOf('flush.flush'),
          fua: figureOf('flush.fua'),
          ...(all('flush.busy') && { busy_share: figureOf('flush.busy') }),
        },
      }),
      ...(all('sync') && { sync_share: figureOf('sync') }),
      ...(suggestion && { geometry_suggestion: suggestion }),
    }
  }
  return { name: trace.name, devices: trace.devices.map(device), quality: { holes: [] } } as unknown as TraceSummary
}

type Bins = readonly (readonly [number, number])[]
/** A figure in each bin; 0 where nothing happened. */
const means = (bins: Bins): readonly number[] => bins.map(([sum, count]) => (count === 0 ? 0 : sum / count))

/** The charts of a device, in the form of a snapshot's picture. */
function pictureOf(device: DeviceDigest, index: number): SnapshotPicture {
  const { bins, figures, active, sizes } = device
  const { sums, width } = bins
  const count = Math.max(1, ...Object.values(sums).map(list => list.length))
  const empty = new Array<null>(count).fill(null)
  const zero = new Array<number>(count).fill(0)
  /** Per bin, as bytes and as requests. */
  const amounts = (key: string) =>
    (sums[key] ?? []).map(([sum, count]) => (count === 0 ? 0 : (sum / count) * (width / 1e9)))
  // Digests count requests of all kinds together: of a run with one kind it is known whose they are.
  const kinds = ['read', 'write', 'discard'].filter(kind => (figures[`bytes.${kind}`] ?? 0) > 0)
  const requests = (kind: string) =>
    kinds.length === 1 && kinds[0] === kind ? amounts('iops') : kinds.length > 1 ? empty : zero
  const rate = sums.bps && {
    readBytes: amounts('read_bps'),
    writeBytes: amounts('write_bps'),
    discardBytes: zero,
    readIos: requests('read'),
    writeIos: requests('write'),
    discardIos: requests('discard'),
  }
  const depth = sums['depth.mean'] && {
    mean: means(sums['depth.mean']),
    // Digests have no extremes within a bin.
    min: empty,
    max: empty,
    waitMean: means(sums['waiting.mean'] ?? []),
    waitMax: empty,
    starved: means(sums['starved.share'] ?? []),
  }
  const stages = STAGES.flatMap(stage => {
    const mean = figures[`${stage}.mean`]
    const n = (sums[`${stage}.mean`] ?? []).reduce((all, [, count]) => all + count, 0)
    const median = figures[`${stage}.p50`]
    return mean === undefined || median === undefined || n === 0
      ? []
      : [{ stage, n, mean: ns(mean), median: ns(median) }]
  })
  const sizeOf = (rows: readonly SizeCount[] = []) => ({
    sectors: rows.map(row => row.sectors),
    reads: rows.map(row => row.reads),
    writes: rows.map(row => row.writes),
    discards: rows.map(row => row.discards),
  })
  const [queued, issued, completed] = sizes ?? []
  return {
    filter: { device: index },
    range: [Math.round(active[0]), Math.round(active[0] + count * width)],
    facets: null,
    rate: rate ?? {},
    stages: stages.length > 0 ? stages : null,
    map: { bands: [], h: 0, n: null, columns: [], layers: {} },
    ...(depth && { depth }),
    starved: { intervals: [], exact: false },
    sizes: sizes ? { queued: sizeOf(queued), issued: sizeOf(issued), completed: sizeOf(completed) } : {},
    latency: {},
  }
}

/** Number of bins of the longest series. */
const columnsOf = ({ devices }: Digest): number =>
  Math.max(1, ...devices.flatMap(({ bins }) => Object.values(bins.sums).map(list => list.length)))

export function snapshotOf(run: DigestContents): TraceSnapshot {
  return {
    info: infoOf(run),
    summary: summaryOf(run),
    digest: run.trace,
    geometry: null,
    detail: { columns: columnsOf(run.trace), rows: 0, digits: 17, all: true, pieces: true },
    names: true,
    files: true,
    pictures: run.trace.devices.map(pictureOf),
  }
}
