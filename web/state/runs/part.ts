/** Chooses the part of a recording to read, by an estimate of its events over time. */
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

/** Rounds a time to a step, within the recording. */
export const snapTime = (estimate: TraceEstimate, time: number): Ns => {
  const step = stepOf(estimate)
  return ns(Math.max(0, Math.min(estimate.length, Math.round(time / step) * step)))
}

/** Estimated number of events in a part. Events are spread evenly within each slice of the estimate. */
export function countEvents({ events, length, overTime }: TraceEstimate, { from, to }: PartSelection): number {
  if (length === 0) return from === 0 ? events : 0
  const slices = overTime ?? [events]
  const width = length / slices.length
  return slices.reduce(
    (sum, n, i) =>
      sum + n * Math.max(0, Math.min(1, (Math.min(to, (i + 1) * width) - Math.max(from, i * width)) / width)),
    0,
  )
}

/** Memory that `n` events take, bytes. */
export const memoryOf = ({ events, bytes }: TraceEstimate, n: number): number => (events > 0 ? (n * bytes) / events : 0)

/** Number of events that fit into memory. */
export const maxEvents = ({ events, bytes, capacity }: TraceEstimate): number =>
  bytes > 0 ? Math.floor((events * capacity) / bytes) : 0

/** Share of the memory that an offered part fills. Not all of it: the number of events between samples is estimated. */
const OFFERED = 0.8

/**
 * End of the largest part from `from` on that fits into memory. A binary search: the number of events grows with the
 * end. 40 halvings resolve 1 ns of 18 minutes; the result is rounded down to a step.
 */
export function fitsUntil(estimate: TraceEstimate, from: number): Ns {
  const { length } = estimate
  const limit = maxEvents(estimate) * OFFERED
  const [low, high] = Array.from({ length: 40 }).reduce<readonly [number, number]>(
    ([low, high]) => {
      const middle = (low + high) / 2
      return countEvents(estimate, { from: ns(from), to: ns(middle) }) > limit ? [low, middle] : [middle, high]
    },
    [from, length],
  )
  if (countEvents(estimate, { from: ns(from), to: length }) <= limit) return length
  const step = stepOf(estimate)
  return ns(Math.max(from, Math.min(Math.floor(low / step) * step, high)))
}

/** The initial choice: the open part, else the largest part from the beginning that fits. */
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
  const events = countEvents(estimate, selection)
  if (events > maxEvents(estimate)) return 'too-large'
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
