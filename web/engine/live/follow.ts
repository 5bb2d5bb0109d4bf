/** Follows a stream that `seekscope open` serves. Runs in a worker; the engine's module must be set up. */
import { ns } from '../../lib/units'
import { asEngineError } from '../errors'
import { Trace } from '../generated/seekscope.js'
import type { EndedStream, FromWorker, QueryKind, StreamSecond, StreamStatus, TraceInfo } from '../protocol'
import { createFollowed, type Followed, LAG_NS, type LiveTrace } from './followed'
import { createUnframer, type Frame, type StreamState } from './frames'
import { createRetention, type KeptBytes } from './kept'
import { type AskNow, asker, recentDevices, secondOf } from './recent'

export interface FollowLimits {
  /** Maximum number of events that pictures show. */
  readonly events: number
  /** Maximum number of bytes that are kept for the run at the end. */
  readonly bytes: number
}

/** A minute of 100,000 events per second stays in pictures, and 10 minutes of 20,000. */
const LIMITS: FollowLimits = { events: 12_000_000, bytes: 512 << 20 }

const TICK_MS = 100
/** When nothing has arrived for this long, waiting events are shown. Shorter pauses are normal on a busy machine. */
const QUIET_MS = 2000
const STATUS_MS = 1000
/** Limits of pictures: minimum interval, and maximum share of the time. */
const PICTURE_MS = 500
const PICTURE_SHARE = 0.4
/** Length of the time that figures cover. */
const RECENT_NS = 10e9
/** Age at which a second is counted: its requests have had time to complete. */
const SECOND_AGE_NS = 1e9
/** Maximum number of seconds that are counted per tick. */
const SECONDS_AT_ONCE = 5

/** A stream that is followed. */
export interface StreamFollower {
  answer(kind: QueryKind, ask: unknown): unknown
  /** Reports how long a picture took, ms, to limit their share of the time. */
  answered(ms: number): void
  /** Ends the stream. */
  stop(): void
}

/** What the stream has brought so far. */
interface Received {
  readonly names: string[]
  bytes: number
  skipped: number
  /** Wall time of the last bytes with records, ms. */
  arrivedMs: number
}

type StreamClosing = Pick<EndedStream, 'why' | 'bytes' | 'message'>

/** Follows the stream at a URL; `post` gets its status, pictures and end. */
export function followStream(
  url: string,
  post: (message: FromWorker) => void,
  limits: Partial<FollowLimits> = {},
): StreamFollower {
  const { events: maxEvents, bytes: maxBytes } = { ...LIMITS, ...limits }
  const followed = createFollowed({
    name: 'stream',
    label: 'live',
    make: opening => new Trace(opening) as unknown as LiveTrace,
    capacity: maxEvents,
    lagNs: LAG_NS,
  })
  const retained = createRetention(maxBytes)
  const received: Received = { names: [], bytes: 0, skipped: 0, arrivedMs: performance.now() }
  const reporter = createReporter(followed, retained, received, post)
  const stopping = new AbortController()
  /** Thrown by the timer between two pieces of the stream; reported when reading ends. */
  let failure: unknown

  const end = ({ why, ...more }: StreamClosing) => {
    followed.end()
    reporter.postStatus()
    const from_ns = retained.from()
    const { origin } = followed.status()
    const parts = retained.parts(received.names, followed.notes)
    const part = from_ns === undefined ? {} : { origin, window: { from_ns: ns(from_ns) } }
    post({ type: 'streamEnded', ended: { why, ...more, parts, ...part } })
    followed.free()
  }
  const timer = setInterval(() => {
    try {
      reporter.tick()
    } catch (thrown) {
      clearInterval(timer)
      failure = thrown
      stopping.abort()
    }
  }, TICK_MS)
  readFrames(url, stopping.signal, frame => takeFrame(frame, followed, retained, received))
    .catch((thrown: unknown): StreamClosing => {
      if (failure !== undefined) return { why: 'failed', message: asEngineError(failure).message }
      if (stopping.signal.aborted) return { why: 'stopped' }
      return { why: 'lost', ...(thrown instanceof Error && { message: thrown.message }) }
    })
    .then(closing => {
      clearInterval(timer)
      end(closing)
    })
  return {
    answer: followed.query,
    answered: reporter.answered,
    stop: () => stopping.abort(),
  }
}

/**
 * Reads the stream to its end and returns how it ended. `take` handles a frame, and returns a state that it does not
 * handle itself.
 */
async function readFrames(
  url: string,
  signal: AbortSignal,
  take: (frame: Frame) => StreamState | undefined,
): Promise<StreamClosing> {
  const response = await fetch(url, {
    signal,
    cache: 'no-store',
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
    redirect: 'error',
  })
  if (!response.ok || !response.body) return { why: 'lost', message: `the command returned ${response.status}` }
  const unframe = createUnframer()
  const reader = response.body.getReader()
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    for (const frame of unframe(piece.value)) {
      const state = take(frame)
      if (state?.state !== 'ended') continue
      const { why, bytes, message } = state
      return { why, ...(bytes !== undefined && { bytes }), ...(message !== undefined && { message }) }
    }
  }
  return { why: 'lost' }
}

/**
 * Feeds the trace and the retained bytes. Returns the state if it is of interest to the reader of the stream: `alive`
 * or its end.
 */
function takeFrame(frame: Frame, followed: Followed, retained: KeptBytes, received: Received): StreamState | undefined {
  if (frame.kind === 'hello') received.skipped += frame.hello.skipped
  else if (frame.kind === 'file') {
    received.names.push(frame.name)
    followed.addFile(frame.name)
  } else if (frame.kind === 'data') {
    received.arrivedMs = performance.now()
    received.bytes += frame.bytes.length
    followed.feed(frame.file, frame.bytes)
    retained.add(frame.file, frame.bytes, followed.status().latest_ns)
  } else if (frame.state.state === 'skipped') received.skipped += frame.state.bytes
  else return frame.state
  return undefined
}

interface Reporter {
  /** Posts a picture and the status if they are due. */
  tick(): void
  postStatus(): void
  /** A picture took so long, ms. */
  answered(ms: number): void
}

function createReporter(
  followed: Followed,
  retained: KeptBytes,
  received: Received,
  post: (message: FromWorker) => void,
): Reporter {
  const ask = asker(followed.query)
  const countSeconds = createSecondCounter(followed, ask)
  let answering = 0
  let [nextPicture, nextStatus] = [0, 0]
  /** Events in the last picture. */
  let drawn = -1

  const status = (): StreamStatus => {
    const engine = followed.status()
    const shown = engine.shown_ns
    const info = engine.events > 0 ? ask('info', {}) : undefined
    const [shownFrom, keptFrom] = [followed.from(), retained.from()]
    return {
      engine,
      quietMs: performance.now() - received.arrivedMs,
      receivedBytes: received.bytes,
      events: followed.events(),
      skippedBytes: received.skipped,
      recent: info
        ? recentDevices(ask, info, { t0: ns(Math.max(shownFrom ?? 0, shown - RECENT_NS)), t1: ns(shown) })
        : [],
      seconds: info ? countSeconds(info, shown) : [],
      ...(shownFrom !== undefined && { shownFrom: ns(shownFrom) }),
      ...(keptFrom !== undefined && { keptFrom: ns(keptFrom) }),
    }
  }
  const postStatus = () => post({ type: 'stream', status: status() })
  return {
    tick() {
      const now = performance.now()
      if (now - received.arrivedMs > QUIET_MS + followed.status().lag_ns / 1e6) followed.settle()
      const { events } = followed.status()
      if (now >= nextPicture && events !== drawn && events > 0) {
        drawn = events
        nextPicture = now + Math.max(PICTURE_MS, answering / PICTURE_SHARE)
        answering = 0
        post({ type: 'partial', info: ask('info', {}) })
      }
      if (now >= nextStatus) {
        nextStatus = now + STATUS_MS
        postStatus()
        // Figures are as costly as a picture where the stream is fast.
        nextStatus += (performance.now() - now) * 2
      }
    },
    postStatus,
    answered: ms => {
      answering += ms
    },
  }
}

/** Counts each second once, when it is old enough. After a stall it counts longer intervals, to catch up. */
function createSecondCounter(
  followed: Followed,
  ask: AskNow,
): (info: TraceInfo, shown: number) => readonly StreamSecond[] {
  let counted = 0
  return (info, shown) => {
    counted = Math.max(counted, followed.from() ?? 0)
    const ready = Math.floor((shown - SECOND_AGE_NS - counted) / 1e9)
    if (ready < 1) return []
    const each = Math.ceil(ready / SECONDS_AT_ONCE)
    const seconds: StreamSecond[] = []
    for (let left = ready; left >= each; left -= each) {
      const range = { t0: ns(counted), t1: ns(counted + each * 1e9) }
      seconds.push(secondOf(recentDevices(ask, info, range), range))
      counted += each * 1e9
    }
    return seconds
  }
}
