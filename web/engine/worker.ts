/** One per trace: reads its files, feeds the engine, answers questions, also between the slices of its reading. */
import { answerOf } from './answer'
import { CRASHED, toEngineError } from './errors'
import { createFeeding } from './feed'
import { compare, compareText, guessLabels, initSync, openSnapshot, packSnapshot, Shot as SnapshotEngine, Trace } from './generated/seekscope.js'
import { groupFiles } from './intake'
import type { FromWorker, QueryKind, ToWorker, TraceInfo, TraceSnapshot } from './protocol'

type OpenTraceMessage = Extract<ToWorker, { type: 'open' }>

/** How often the page hears of progress and may draw what is there so far. */
const REPORT_MS = 100
/** Of a trace larger than this the first picture is drawn before more of it is read, unless no query arrives soon. */
const LARGE = 16 << 20
const FIRST_PICTURE_MS = 150
/** Reading takes at least so many times as long as drawing what is there so far. */
const READING_SHARE = 4

const ENGINE = { compare, compareText, packSnapshot }

const post = (message: FromWorker, transfer: Transferable[] = []) => self.postMessage(message, { transfer })

/** Returns a function that resolves once all messages that are queued now have been handled. */
const createYield = () => {
  const { port1, port2 } = new MessageChannel()
  return () =>
    new Promise<void>(resolve => {
      port1.onmessage = () => resolve()
      port2.postMessage(undefined)
    })
}

/** Arrays of an answer, to be handed over instead of copied. */
const arraysOf = (answer: unknown): Transferable[] =>
  Object.values(answer ?? {}).flatMap(value => (ArrayBuffer.isView(value) && value.buffer instanceof ArrayBuffer ? [value.buffer] : []))

/** A trace that was read before, on the machine of whoever made the link. */
const openTraceSnapshot = (snapshot: TraceSnapshot) => {
  const trace = new SnapshotEngine(JSON.stringify(snapshot))
  return {
    answer(id: number, kind: QueryKind, ask: unknown) {
      const answer = answerOf(ENGINE, trace, kind, ask)
      post({ type: 'answer', id, answer }, arraysOf(answer))
    },
  }
}

const open = ({ module, name, label, parts, dropped, kernel }: OpenTraceMessage) => {
  const opened = performance.now()
  initSync({ module })
  const trace = new Trace(
    JSON.stringify({ name, label, parts: parts.map(part => ({ name: part.name, size: part.blob.size, pattern: part.pattern })), dropped, kernel }),
  )
  const totalBytes = parts.reduce((sum, part) => sum + part.blob.size, 0)
  const yieldToMessages = createYield()
  let nextReport = opened
  let drawn: (() => void) | undefined
  let nextPicture = nextReport
  let answering = 0

  const report = (): TraceInfo => {
    const info: TraceInfo = trace.query('info', '{}')
    const progress = { bytes: feeding.taken(), totalBytes, events: info.events, elapsedMs: performance.now() - opened }
    post({ type: 'progress', progress })
    return info
  }
  const feeding = createFeeding(parts, trace, async () => {
    const now = performance.now()
    if (now >= nextReport) {
      const info = report()
      if (info.events > 0 && now >= nextPicture + answering * READING_SHARE) {
        const first = nextPicture === opened
        post({ type: 'partial', info })
        answering = 0
        nextPicture = now + REPORT_MS
        if (first && totalBytes > LARGE) {
          await new Promise<void>(resolve => {
            drawn = resolve
            setTimeout(resolve, FIRST_PICTURE_MS)
          })
        }
      }
      if (info.events > 0) nextReport = performance.now() + REPORT_MS
    }
    await yieldToMessages()
  })

  return {
    async read() {
      await feeding.run()
      trace.finish()
      post({ type: 'ready', info: report() })
    },
    answer(id: number, kind: QueryKind, ask: unknown) {
      const begin = performance.now()
      const answer = answerOf(ENGINE, trace, kind, ask)
      answering += performance.now() - begin
      if (kind === 'seekMap') drawn?.()
      post({ type: 'answer', id, answer }, arraysOf(answer))
    },
  }
}

const failed = (thrown: unknown) => post({ type: 'failed', error: toEngineError(thrown) })

const opened = (opening: OpenTraceMessage) => {
  const session = open(opening)
  session.read().catch(failed)
  return session
}

const createMessageHandler = () => {
  let session: Pick<ReturnType<typeof open>, 'answer'> | undefined
  return ({ data }: MessageEvent<ToWorker>) => {
    try {
      switch (data.type) {
        case 'open':
          session = opened(data)
          break
        case 'trace-snapshot':
          initSync({ module: data.module })
          session = openTraceSnapshot(data.snapshot)
          post({ type: 'ready', info: data.snapshot.info })
          break
        case 'snapshot':
          initSync({ module: data.module })
          post({ type: 'snapshot', opened: openSnapshot(data.text) })
          break
        case 'group':
          initSync({ module: data.module })
          groupFiles(data.files, progress => post({ type: 'unpacking', progress })).then(grouping => post({ type: 'grouped', grouping }), failed)
          break
        case 'labels':
          initSync({ module: data.module })
          post({ type: 'labels', labels: guessLabels(JSON.stringify(data.runs)) })
          break
        case 'query':
          session?.answer(data.id, data.kind, data.ask)
          break
      }
    } catch (thrown) {
      const error = toEngineError(thrown)
      // What is not thrown by the engine on purpose is a trap: the engine's memory is unreliable after it.
      if (data.type === 'query' && error.code !== CRASHED) post({ type: 'refused', id: data.id, error })
      else post({ type: 'failed', error })
    }
  }
}

self.onmessage = createMessageHandler()
