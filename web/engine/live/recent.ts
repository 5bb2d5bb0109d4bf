/**
 * Figures of the last seconds of a stream: answers of the engine's ordinary queries, so that they equal those of the
 * complete recording.
 */
import { ns, SECTOR_BYTES } from '../../lib/units'
import type {
  DepthSeries,
  DeviceInfo,
  Distribution,
  Filter,
  QueryAnswer,
  QueryKind,
  Range,
  RateSeries,
  RecentDevice,
  RecentFigures,
  RecentLatency,
  RecentProcess,
  SizeMix,
  Sizes,
  StreamSecond,
  TraceInfo,
} from '../protocol'

/** Queries the trace as it was read so far. */
export type AskNow = <K extends QueryKind>(kind: K, ask: unknown) => QueryAnswer<K>

export const asker = (query: (kind: QueryKind, ask: unknown) => unknown): AskNow => query as AskNow

const sum = (values: Float64Array): number => values.reduce((all, value) => all + value, 0)

function latencyOf({ n, p50, p99 }: Distribution): RecentLatency | undefined {
  return n > 0 ? { n, p50, p99 } : undefined
}

const latencies = (ask: AskNow, filter: Filter, range: Range): Pick<RecentFigures, 'd2c' | 'q2c'> => {
  const d2c = latencyOf(ask('distribution', { filter, range, stage: 'd2c' }))
  const q2c = latencyOf(ask('distribution', { filter, range, stage: 'q2c' }))
  return { ...(d2c && { d2c }), ...(q2c && { q2c }) }
}

const ratesOf = (series: RateSeries, range: Range): Pick<RecentFigures, 'iops' | 'readBps' | 'writeBps'> => {
  const seconds = Math.max(1, range.t1 - range.t0) / 1e9
  return {
    iops: (sum(series.readIos) + sum(series.writeIos) + sum(series.discardIos)) / seconds,
    readBps: sum(series.readBytes) / seconds,
    writeBps: sum(series.writeBytes) / seconds,
  }
}

const depthOf = ({ mean, max, starved }: DepthSeries): RecentFigures['depth'] => ({
  mean: mean[0] ?? 0,
  max: max[0] ?? 0,
  starved: starved[0] ?? 0,
})

/** Figures of one device in a range. */
export function recentOf(ask: AskNow, device: DeviceInfo, range: Range): RecentDevice {
  const filter: Filter = { device: device.index }
  const deep = device.role === 'disk' && device.absent?.depth === undefined
  const depth = deep ? depthOf(ask('depth', { device: device.index, range, n: 1 })) : undefined
  return {
    dev: device.dev,
    name: device.name,
    ...ratesOf(ask('rate', { filter, range, n: 1 }), range),
    ...(depth && { depth }),
    ...latencies(ask, filter, range),
  }
}

/** Maximum number of devices with figures: the most active ones. */
const MAX_DEVICES = 8

/** Figures of the most active devices. */
export const recentDevices = (ask: AskNow, { devices }: TraceInfo, range: Range): readonly RecentDevice[] =>
  devices
    .filter(({ events }) => events > 0)
    .slice(0, MAX_DEVICES)
    .map(device => recentOf(ask, device, range))

/**
 * Summarises one second over all devices. Throughput is the sum of the disks (of all devices if none is a disk:
 * partitions and mappers would count the same bytes twice). Depth and latency are those of the device with the most
 * bytes.
 */
export function secondOf(devices: readonly RecentDevice[], { t0, t1 }: Range): StreamSecond {
  const disks = devices.filter(({ depth }) => depth !== undefined)
  const counted = disks.length > 0 ? disks : devices
  const busiest = counted.reduce<RecentDevice | undefined>(
    (most, device) =>
      most === undefined || device.readBps + device.writeBps > most.readBps + most.writeBps ? device : most,
    undefined,
  )
  const p99 = busiest?.d2c?.p99
  return {
    at: ns(t0),
    length: ns(t1 - t0),
    readBps: counted.reduce((all, { readBps }) => all + readBps, 0),
    writeBps: counted.reduce((all, { writeBps }) => all + writeBps, 0),
    depth: busiest?.depth?.mean ?? 0,
    ...(p99 !== undefined && { p99 }),
  }
}

/** Maximum number of processes with figures: those with the most requests. */
const MAX_PROCESSES = 20

/** Figures of the processes whose requests were issued on a device in a range. */
export function recentProcesses(
  ask: AskNow,
  device: DeviceInfo,
  { processes }: TraceInfo,
  range: Range,
): readonly RecentProcess[] {
  const seconds = Math.max(1, range.t1 - range.t0) / 1e9
  const counts = ask('facets', { filter: { device: device.index }, range }).processes.filter(({ n }) => n > 0)
  // Only processes with requests in this range are hidden by name: a recording may have thousands of others.
  const present = counts.map(({ index }) => index)
  return [...counts]
    .sort((a, b) => b.n - a.n)
    .slice(0, MAX_PROCESSES)
    .flatMap(({ index, n }) => {
      const process = processes.find(candidate => candidate.index === index)
      if (!process) return []
      const filter: Filter = { device: device.index, hideProcesses: present.filter(other => other !== index) }
      const sizes = ask('sizes', { filter, range, at: device.role === 'disk' ? 'issued' : 'queued' })
      const bytes = (histogram: Float64Array) =>
        histogram.reduce((total, count, i) => total + count * (sizes.sectors[i] ?? 0) * SECTOR_BYTES, 0)
      const d2c = ask('distribution', { filter, range, stage: device.role === 'disk' ? 'd2c' : 'q2c' })
      const latency = latencyOf(d2c)
      return [
        {
          pid: process.pid,
          name: process.name,
          dev: device.dev,
          iops: n / seconds,
          readBps: bytes(sizes.reads) / seconds,
          writeBps: bytes(sizes.writes) / seconds,
          inFlight: latency ? (d2c.n * d2c.mean) / (range.t1 - range.t0) : 0,
          ...(latency && { d2c: latency }),
          ...withMix(sizes),
        },
      ]
    })
}

/** Shares of requests by size; absent without requests. */
function withMix({ sectors, reads, writes, discards }: Sizes): { readonly mix?: SizeMix } {
  const counts: [number, number, number] = [0, 0, 0]
  for (const [i, length] of sectors.entries()) {
    if (length === 0) continue
    counts[length <= 8 ? 0 : length < 256 ? 1 : 2] += (reads[i] ?? 0) + (writes[i] ?? 0) + (discards[i] ?? 0)
  }
  const total = counts[0] + counts[1] + counts[2]
  return total > 0 ? { mix: [counts[0] / total, counts[1] / total, counts[2] / total] } : {}
}

/** The shares of all requests of a device. */
export const mixOf = (ask: AskNow, device: DeviceInfo, range: Range): { readonly mix?: SizeMix } =>
  withMix(ask('sizes', { filter: { device: device.index }, range, at: device.role === 'disk' ? 'issued' : 'queued' }))

/** Number of requests that began in a range and have not completed. */
export function openIn(ask: AskNow, device: DeviceInfo, range: Range): number {
  const { ops } = ask('facets', { filter: { device: device.index }, range })
  const all = Object.values(ops).reduce((total, n) => total + n, 0)
  return Math.max(
    0,
    all -
      ask('distribution', { filter: { device: device.index }, range, stage: device.role === 'disk' ? 'd2c' : 'q2c' }).n,
  )
}
