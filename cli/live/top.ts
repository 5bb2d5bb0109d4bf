/** `seekscope top`: figures of the last interval, per device and process, of a stream or of a recording. */
import { statSync } from 'node:fs'
import { createFollowed, type Followed, LAG_NS, type LiveTrace } from '../../web/engine/live/followed'
import type { StreamState } from '../../web/engine/live/frames'
import { type AskNow, asker } from '../../web/engine/live/recent'
import { endedWords, troublesOf } from '../../web/engine/live/trouble'
import type { TraceInfo } from '../../web/engine/protocol'
import { ascii } from '../../web/lib/format'
import { ns } from '../../web/lib/units'
import { endAtSignal } from '../input/find/leftovers'
import { loadEngine } from '../input/read/engine'
import { ofEachTrace } from '../input/read/traces'
import { print, ReaderGone } from '../output/output'
import { complain, say } from '../output/progress'
import { yieldInTime } from '../output/yield'
import type { TraceInputs } from '../program/values'
import { isBeingWritten } from './folder'
import { growingOf } from './growing'
import { idleAfter, intervalAt, intervalOf, isSettled, type TopInterval } from './interval'
import { jsonOf, type LineTable, lineTable } from './lines'
import { drawn, type ScreenState, SORTS, type SortKey, screenOf } from './screen'
import type { GrowingStream } from './stream'
import { openTerminal } from './terminal'

export interface TopOptions {
  readonly intervalNs: number
  readonly json: boolean
  /** Waits for more of a folder even if nothing is written at present. */
  readonly follow: boolean
}

/** Events in memory: about 80 bytes each, with what they are made of. */
const MAX_EVENTS = 2_000_000
/** When nothing has arrived for this long, waiting events are counted. Shorter pauses are normal on a busy machine. */
const QUIET_MS = 2000
/** How often new intervals are looked for, ms. */
const LOOK_MS = 100

/** Intervals of a stream, one after another. `left`: called with what is left out. */
function createIntervals(followed: Followed, length: number, left: (text: string) => void) {
  const ask: AskNow = asker(followed.query)
  let index = 0
  return {
    /** The next interval, once it is settled; at the end all that are left. */
    next(ended: boolean): TopInterval | undefined {
      const { events, shown_ns } = followed.status()
      // Skips intervals whose events are no longer in memory.
      index = Math.max(index, Math.ceil((followed.from() ?? 0) / length))
      const range = intervalAt(index, length)
      if (events === 0 || (!ended && shown_ns < range.t1)) return undefined
      const info: TraceInfo = ask('info', {})
      const shown = info.span
      if (ended ? range.t0 > shown : !isSettled(ask, info, range, shown_ns)) return undefined
      const interval = intervalOf(ask, info, ended && range.t1 > shown ? { ...range, t1: ns(shown + 1) } : range)
      const idle = idleAfter(interval, ask, index, length)
      if (idle) left(idle.text)
      index = idle?.next ?? index + 1
      return interval
    },
  }
}

function follow(stream: GrowingStream): Followed {
  const engine = loadEngine()
  const make = (opening: string) => new engine.Trace(opening) as unknown as LiveTrace
  return createFollowed({ name: stream.name, label: stream.name, make, capacity: MAX_EVENTS, lagNs: LAG_NS })
}

interface Running {
  readonly followed: Followed
  /** Wall time of the last bytes, ms. */
  readonly heard: () => number
  readonly ended: Promise<Extract<StreamState, { readonly state: 'ended' }>>
}

function start(stream: GrowingStream): Running {
  const followed = follow(stream)
  let heard = performance.now()
  const ended = stream.run({
    file: (_, name) => followed.addFile(name),
    data(file, bytes) {
      heard = performance.now()
      followed.feed(file, bytes)
    },
  })
  return { followed, heard: () => heard, ended }
}

const sleep = (ms: number) => new Promise<'time'>(resolve => setTimeout(resolve, ms, 'time'))

/** Calls `look` now and then, until the stream has ended. */
async function lookUntilEnd({ followed, heard, ended }: Running, look: () => void | Promise<void>) {
  for (;;) {
    const state = await Promise.race([ended, sleep(LOOK_MS)])
    if (state !== 'time') {
      followed.end()
      followed.finish()
      return state
    }
    if (performance.now() - heard() > QUIET_MS + followed.status().lag_ns / 1e6) followed.settle()
    await look()
  }
}

async function lines(stream: GrowingStream, running: Running, { intervalNs, json }: TopOptions): Promise<void> {
  const intervals = createIntervals(running.followed, intervalNs, say)
  let reportedCodes: ReadonlySet<string> = new Set()
  const table = lineTable()
  const printIntervals = async (ended: boolean) => {
    for (let next = intervals.next(ended); next; next = intervals.next(ended)) {
      await print(json ? jsonOf(next) : table.lines(next))
      await yieldInTime()
    }
  }
  if (!json) await print(table.header)
  const state = await lookUntilEnd(running, async () => {
    await printIntervals(false)
    const troubles = troublesOf(running.followed.status(), performance.now() - running.heard(), ascii)
    for (const { code, text } of troubles) if (!reportedCodes.has(code)) say(text)
    reportedCodes = new Set(troubles.map(({ code }) => code))
  })
  await printIntervals(true)
  report(stream, state)
  running.followed.free()
}

function report(stream: GrowingStream, state: Extract<StreamState, { readonly state: 'ended' }>): void {
  if (state.why === 'broken') complain(stream.name, 'truncated-tail', endedWords(state, ascii))
  else if (state.why === 'failed') complain(stream.name, 'unreadable', endedWords(state, ascii))
}

/** Full-screen mode on a terminal, until `q` or Ctrl-C. */
async function fullScreen(stream: GrowingStream, { intervalNs }: TopOptions): Promise<void> {
  const running = start(stream)
  const intervals = createIntervals(running.followed, intervalNs, () => undefined)
  let state: ScreenState = {
    source: stream.name,
    lengthMs: intervalNs / 1e6,
    sort: 'i',
    paused: false,
    events: 0,
    lagMs: 0,
    notices: [],
  }
  let quit: () => void = () => undefined
  const quitted = new Promise<void>(resolve => {
    quit = resolve
  })
  const draw = () => {
    const { columns, rows } = terminal.size()
    terminal.write(drawn(screenOf(state, columns, rows)))
  }
  const terminal = openTerminal(key => {
    if (key === 'q' || key === '\x03') quit()
    else if (key === ' ') state = { ...state, paused: !state.paused }
    else if (Object.hasOwn(SORTS, key)) state = { ...state, sort: key as SortKey }
    else return
    draw()
  }, draw)
  endAtSignal(async () => undefined, terminal.end)
  const advance = async (ended: boolean) => {
    let latest: TopInterval | undefined
    for (let next = intervals.next(ended); next; next = intervals.next(ended)) {
      latest = next
      await yieldInTime()
    }
    const status = running.followed.status()
    const notices = ended ? [] : troublesOf(status, performance.now() - running.heard(), ascii).map(({ text }) => text)
    state = { ...state, events: running.followed.events(), lagMs: status.lag_ns / 1e6, notices }
    if (latest && !state.paused) state = { ...state, interval: latest }
    draw()
  }
  draw()
  try {
    const ended = lookUntilEnd(running, () => advance(false)).then(async ending => {
      await advance(true)
      state = { ...state, notices: [`${endedWords(ending, ascii)} q quits.`] }
      draw()
      return ending
    })
    await Promise.race([quitted, ended.then(() => quitted)])
  } finally {
    stream.stop()
    terminal.end()
    running.followed.free()
  }
}

async function printHeader({ header, leftOut }: LineTable): Promise<void> {
  if (leftOut.length > 0) say(`the terminal is too narrow for ${leftOut.join(', ')}; a file or a pipe has all columns`)
  await print(header)
}

/** Prints the intervals of complete recordings. */
async function recorded(inputs: TraceInputs, { intervalNs, json }: TopOptions): Promise<void> {
  let headed = json
  const table = lineTable(process.stdout.isTTY ? process.stdout.columns : undefined)
  await ofEachTrace(inputs, async ({ trace }) => {
    const ask = asker((kind, question) => trace.engine.query(kind, JSON.stringify(question)))
    const info = ask('info', {})
    if (!headed) await printHeader(table)
    headed = true
    for (let index = 0; index * intervalNs <= info.span; ) {
      const range = intervalAt(index, intervalNs)
      const part = intervalOf(ask, info, range.t1 > info.span ? { ...range, t1: ns(info.span + 1) } : range)
      await print(json ? jsonOf(part) : table.lines(part))
      await yieldInTime()
      const idle = idleAfter(part, ask, index, intervalNs)
      if (idle) say(idle.text)
      index = idle?.next ?? index + 1
    }
  })
}

export async function top(inputs: TraceInputs, options: TopOptions): Promise<void> {
  const [path = '-'] = inputs.paths
  const opened = await growingOf(path, options.follow || isWritten(path))
  if (opened?.kind !== 'growing') {
    await recorded(opened ? { ...inputs, openInputs: [opened.input] } : inputs, options)
    return
  }
  const { stream } = opened
  if (process.stdout.isTTY && !options.json) {
    await fullScreen(stream, options)
    process.exit()
  }
  const printing = lines(stream, start(stream), options)
  // After a signal, what has arrived is printed as far as there is time.
  endAtSignal(() => {
    stream.stop()
    return printing
  })
  try {
    await printing
  } catch (error) {
    if (!(error instanceof ReaderGone)) throw error
    process.exit()
  }
}

/** A folder in which something was written lately. */
const LATELY_MS = 10_000

const isWritten = (path: string): boolean => {
  const info = path === '-' ? undefined : statSync(path, { throwIfNoEntry: false })
  return info?.isDirectory() === true && isBeingWritten(path, LATELY_MS)
}
