/** Worker of a trace: reads its files, feeds the engine, and answers queries, also between two pieces. */
import { sha256OfAll } from '../lib/sha256'
import { answerOf, isOfPicture, resultsAnswer } from './answer'
import { CRASHED, toEngineError } from './errors'
import {
  arrangeResults,
  compare,
  compareMatrix,
  compareText,
  guessLabels,
  OpenedSnapshot,
  packSnapshot,
  resultsText,
  Trace,
} from './generated/seekscope.js'
import type { CompiledEngine, FileBeside, FromWorker, QueryKind, ToWorker, TraceInfo, TraceSection } from './protocol'
import { estimateTrace } from './reading/estimate'
import { groupFiles, readTexts } from './reading/intake'
import { BESIDE_BYTES, mayBeText } from './reading/probe'
import { createReading, readSection } from './reading/sections'
import { createWorkerEngine } from './workerEngine'

type OpenTraceMessage = Extract<ToWorker, { type: 'open' }>

/** How often progress is posted. */
const REPORT_MS = 100
/** Minimum interval of partial results, ms: drawing them takes a core that reading could use. */
const PICTURE_MS = 500
/** Delay of the first partial results, ms, until the speed of reading is known. */
const FIRST_PICTURE_AFTER_MS = 250
/**
 * When the rest takes less than this, no partial results are drawn: they would only delay the complete ones, by a
 * quarter at 1.5 s.
 */
const SOON_MS = 2000
/** Maximum time for which reading waits for the first picture, ms, so that something is visible early. */
const FIRST_PICTURE_MS = 150
/** Maximum share of the time so far for answers of partial pictures. */
const PICTURE_SHARE = 0.1

/** The global scope of this worker; tests run several in one process. */
const scope = self

const post = (message: FromWorker, transfer: Transferable[] = []) => scope.postMessage(message, { transfer })

const { engine, arrived, failed: partFailed } = createWorkerEngine(post)

/** Functions that answer queries without a trace. The whole of the bindings would make the page heavier. */
const functions = { arrangeResults, compare, compareMatrix, compareText, packSnapshot, resultsText }

/** Waits for what answers a query. */
const ready = async (kind: QueryKind): Promise<void> => {
  if (!isOfPicture(kind)) await engine.load('compare')
}

/** Returns a function that resolves once all messages that are queued now have been handled. */
const createYield = () => {
  const { port1, port2 } = new MessageChannel()
  return () =>
    new Promise<void>(resolve => {
      port1.onmessage = () => resolve()
      port2.postMessage(undefined)
    })
}

/** Buffers of an answer, which are transferred instead of copied. */
const arraysOf = (answer: unknown): Transferable[] =>
  Object.values(answer ?? {}).flatMap(value =>
    ArrayBuffer.isView(value) && value.buffer instanceof ArrayBuffer ? [value.buffer] : [],
  )

/** A snapshot stays in the engine: its traces answer queries by their index. */
const openSnapshot = (compiled: CompiledEngine, text: string) => {
  engine.start(compiled)
  const snapshot = new OpenedSnapshot(text)
  post({ type: 'snapshot', outline: snapshot.outline() })
  return {
    async answer(id: number, kind: QueryKind, ask: unknown, trace = 0) {
      await ready(kind)
      const answer = answerOf(functions, { query: (kind, query) => snapshot.query(trace, kind, query) }, kind, ask)
      post({ type: 'answer', id, trace, answer }, arraysOf(answer))
    },
  }
}

/** A trace of the engine without bytes. */
const createTrace = (opening: OpenTraceMessage): Trace => {
  engine.start(opening.engine)
  const { name, label, parts, dropped, kernel, zones, blocks, window, capacity, origin } = opening
  return new Trace(
    JSON.stringify({
      name,
      label,
      parts: parts.map(part => ({ name: part.name, size: part.blob.size, pattern: part.pattern })),
      dropped,
      kernel,
      zones,
      blocks,
      window,
      capacity,
      origin,
    }),
  )
}

/** Adds a file to a trace; of an unreadable file what could be read. */
async function addFile(
  trace: Trace,
  how: 'addBeside' | 'addTraceText',
  path: string,
  blob: Blob,
  yieldToMessages: () => Promise<void>,
): Promise<void> {
  const read = async (from: number) => {
    const bytes = blob.slice(from, from + BESIDE_BYTES).arrayBuffer()
    return new Uint8Array(await bytes.catch(() => new ArrayBuffer()))
  }
  if (!trace[how](path, await read(0))) return
  for (let from = BESIDE_BYTES; from < blob.size; from += BESIDE_BYTES) {
    trace.feedBeside(await read(from))
    await yieldToMessages()
  }
  trace.closeBeside()
}

const open = (opening: OpenTraceMessage) => {
  const { parts, window, workers = 1 } = opening
  const beside = [...(opening.beside ?? [])]
  const opened = performance.now()
  const trace = createTrace(opening)
  const totalBytes = parts.reduce((sum, part) => sum + part.blob.size, 0)
  const yieldToMessages = createYield()
  let nextReport = opened
  let drawn: (() => void) | undefined
  let nextPicture = opened + FIRST_PICTURE_AFTER_MS
  let pictures = 0
  /** Time for answers of all partial pictures and of the last one, ms. */
  const answering = { all: 0, last: 0 }
  /**
   * Whether one more partial picture is worth its time. It is expected to take twice the last one, because it grows
   * with what was read. Shortly before the end none is drawn.
   */
  const canAfford = (elapsed: number): boolean => {
    const expected = 2 * answering.last
    const left = elapsed * (totalBytes / Math.max(1, reading.taken()) - 1)
    return left > Math.max(SOON_MS, expected) && (pictures === 0 || answering.all + expected <= PICTURE_SHARE * elapsed)
  }

  const report = (): TraceInfo => {
    const info = trace.query('info', '{}') as TraceInfo
    const { events, span, devices } = info
    const read = { bytes: reading.taken(), totalBytes, events, requests: devices[0]?.requests ?? 0, span }
    post({ type: 'progress', progress: { ...read, elapsedMs: performance.now() - opened } })
    return info
  }
  const want = (helper: number, section: TraceSection) => post({ type: 'wanted', helper, section })
  const loadRest = () => engine.load('rest')
  const reading = createReading(parts, trace, window ? 1 : workers, loadRest, want, async () => {
    const now = performance.now()
    if (now >= nextReport) {
      const info = report()
      if (info.events > 0 && now >= nextPicture && canAfford(now - opened)) {
        post({ type: 'partial', info })
        answering.last = 0
        nextPicture = now + PICTURE_MS
        pictures += 1
        if (pictures === 1) {
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

  /** Adds the texts of the trace, and the files next to it; more of these may arrive meanwhile. */
  const addFiles = async () => {
    for (const { name, blob } of parts.filter(mayBeText))
      await addFile(trace, 'addTraceText', name, blob, yieldToMessages)
    for (const { path, blob } of beside) await addFile(trace, 'addBeside', path, blob, yieldToMessages)
  }
  let complete = false

  return {
    async read() {
      await reading.run()
      await addFiles()
      trace.finish()
      complete = true
      post({ type: 'ready', info: report() })
    },
    advanced: reading.advanced,
    arrived: reading.arrived,
    async add(files: readonly FileBeside[]) {
      beside.push(...files)
      if (!complete) return
      trace.restartBeside()
      await addFiles()
      trace.placeBeside()
      post({ type: 'ready', info: report() })
    },
    async answer(id: number, kind: QueryKind, ask: unknown) {
      await ready(kind)
      const begin = performance.now()
      const answer = answerOf(functions, trace, kind, ask)
      const took = performance.now() - begin
      answering.all += took
      answering.last += took
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

/** Reads a section of a trace that another worker opened. */
const readFor = async ({ engine: compiled, parts, section: wanted }: Extract<ToWorker, { type: 'readSection' }>) => {
  engine.start(compiled)
  await engine.load('rest')
  let reportedAt = performance.now()
  const section = await readSection(parts, wanted, createYield(), bytes => {
    if (performance.now() < reportedAt + REPORT_MS) return
    reportedAt = performance.now()
    post({ type: 'sectionProgress', bytes })
  })
  post({ type: 'section', ...(section && { section }) }, section ? [section.buffer] : [])
}

const createMessageHandler = () => {
  let session:
    | (Pick<ReturnType<typeof open>, 'answer'> & Partial<Pick<ReturnType<typeof open>, 'add' | 'advanced' | 'arrived'>>)
    | Pick<ReturnType<typeof openSnapshot>, 'answer'>
    | undefined
  /** Anything but an EngineError is a trap in WASM: the engine's memory is unreliable from then on. */
  const refuse = (data: ToWorker, thrown: unknown) => {
    const error = toEngineError(thrown)
    if (data.type === 'query' && error.code !== CRASHED)
      post({ type: 'refused', id: data.id, ...(data.trace !== undefined && { trace: data.trace }), error })
    else post({ type: 'failed', error })
  }
  return ({ data }: MessageEvent<ToWorker>) => {
    try {
      switch (data.type) {
        case 'open':
          session = opened(data)
          break
        case 'readSection':
          readFor(data).catch(failed)
          break
        case 'sectionProgress':
          if (session && 'advanced' in session) session.advanced?.(data.index, data.bytes)
          break
        case 'section':
          if (session && 'arrived' in session) session.arrived?.(data.index, data.section)
          break
        case 'snapshot':
          session = openSnapshot(data.engine, data.text)
          break
        case 'beside':
          if (session && 'add' in session) session.add?.(data.files).catch(failed)
          break
        case 'group':
          engine.start(data.engine)
          groupFiles(data.files, progress => post({ type: 'unpacking', progress }), engine).then(
            grouping => post({ type: 'grouped', grouping }),
            failed,
          )
          break
        case 'readTexts':
          engine.start(data.engine)
          readTexts(data.files, engine, data.choices).then(read => post({ type: 'textsRead', read }), failed)
          break
        case 'part':
          arrived(data.part, data.module)
          break
        case 'partFailed':
          partFailed(data.part, data.error)
          break
        case 'estimate':
          engine.start(data.engine)
          estimateTrace(data.parts, data.window, data.rough).then(
            estimate => post({ type: 'estimated', estimate }),
            failed,
          )
          break
        case 'labels':
          engine.start(data.engine)
          post({ type: 'labels', labels: guessLabels(JSON.stringify(data.runs)) })
          break
        case 'checksum':
          sha256OfAll(data.blobs).then(sum => post({ type: 'checksum', ...(sum !== undefined && { sum }) }), failed)
          break
        case 'results':
          engine.start(data.engine)
          post({ type: 'results', answer: resultsAnswer(functions, data.kind, data.ask) })
          break
        case 'query':
          session?.answer(data.id, data.kind, data.ask, data.trace).catch(thrown => refuse(data, thrown))
          break
      }
    } catch (thrown) {
      refuse(data, thrown)
    }
  }
}

self.onmessage = createMessageHandler()
