/**
 * A stream in the engine, in bounded memory. Runs in a worker of the page and on the command line.
 *
 * A trace cannot forget its oldest events, so two take turns: when the first is half full, a second one starts and
 * receives the same bytes; when the first is full, the second replaces it and is half full. So answers always cover
 * at least half of `capacity`, and memory holds at most one and a half.
 */
import type { EngineLiveStatus, QueryKind, TimeWindow } from '../protocol'
import { createNotes } from './records'

/** The part of the engine's `Trace` that a stream needs. */
export interface LiveTrace {
  feed(part: number, bytes: Uint8Array): void
  addFile(name: string): number
  settle(): void
  close(part: number): void
  finish(): void
  liveStatus(): EngineLiveStatus | undefined
  query(kind: string, query: string): unknown
  free(): void
}

export interface FollowedOptions {
  readonly name: string
  readonly label: string
  /** Makes a trace; `opening` is the JSON parameter of the engine's constructor. */
  make(opening: string): LiveTrace
  /** Maximum number of events and messages in one trace. */
  readonly capacity: number
  /**
   * Events are stored when they are older than the latest one by this: CPUs write their buffers at different times,
   * and later events of another CPU may still precede them.
   */
  readonly lagNs: number
}

export interface Followed {
  addFile(name: string): void
  /** Takes complete records of a file. */
  feed(file: number, bytes: Uint8Array): void
  /** Stores events that wait for later ones: nothing arrived for a while. */
  settle(): void
  /** Ends the stream: stores all waiting events. */
  end(): void
  /** After `end`: counts requests that are known only at the end, as in a complete recording. */
  finish(): void
  status(): EngineLiveStatus
  events(): number
  /** Time from which on answers are complete; `undefined`: from the beginning of the stream. */
  from(): number | undefined
  query(kind: QueryKind, ask: unknown): unknown
  /** Process names and the wall clock so far, as blktrace records. */
  notes(): Uint8Array
  free(): void
}

/** The lag at first: blktrace writes a buffer of each CPU every 50 ms. */
export const LAG_NS = 500e6

export function createFollowed({ name, label, make, capacity, lagNs }: FollowedOptions): Followed {
  const files: string[] = []
  const notes = createNotes()
  const open = (more: { readonly origin?: string; readonly window?: TimeWindow } = {}, lag_ns = lagNs): LiveTrace => {
    const trace = make(JSON.stringify({ name, label, parts: [], live: { lag_ns }, ...more }))
    for (const file of files) trace.addFile(file)
    return trace
  }
  let shown = { trace: open(), from: undefined as number | undefined }
  let next: typeof shown | undefined
  /** Events in traces that were replaced. */
  let replacedEvents = 0
  /** Status after `finish`, which the trace no longer returns. */
  let finalStatus: EngineLiveStatus | undefined
  const statusOf = (trace: LiveTrace): EngineLiveStatus => {
    const status = trace.liveStatus()
    if (!status) throw new Error('the trace is not followed')
    return status
  }
  const countStored = ({ events, messages }: EngineLiveStatus) => events + messages

  const rotate = () => {
    const status = statusOf(shown.trace)
    if (!next && countStored(status) >= capacity / 2) {
      const from_ns = status.latest_ns + 1
      const trace = open({ origin: status.origin, window: { from_ns } as TimeWindow }, status.lag_ns)
      if (files.length > 0) trace.feed(0, notes.bytes())
      next = { trace, from: from_ns }
    }
    if (next && (countStored(status) >= capacity || status.full)) {
      const later = statusOf(next.trace)
      replacedEvents += status.events - later.events
      shown.trace.free()
      shown = next
      next = undefined
    }
  }

  return {
    addFile(file) {
      files.push(file)
      shown.trace.addFile(file)
      next?.trace.addFile(file)
    },
    feed(file, bytes) {
      notes.add(bytes)
      shown.trace.feed(file, bytes)
      next?.trace.feed(file, bytes)
      rotate()
    },
    settle() {
      shown.trace.settle()
      next?.trace.settle()
    },
    end() {
      for (const file of files.keys()) shown.trace.close(file)
      shown.trace.settle()
    },
    finish() {
      finalStatus = statusOf(shown.trace)
      shown.trace.finish()
    },
    status: () => finalStatus ?? statusOf(shown.trace),
    events: () => replacedEvents + (finalStatus ?? statusOf(shown.trace)).events,
    from: () => shown.from,
    query: (kind, ask) => shown.trace.query(kind, JSON.stringify(ask)),
    notes: notes.bytes,
    free() {
      shown.trace.free()
      next?.trace.free()
    },
  }
}
