/** Figures of one interval for `seekscope top`, as rows. */

import { type AskNow, mixOf, openIn, recentOf, recentProcesses } from '../../web/engine/live/recent'
import type { Range, RecentDevice, RecentProcess, SizeMix, TraceInfo } from '../../web/engine/protocol'
import { ascii } from '../../web/lib/format'
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

export function intervalOf(ask: AskNow, info: TraceInfo, range: Range): TopInterval {
  const devices = info.devices.filter(({ events }) => events > 0)
  return {
    range,
    devices: devices.map(device => ({
      ...recentOf(ask, device, range),
      open: openIn(ask, device, range),
      ...mixOf(ask, device, range),
    })),
    processes: devices.flatMap(device => recentProcesses(ask, device, info, range)),
  }
}

/** An interval waits so long for the completions of its requests. */
const PATIENCE_NS = 2e9

/** Whether all requests of an interval are completed, or have had their time. */
export const isSettled = (ask: AskNow, { devices }: TraceInfo, range: Range, shown: number): boolean =>
  shown >= range.t1 + PATIENCE_NS || (shown >= range.t1 && devices.every(device => openIn(ask, device, range) === 0))

/**
 * Maximum number of idle intervals in a row; further ones are skipped. With a damaged time, the next event may be
 * centuries away.
 */
const MAX_IDLE_INTERVALS = 10

/** Intervals that are left out, because nothing happens in them. */
export interface IdleIntervals {
  /** Index of the first interval after them. */
  readonly next: number
  readonly text: string
}

/** Time of the first event at or after a time. */
function nextEvent(ask: AskNow, time: number): number | undefined {
  for (;;) {
    const { at: row, examined, of: toExamine, total } = ask('findEvent', { filter: {}, time: ns(time) })
    if (row !== undefined && row < total) return ask('events', { filter: {}, offset: row, limit: 1 }).rows[0]?.at
    if (row !== undefined || examined >= toExamine) return undefined
  }
}

/** The idle intervals after interval `index`, if they are skipped. */
export function idleAfter(
  { devices }: TopInterval,
  ask: AskNow,
  index: number,
  length: number,
): IdleIntervals | undefined {
  if (devices.some(({ iops }) => iops > 0)) return undefined
  const eventTime = nextEvent(ask, (index + 1) * length)
  const next = eventTime === undefined ? 0 : Math.floor(eventTime / length)
  const idle = next - index - 1
  if (idle <= MAX_IDLE_INTERVALS) return undefined
  const [from, to] = [index + 1, next].map(intervalIndex => ascii.seconds(intervalIndex * length, 3))
  return { next, text: `no events from ${from} to ${to} s: ${ascii.count(idle)} intervals left out` }
}

export const intervalAt = (index: number, length: number): Range => ({
  t0: ns(index * length),
  t1: ns((index + 1) * length),
})
