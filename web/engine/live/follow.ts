/** Follows a stream that `seekscope open` serves. Runs in a worker; the engine's module must be set up. */
import { ns } from '../../lib/units'
import { asEngineError } from '../errors'
import { Trace } from '../generated/seekscope.js'
import type { EndedStream, FromWorker, QueryKind, StreamSecond, StreamStatus, TraceInfo } from '../protocol'
import { createFollowed, type Followed, LAG_NS, type LiveTrace } from './followed'
import { createUnframer, type Frame, type StreamState } from './frames'
import { createKept, type KeptBytes } from './kept'
import { type AskNow, asker, recentDevices, secondOf } from './recent'

export interface FollowLimits {
  /** Events in pictures, at most. */
  readonly events: number
  /** Bytes that are kept for the run at the end. */
  readonly bytes: number
}

/** A minute of 100,000 events per second stays in pictures, and 10 minutes of 20,000. */
const LIMITS: FollowLimits = { events: 12_000_000, bytes: 512 << 20 }

const TICK_MS = 100
/** When nothing has arrived for this long, what waits is shown: a busy machine pauses a stream for shorter. */
const QUIET_MS = 2000
const STATUS_MS = 1000
/** Pictures are made this often at most, and take this share of the time at most. */
const PICTURE_MS = 500
const PICTURE_SHARE = 0.4
/** Figures are of so much time. */
const RECENT_NS = 10e9
/** A second is counted when it is this old: its requests have had time to complete. */
const SECOND_AGE_NS = 1e9
/** Seconds that are counted at a time. */
const SECONDS_AT_ONCE = 5

/** A stream that is followed. */
export interface StreamFollower {
  answer(kind: QueryKind, ask: unknown): unknown
  /** A picture took so long, ms. */
  answered(ms: number): void
  /** Ends it here. */
  stop(): void
}

/** What the stream has brought so far. */
interface Received {
  readonly names: string[]
  bytes: number
  skipped: number
  /** Wall time of the last bytes with records, ms. */
  at: number
}

type StreamClosing = Pick<EndedStream, 'why' | 'bytes' | 'message'>

/** Follows the stream at a URL; `post` gets its status, pictures and end. */
export function followStream(
  url: string,
  post: (message: FromWorker) => void,
  limits: Partial<FollowLimits> = {},
): StreamFollower {
  const { events: most, bytes: mostBytes } = { ...LIMITS, ...limits }
  const followed = createFollowed({
    name: 'stream',
    label: 'live',
    make: opening => new Trace(opening) as unknown as LiveTrace,
    most,
    lagNs: LAG_NS,
  })
  const kept = createKept(mostBytes)
  const received: Received = { names: [], bytes: 0, skipped: 0, at: performance.now() }
  const reporter = createReporter(followed, kept, received, post)
  const stopping = new AbortController()
  /** What was thrown between two pieces. */
  let failure: unknown

  const end = ({ why, ...more }: StreamClosing) => {
    followed.end()
    reporter.postStatus()
    const from_ns = kept.from()
    const { origin } = followed.status()
    const parts = kept.parts(received.names, followed.notes)
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
  readFrames(url, stopping.signal, frame => takeFrame(frame, followed, kept, received))
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

/** Reads the stream to its end, and returns how it ended. `take` returns the states that are not its own. */
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

/** Feeds the trace and the copy that is kept; returns a state of the stream that is more than skipped bytes. */
function takeFrame(frame: Frame, followed: Followed, kept: KeptBytes, received: Received): StreamState | undefined {
  if (frame.kind === 'hello') received.skipped += frame.hello.skipped
  else if (frame.kind === 'file') {
    received.names.push(frame.name)
    followed.addFile(frame.name)
  } else if (frame.kind === 'data') {
    received.at = performance.now()
    received.bytes += frame.bytes.length
    followed.feed(frame.file, frame.bytes)
    kept.add(frame.file, frame.bytes, followed.status().latest_ns)
  } else if (frame.state.state === 'skipped') received.skipped += frame.state.bytes
  else return frame.state
  return undefined
}

interface Reporter {
  /** Posts what is due: a picture, the status. */
  tick(): void
  postStatus(): void
  /** A picture took so long, ms. */
  answered(ms: number): void
}

function createReporter(
  followed: Followed,
  kept: KeptBytes,
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
    const [shownFrom, keptFrom] = [followed.from(), kept.from()]
    return {
      engine,
      quietMs: performance.now() - received.at,
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
      if (now - received.at > QUIET_MS + followed.status().lag_ns / 1e6) followed.settle()
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

/** Counts each second once, when it is old enough; after a stall, longer ones. */
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
