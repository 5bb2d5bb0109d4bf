/** A run on the common time axis: converts queries to the trace's own time, and answers to axis time. */
import type {
  DeviceInfo,
  FailureMarks,
  Marks,
  NextStep,
  QueryKind,
  Range,
  TraceClient,
  TraceInfo,
  ZoneMarks,
} from '../../../engine/protocol'
import { ns } from '../../../lib/units'

const moved = (range: Range, by: number): Range => ({ t0: ns(range.t0 + by), t1: ns(range.t1 + by) })

/** Times that a query may have. */
interface QueryTimes {
  readonly range?: Range
  readonly t?: number
  readonly at?: unknown
}

/** The query `by` ns earlier. */
function inOwnTime<T extends object>(ask: T, by: number): T {
  const { range, t, at }: QueryTimes = ask
  return {
    ...ask,
    ...(range && { range: moved(range, -by) }),
    ...(t !== undefined && { t: t - by }),
    ...(typeof at === 'number' && { at: at - by }),
  }
}

const later = (times: Float64Array, by: number): Float64Array => times.map(t => t + by)

/** The answer `by` ns later; most answers have no times. */
export function onAxis(kind: QueryKind, answer: unknown, by: number): unknown {
  if (kind === 'starved') {
    const { intervals, ...rest } = answer as { readonly intervals: Float64Array }
    return { ...rest, intervals: later(intervals, by) }
  }
  if (kind === 'zones' || kind === 'failures') {
    const marks = answer as ZoneMarks | FailureMarks
    return { ...marks, at: later(marks.at, by) }
  }
  if (kind === 'nextStep') {
    const { t, ...rest } = answer as NextStep
    return { ...rest, ...(t !== undefined && { t: t + by }) }
  }
  if (kind === 'playback' || (kind === 'seekMap' && (answer as { readonly kind: string }).kind === 'marks')) {
    const marks = answer as Marks
    return {
      ...marks,
      queued: later(marks.queued, by),
      issued: later(marks.issued, by),
      completed: later(marks.completed, by),
    }
  }
  return answer
}

export function clientOnAxis(client: TraceClient, by: number): TraceClient {
  if (by === 0) return client
  const query = (kind: QueryKind, ask: object, channel?: string) =>
    client.query(kind, inOwnTime(ask, by) as never, channel).then(answer => onAxis(kind, answer, by))
  // The types of kind and answer are those of the wrapped client.
  return { query: query as TraceClient['query'] }
}

const deviceOnAxis = (device: DeviceInfo, by: number): DeviceInfo => ({
  ...device,
  active: [ns(device.active[0] + by), ns(device.active[1] + by)],
})

export function infoOnAxis(info: TraceInfo, by: number): TraceInfo {
  if (by === 0) return info
  const holes = info.quality.holes.map(hole => ({ ...hole, from: ns(hole.from + by), to: ns(hole.to + by) }))
  return {
    ...info,
    span: ns(info.span + by),
    devices: info.devices.map(d => deviceOnAxis(d, by)),
    quality: { ...info.quality, holes },
  }
}
