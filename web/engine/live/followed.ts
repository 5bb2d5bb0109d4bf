/**
 * A stream in the engine, in bounded memory: a second trace begins in the middle of what the first may hold, and
 * takes over when that is full. Runs in a worker of the page and on the command line.
 */
import type { EngineLiveStatus, QueryKind, TimeWindow } from '../protocol'
import { createNotes } from './records'

/** Of the engine's bindings. */
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
  /** Makes a trace of the opening that the engine's constructor takes. */
  make(opening: string): LiveTrace
  /** Events and messages that a trace may hold. */
  readonly most: number
  /** Events are stored when they are older than the latest by this. */
  readonly lagNs: number
}

export interface Followed {
  addFile(name: string): void
  /** Whole records of a file. */
  feed(file: number, bytes: Uint8Array): void
  /** Nothing arrived for a while. */
  settle(): void
  /** Nothing more comes: what waited for it is read. */
  end(): void
  /** After the end: requests that are known only then are counted, as in a complete recording. */
  finish(): void
  status(): EngineLiveStatus
  /** Events of the stream so far. */
  events(): number
  /** Begin of what answers are about; absent: of the stream. */
  from(): number | undefined
  query(kind: QueryKind, ask: unknown): unknown
  /** Names and wall clock so far, as records. */
  notes(): Uint8Array
  free(): void
}

/** The lag at first: blktrace writes a buffer of each CPU every 50 ms. */
export const LAG_NS = 500e6

export function createFollowed({ name, label, make, most, lagNs }: FollowedOptions): Followed {
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
  let before = 0
  /** Once finished. */
  let last: EngineLiveStatus | undefined
  const statusOf = (trace: LiveTrace): EngineLiveStatus => {
    const status = trace.liveStatus()
    if (!status) throw new Error('the trace is not followed')
    return status
  }
  const held = ({ events, messages }: EngineLiveStatus) => events + messages

  const rotate = () => {
    const status = statusOf(shown.trace)
    if (!next && held(status) >= most / 2) {
      const from_ns = status.latest_ns + 1
      const trace = open({ origin: status.origin, window: { from_ns } as TimeWindow }, status.lag_ns)
      if (files.length > 0) trace.feed(0, notes.bytes())
      next = { trace, from: from_ns }
    }
    if (next && (held(status) >= most || status.full)) {
      const later = statusOf(next.trace)
      before += status.events - later.events
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
      last = statusOf(shown.trace)
      shown.trace.finish()
    },
    status: () => last ?? statusOf(shown.trace),
    events: () => before + (last ?? statusOf(shown.trace)).events,
    from: () => shown.from,
    query: (kind, ask) => shown.trace.query(kind, JSON.stringify(ask)),
    notes: notes.bytes,
    free() {
      shown.trace.free()
      next?.trace.free()
    },
  }
}
