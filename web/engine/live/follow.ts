/** Follows a stream that `seekscope open` serves. Runs in a worker; the engine's module must be set up. */
import { ns } from '../../lib/units'
import { asEngineError } from '../errors'
import { Trace } from '../generated/seekscope.js'
import type { EndedStream, FromWorker, QueryKind, StreamEnd, StreamSecond, StreamStatus, TraceInfo } from '../protocol'
import { createFollowed, LAG_NS, type LiveTrace } from './followed'
import { createUnframer, type Frame, type StreamHello } from './frames'
import { createKept } from './kept'
import { asker, recentDevices, secondOf } from './recent'

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

interface Heard {
  hello?: StreamHello
  names: string[]
  bytes: number
  skipped: number
  /** Wall time of the last bytes with records, ms. */
  at: number
}

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
  const ask = asker(followed.query)
  const kept = createKept(mostBytes)
  const heard: Heard = { names: [], bytes: 0, skipped: 0, at: performance.now() }
  const stopping = new AbortController()
  /** What was thrown between two pieces. */
  let failure: unknown
  let [counted, answering] = [0, 0]
  let [nextPicture, nextStatus] = [0, 0]
  let drawn = -1

  const take = (frame: Frame): Extract<Frame, { kind: 'state' }>['state'] | undefined => {
    if (frame.kind === 'hello') {
      heard.hello = frame.hello
      heard.skipped += frame.hello.skipped
    } else if (frame.kind === 'file') {
      heard.names.push(frame.name)
      followed.addFile(frame.name)
    } else if (frame.kind === 'data') {
      heard.at = performance.now()
      heard.bytes += frame.bytes.length
      followed.feed(frame.file, frame.bytes)
      kept.add(frame.file, frame.bytes, followed.status().latest_ns)
    } else if (frame.state.state === 'skipped') heard.skipped += frame.state.bytes
    else return frame.state
    return undefined
  }

  /** Whole seconds that are old enough; after a stall, longer ones. */
  const seconds = (info: TraceInfo, shown: number): readonly StreamSecond[] => {
    counted = Math.max(counted, followed.from() ?? 0)
    const ready = Math.floor((shown - SECOND_AGE_NS - counted) / 1e9)
    if (ready < 1) return []
    const each = Math.ceil(ready / SECONDS_AT_ONCE)
    const found: StreamSecond[] = []
    for (let left = ready; left >= each; left -= each) {
      const range = { t0: ns(counted), t1: ns(counted + each * 1e9) }
      found.push(secondOf(recentDevices(ask, info, range), range))
      counted += each * 1e9
    }
    return found
  }

  const status = (): StreamStatus => {
    const engine = followed.status()
    const shown = engine.shown_ns
    const info = engine.events > 0 ? ask('info', {}) : undefined
    const [shownFrom, keptFrom] = [followed.from(), kept.from()]
    return {
      engine,
      quietMs: performance.now() - heard.at,
      receivedBytes: heard.bytes,
      events: followed.events(),
      skippedBytes: heard.skipped,
      recent: info
        ? recentDevices(ask, info, { t0: ns(Math.max(shownFrom ?? 0, shown - RECENT_NS)), t1: ns(shown) })
        : [],
      seconds: info ? seconds(info, shown) : [],
      ...(shownFrom !== undefined && { shownFrom: ns(shownFrom) }),
      ...(keptFrom !== undefined && { keptFrom: ns(keptFrom) }),
    }
  }

  const tick = () => {
    const now = performance.now()
    if (now - heard.at > QUIET_MS + followed.status().lag_ns / 1e6) followed.settle()
    const { events } = followed.status()
    if (now >= nextPicture && events !== drawn && events > 0) {
      drawn = events
      nextPicture = now + Math.max(PICTURE_MS, answering / PICTURE_SHARE)
      answering = 0
      post({ type: 'partial', info: ask('info', {}) })
    }
    if (now >= nextStatus) {
      nextStatus = now + STATUS_MS
      post({ type: 'stream', status: status() })
      // Figures are as costly as a picture where the stream is fast.
      nextStatus += (performance.now() - now) * 2
    }
  }

  const end = (why: StreamEnd, more: Pick<EndedStream, 'bytes' | 'message'> = {}) => {
    followed.end()
    post({ type: 'stream', status: status() })
    const from_ns = kept.from()
    const { origin } = followed.status()
    const parts = kept.parts(heard.names, followed.notes)
    const part = from_ns === undefined ? {} : { origin, window: { from_ns: ns(from_ns) } }
    post({ type: 'streamEnded', ended: { why, ...more, parts, ...part } })
    followed.free()
  }

  /** Reads to the end, and returns how it ended. */
  const read = async (): Promise<Pick<EndedStream, 'why' | 'bytes' | 'message'>> => {
    const response = await fetch(url, {
      signal: stopping.signal,
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

  const timer = setInterval(() => {
    try {
      tick()
    } catch (thrown) {
      clearInterval(timer)
      failure = thrown
      stopping.abort()
    }
  }, TICK_MS)
  read()
    .catch((thrown: unknown): Pick<EndedStream, 'why' | 'message'> => {
      if (failure !== undefined) return { why: 'failed', message: asEngineError(failure).message }
      if (stopping.signal.aborted) return { why: 'stopped' }
      return { why: 'lost', ...(thrown instanceof Error && { message: thrown.message }) }
    })
    .then(({ why, ...more }) => {
      clearInterval(timer)
      end(why, more)
    })
  return {
    answer: followed.query,
    answered: ms => {
      answering += ms
    },
    stop: () => stopping.abort(),
  }
}
