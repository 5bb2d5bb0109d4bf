/** Figures of one interval for `seekscope top`, as rows. */
import { type AskNow, mixOf, openIn, recentOf, recentProcesses } from '../../web/engine/live/recent'
import type { Range, RecentDevice, RecentProcess, SizeMix, TraceInfo } from '../../web/engine/protocol'
import { ns } from '../../web/lib/units'

export interface TopDevice extends RecentDevice {
  readonly mix?: SizeMix
  /** Issued in it and not completed when the figures were made. */
  readonly open: number
}

export interface TopInterval {
  readonly range: Range
  readonly devices: readonly TopDevice[]
  readonly processes: readonly RecentProcess[]
}

/** The figures of an interval. */
export function intervalOf(ask: AskNow, info: TraceInfo, range: Range): TopInterval {
  const devices = info.devices.filter(({ events }) => events > 0)
  return {
    range,
    devices: devices.map(device => ({ ...recentOf(ask, device, range), open: openIn(ask, device, range), ...mixOf(ask, device, range) })),
    processes: devices.flatMap(device => recentProcesses(ask, device, info, range)),
  }
}

/** An interval waits so long for the completions of its requests. */
const PATIENCE_NS = 2e9

/** Whether all requests of an interval are completed, or have had their time. */
export const isSettled = (ask: AskNow, { devices }: TraceInfo, range: Range, shown: number): boolean =>
  shown >= range.t1 + PATIENCE_NS || (shown >= range.t1 && devices.every(device => openIn(ask, device, range) === 0))

export const intervalAt = (index: number, length: number): Range => ({ t0: ns(index * length), t1: ns((index + 1) * length) })
