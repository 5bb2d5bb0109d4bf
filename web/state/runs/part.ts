/** What of a recording is chosen to be read: how much it is, by the estimate of the complete one. */
import type { TimeWindow, TraceEstimate } from '../../engine/protocol'
import { typographic } from '../../lib/format'
import { type Ns, ns } from '../../lib/units'

/** From `from` up to `to`, ns since the first event. */
export interface PartSelection {
  readonly from: Ns
  readonly to: Ns
}

/**
 * Steps in which a part is chosen with the pointer or keys: a thousandth of the length, rounded down to a power of ten.
 */
export const stepOf = ({ length }: TraceEstimate): number =>
  10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, length / 1000))))

/** To the next step, within the recording. */
export const snapped = (estimate: TraceEstimate, at: number): Ns => {
  const step = stepOf(estimate)
  return ns(Math.max(0, Math.min(estimate.length, Math.round(at / step) * step)))
}

/** About so many events. */
export function eventsIn({ events, length, overTime }: TraceEstimate, { from, to }: PartSelection): number {
  if (length === 0) return from === 0 ? events : 0
  const slices = overTime ?? [events]
  const width = length / slices.length
  return slices.reduce(
    (sum, n, i) =>
      sum + n * Math.max(0, Math.min(1, (Math.min(to, (i + 1) * width) - Math.max(from, i * width)) / width)),
    0,
  )
}

/** Memory for so many events, bytes. */
export const memoryOf = ({ events, bytes }: TraceEstimate, n: number): number => (events > 0 ? (n * bytes) / events : 0)

/** Events that fit. */
export const fitting = ({ events, bytes, capacity }: TraceEstimate): number =>
  bytes > 0 ? Math.floor((events * capacity) / bytes) : 0

/** So much of the memory is filled by a part that is offered: events between the samples are estimated. */
const OFFERED = 0.8

/** The end of the largest part from a time on that is sure to fit. */
export function fitsUntil(estimate: TraceEstimate, from: number): Ns {
  const { length } = estimate
  const most = fitting(estimate) * OFFERED
  const [low, high] = Array.from({ length: 40 }).reduce<readonly [number, number]>(
    ([low, high]) => {
      const middle = (low + high) / 2
      return eventsIn(estimate, { from: ns(from), to: ns(middle) }) > most ? [low, middle] : [middle, high]
    },
    [from, length],
  )
  if (eventsIn(estimate, { from: ns(from), to: length }) <= most) return length
  const step = stepOf(estimate)
  return ns(Math.max(from, Math.min(Math.floor(low / step) * step, high)))
}

/** What is chosen at first: what is open, else the largest part from the beginning that fits. */
export function initialPart(estimate: TraceEstimate, window: TimeWindow | undefined): PartSelection {
  if (window)
    return { from: window.from_ns ?? ns(0), to: ns(Math.min(window.to_ns ?? estimate.length, estimate.length)) }
  return { from: ns(0), to: fitsUntil(estimate, 0) }
}

/** The window to read; absent: the complete recording. */
export function windowOf({ length }: TraceEstimate, { from, to }: PartSelection): TimeWindow | undefined {
  const open = length > 0 && to >= length
  if (open && from <= 0) return undefined
  return { from_ns: from, ...(!open && { to_ns: to }) }
}

/** Why a part cannot be opened; absent: it can. */
export type PartProblem = 'order' | 'outside' | 'empty' | 'too-large'

export function problemOf(estimate: TraceEstimate, selection: PartSelection): PartProblem | undefined {
  if (!(selection.from < selection.to)) return 'order'
  if (estimate.length > 0 && selection.from >= estimate.length) return 'outside'
  const events = eventsIn(estimate, selection)
  if (events > fitting(estimate)) return 'too-large'
  return estimate.overTime && events < 0.5 ? 'empty' : undefined
}

/** `first 12.0 s`, `10.0 s to 20.0 s`, `from 10.0 s on`. `duration` writes a time. */
export function windowInWords(
  { from_ns: from = ns(0), to_ns: to }: TimeWindow,
  duration = typographic.duration,
): string {
  if (to === undefined) return `from ${duration(from)} on`
  return from === 0 ? `first ${duration(to)}` : `${duration(from)} to ${duration(to)}`
}
