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

const moved = (range: Range, shift: number): Range => ({ t0: ns(range.t0 + shift), t1: ns(range.t1 + shift) })

/** Times that a query may have. */
interface QueryTimes {
  readonly range?: Range
  readonly t?: number
  readonly at?: unknown
}

/** The query in the time of the run, which is `shift` ns earlier than on the axis. */
function inOwnTime<T extends object>(ask: T, shift: number): T {
  const { range, t, at }: QueryTimes = ask
  return {
    ...ask,
    ...(range && { range: moved(range, -shift) }),
    ...(t !== undefined && { t: t - shift }),
    ...(typeof at === 'number' && { at: at - shift }),
  }
}

const later = (times: Float64Array, shift: number): Float64Array => times.map(t => t + shift)

/** The answer `shift` ns later; most answers have no times. */
export function onAxis(kind: QueryKind, answer: unknown, shift: number): unknown {
  if (kind === 'starved') {
    const { intervals, ...rest } = answer as { readonly intervals: Float64Array }
    return { ...rest, intervals: later(intervals, shift) }
  }
  if (kind === 'zones' || kind === 'failures') {
    const marks = answer as ZoneMarks | FailureMarks
    return { ...marks, at: later(marks.at, shift) }
  }
  if (kind === 'nextStep') {
    const { t, ...rest } = answer as NextStep
    return { ...rest, ...(t !== undefined && { t: t + shift }) }
  }
  if (kind === 'playback' || (kind === 'seekMap' && (answer as { readonly kind: string }).kind === 'marks')) {
    const marks = answer as Marks
    return {
      ...marks,
      queued: later(marks.queued, shift),
      issued: later(marks.issued, shift),
      completed: later(marks.completed, shift),
    }
  }
  return answer
}

export function clientOnAxis(client: TraceClient, shift: number): TraceClient {
  if (shift === 0) return client
  const query = (kind: QueryKind, ask: object, channel?: string) =>
    client.query(kind, inOwnTime(ask, shift) as never, channel).then(answer => onAxis(kind, answer, shift))
  // The types of kind and answer are those of the wrapped client.
  return { query: query as TraceClient['query'] }
}

const deviceOnAxis = (device: DeviceInfo, shift: number): DeviceInfo => ({
  ...device,
  active: [ns(device.active[0] + shift), ns(device.active[1] + shift)],
})

export function infoOnAxis(info: TraceInfo, shift: number): TraceInfo {
  if (shift === 0) return info
  const holes = info.quality.holes.map(hole => ({ ...hole, from: ns(hole.from + shift), to: ns(hole.to + shift) }))
  return {
    ...info,
    span: ns(info.span + shift),
    devices: info.devices.map(d => deviceOnAxis(d, shift)),
    quality: { ...info.quality, holes },
  }
}
