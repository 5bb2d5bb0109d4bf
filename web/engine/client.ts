/** The page's side of the engine: opens each trace in its own worker, and groups files into traces. */
import { isOfPicture, resultsClient } from './answer'
import { engineCrashed, toEngineError } from './errors'
import { comparingEngine, compiledEngine, compiledPart, missingPart } from './module'
import type {
  BlockNote,
  CompiledEngine,
  DroppedEvents,
  DroppedFile,
  EngineError,
  FileBeside,
  FromWorker,
  Grouping,
  GuessedLabels,
  LabelSource,
  LaterPart,
  QueryKind,
  ReadProgress,
  ReadResults,
  ResultsClient,
  SnapshotOutline,
  TextChoices,
  TimeWindow,
  ToWorker,
  TraceClient,
  TraceEstimate,
  TraceFile,
  TraceInfo,
  TraceSection,
  UnpackProgress,
  ZoneNote,
} from './protocol'
import { createQuestions, type Questions } from './questions'
import { beginTask } from './reading/rest'
import EngineWorker from './worker?worker&inline'

/**
 * Called while a trace is opened. `ready` or `failed` ends it; `failed` may also follow `ready` when the engine dies.
 */
export interface OpenEvents {
  progress(progress: ReadProgress): void
  /** Called about every 100 ms; partial results can be queried. */
  partial(info: TraceInfo): void
  ready(info: TraceInfo): void
  failed(error: EngineError): void
  /** Status and end of a stream; never called for files. */
  stream?(message: StreamMessage): void
}

type StreamMessage = Extract<FromWorker, { type: 'stream' | 'streamEnded' }>

/** What the files next to a trace contain. */
export interface TraceContext {
  readonly dropped?: DroppedEvents
  readonly kernel?: string
  readonly zones?: readonly ZoneNote[]
  readonly blocks?: readonly BlockNote[]
  readonly beside?: readonly FileBeside[]
  /** The part to read; absent: the complete trace. */
  readonly window?: TimeWindow
  /** Time 0 on the trace clock, in decimal digits, for a part whose beginning is missing. */
  readonly origin?: string
}

export interface OpenedTrace {
  /** Answers queries from the start; while the trace is read, with partial results. */
  readonly client: TraceClient
  /** Adds files next to the trace; `ready` follows once more if the trace was complete. Absent for snapshots. */
  readonly addBeside?: (files: readonly FileBeside[]) => void
  /** Ends the worker and frees its memory; pending queries are rejected with an AbortError. */
  cancel(): void
}

/**
 * Pool of at most one idle worker: started in advance, or given back by a finished task.
 *
 * Starting a worker with its engine takes 50 ms, which the first picture of a trace would wait for. More than one
 * idle worker is not kept, because a WASM memory never shrinks. The replacement starts one second later, so that it
 * does not compete with the trace that took the last one.
 */
const createWorkers = () => {
  let spare: Worker | undefined
  const prepare = () => {
    spare ??= new EngineWorker()
  }
  return {
    prepare,
    take(): Worker {
      const worker = spare ?? new EngineWorker()
      spare = undefined
      setTimeout(prepare, 1000)
      return worker
    },
    giveBack(worker: Worker) {
      if (spare) worker.terminate()
      else spare = worker
    },
  }
}

const workers = createWorkers()

const start = (
  receive: (message: FromWorker) => void,
  crashed: (error: EngineError) => void,
  worker = workers.take(),
) => {
  worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
    if (data.type === 'partWanted') send(data.part)
    receive(data)
  }
  const send = (part: LaterPart) =>
    compiledPart[part]().then(
      module => worker.postMessage({ type: 'part', part, module } satisfies ToWorker),
      thrown => worker.postMessage({ type: 'partFailed', part, error: toEngineError(thrown) } satisfies ToWorker),
    )
  worker.onerror = event => {
    event.preventDefault()
    crashed(engineCrashed(event.message || 'its worker could not run'))
  }
  worker.onmessageerror = () => crashed(engineCrashed('a message could not be read'))
  return {
    post: (message: ToWorker, transfer: Transferable[] = []) => worker.postMessage(message, transfer),
    end: () => worker.terminate(),
    /**
     * Ends the task but keeps the worker for the next one: starting one takes 50 ms, and each ended worker leaves
     * some memory of the browser behind. Do not release a worker whose engine crashed or that used much memory; end
     * it.
     */
    release() {
      worker.onmessage = worker.onerror = worker.onmessageerror = null
      workers.giveBack(worker)
    },
  }
}

/**
 * Fetches and compiles the engine and starts a worker before the first trace is opened. A failure is reported when a
 * trace is opened.
 */
export const warmUp = (): void => {
  workers.prepare()
  compiledEngine().catch(() => undefined)
}

/**
 * Helpers: workers that read sections of a trace in parallel, one section at a time each. `tell` forwards their
 * messages to the trace's own worker, which joins the sections.
 */
const createHelpers = (tell: (message: ToWorker, transfer?: Transferable[]) => void) => {
  const helpers = new Map<number, { readonly worker: ReturnType<typeof start>; index: number }>()
  const begin = (number: number) => {
    const finish = (section?: Uint8Array<ArrayBuffer>) =>
      tell({ type: 'section', index: helper.index, ...(section && { section }) }, section ? [section.buffer] : [])
    // A section that a helper failed to read is sent back empty: the trace's own worker reads it, and reports the
    // error if it fails there, too.
    const fail = () => {
      helper.worker.end()
      helpers.delete(number)
      finish()
    }
    const worker = start(message => {
      if (message.type === 'sectionProgress')
        tell({ type: 'sectionProgress', index: helper.index, bytes: message.bytes })
      if (message.type === 'section') finish(message.section)
      if (message.type === 'failed') fail()
    }, fail)
    const helper = { worker, index: 0 }
    helpers.set(number, helper)
    return helper
  }
  return {
    read(number: number, { engine, parts }: Extract<ToWorker, { type: 'open' }>, section: TraceSection) {
      const helper = helpers.get(number) ?? begin(number)
      helper.index = section.index
      helper.worker.post({ type: 'readSection', engine, parts, section })
    },
    end() {
      for (const { worker } of helpers.values()) worker.end()
      helpers.clear()
    },
  }
}

/** Traces that are being read. They share the cores: a trace gets helpers by how many there are when it is opened. */
const reading = new Set<OpenEvents>()

/**
 * One core is left for the page and for the browser, which reads the files: on two cores a second worker gains
 * nothing.
 */
const workersForEach = () =>
  Math.max(1, Math.round(((navigator.hardwareConcurrency || 1) - 1) / Math.max(1, reading.size)))

/** Waits for the part of the engine that answers a query. */
const prepare = (kind: QueryKind) => (isOfPicture(kind) ? undefined : missingPart('compare'))

/** An open trace that also passes messages to its worker. */
type MessagedTrace = OpenedTrace & { tell(message: ToWorker): void }

/**
 * Opens a trace in a worker: `reserved`, else one from the pool. `createMessage` makes the first message once the
 * engine is compiled; queries that arrive earlier are sent after it, because they wait for the same promise.
 */
export const openWith = (
  createMessage: (engine: CompiledEngine) => ToWorker,
  events: OpenEvents,
  reserved?: Worker,
): MessagedTrace => {
  let closed = false
  const close = (reason: unknown) => {
    closed = true
    worker.end()
    helpers.end()
    questions.end(reason)
  }
  const fail = (error: EngineError) => {
    if (closed) return
    close(error)
    events.failed(error)
  }
  const helpers = createHelpers((message, transfer) => worker.post(message, transfer))
  const worker = start(
    message => {
      // Messages that were posted before the worker was ended may still arrive.
      if (closed) return
      switch (message.type) {
        case 'wanted':
          return opened.then(
            opening => opening.type === 'open' && helpers.read(message.helper, opening, message.section),
            () => undefined,
          )
        case 'progress':
          return events.progress(message.progress)
        case 'partial':
          return events.partial(message.info)
        case 'ready':
          helpers.end()
          questions.complete()
          return events.ready(message.info)
        case 'failed':
          return fail(message.error)
        case 'stream':
        case 'streamEnded':
          return events.stream?.(message)
        case 'answer':
          return questions.answered(message.id, message.answer)
        case 'refused':
          return questions.refused(message.id, message.error)
      }
    },
    fail,
    reserved,
  )
  const opened = compiledEngine().then(engine => {
    const message = createMessage(engine)
    worker.post(message)
    return message
  })
  opened.catch(thrown => fail(toEngineError(thrown)))
  const ask = (id: number, kind: QueryKind, ask: unknown) => {
    opened.then(
      () => worker.post({ type: 'query', id, kind, ask }),
      () => undefined,
    )
  }
  const tell = (message: ToWorker) => {
    opened.then(
      () => worker.post(message),
      () => undefined,
    )
  }
  const questions = createQuestions(ask, { reading: true, prepare })
  return {
    client: questions.client,
    addBeside: files => tell({ type: 'beside', files }),
    tell,
    cancel: () => close(new DOMException('The trace was closed', 'AbortError')),
  }
}

/** Reads `parts` as one trace; `dropped` by the tracer's log, `kernel` by any note. */
export const openTrace = (
  name: string,
  label: string,
  parts: readonly TraceFile[],
  events: OpenEvents,
  context: TraceContext = {},
): OpenedTrace => {
  reading.add(events)
  const endTask = beginTask()
  const end = () => {
    reading.delete(events)
    endTask()
  }
  const counted: OpenEvents = {
    ...events,
    ready(info) {
      end()
      events.ready(info)
    },
    failed(error) {
      end()
      events.failed(error)
    },
  }
  const opened = openWith(
    engine => ({ type: 'open', engine, name, label, parts, ...context, workers: workersForEach() }),
    counted,
  )
  return {
    ...opened,
    client: {
      query(kind, ask, channel) {
        const endQuery = beginTask()
        const answer = opened.client.query(kind, ask, channel)
        answer.then(endQuery, endQuery)
        return answer
      },
    },
    cancel() {
      end()
      opened.cancel()
    },
  }
}

/**
 * Unpacks archives and compressed files, then finds the traces by name and content; reads 64 KiB at both ends of
 * each file. Rejects with an EngineError, or with the signal's reason. `unpacking` is called about every 100 ms.
 */
export const groupParts = async (
  files: readonly DroppedFile[],
  unpacking: (progress: UnpackProgress) => void,
  signal: AbortSignal,
): Promise<Grouping> => {
  const endTask = beginTask()
  try {
    return await groupInWorker(files, unpacking, signal)
  } finally {
    endTask()
  }
}

const groupInWorker = async (
  files: readonly DroppedFile[],
  unpacking: (progress: UnpackProgress) => void,
  signal: AbortSignal,
): Promise<Grouping> => {
  const engine = await compiledEngine()
  signal.throwIfAborted()
  return new Promise<Grouping>((resolve, reject) => {
    const fail = (reason: unknown) => {
      worker.end()
      reject(reason)
    }
    const abort = () => fail(signal.reason)
    signal.addEventListener('abort', abort)
    // A worker keeps the memory that unpacking or reading texts took.
    let large = false
    const worker = start(message => {
      if (message.type === 'failed') fail(message.error)
      if (message.type === 'unpacking') {
        large = true
        unpacking(message.progress)
      }
      if (message.type === 'partWanted' && message.part === 'rest') large = true
      if (message.type === 'grouped') {
        signal.removeEventListener('abort', abort)
        worker[large ? 'end' : 'release']()
        resolve(message.grouping)
      }
    }, fail)
    worker.post({ type: 'group', engine, files })
  })
}

/**
 * One message to a worker; `take` finds the reply. Then the worker is released, or ended if it may have taken much
 * memory, which it would keep. Rejects with an EngineError.
 */
const askOnce = async <T>(
  question: (engine: CompiledEngine) => ToWorker,
  take: (message: FromWorker) => T | undefined,
  afterwards: 'release' | 'end',
  compiled = compiledEngine,
): Promise<T> => {
  const engine = await compiled()
  return new Promise<T>((resolve, reject) => {
    const fail = (reason: unknown) => {
      worker.end()
      reject(reason)
    }
    const worker = start(message => {
      if (message.type === 'failed') fail(message.error)
      const answer = take(message)
      if (answer !== undefined) {
        worker[afterwards]()
        resolve(answer)
      }
    }, fail)
    worker.post(question(engine))
  })
}

/**
 * About how large a trace, or a part of it, is: `error` if it does not fit into memory; `rough` is enough to know that.
 * Rejects with an EngineError.
 */
export const estimateTrace = (
  parts: readonly TraceFile[],
  window?: TimeWindow,
  rough = false,
): Promise<TraceEstimate> =>
  askOnce(
    engine => ({ type: 'estimate', engine, parts, ...(window && { window }), rough }),
    message => (message.type === 'estimated' ? message.estimate : undefined),
    'release',
  )

/** Splits the labels of all runs into dimensions. Rejects with an EngineError. */
export const guessLabels = (runs: readonly LabelSource[]): Promise<GuessedLabels> =>
  askOnce(
    engine => ({ type: 'labels', engine, runs }),
    message => (message.type === 'labels' ? message.labels : undefined),
    'release',
  )

/**
 * SHA-256 of a trace with these files, in a worker: a file is hashed as a whole, and the page would stand still.
 * Rejects with an EngineError.
 */
export const checksumOf = async (blobs: readonly Blob[]): Promise<string | undefined> => {
  const { sum } = await askOnce(
    () => ({ type: 'checksum', blobs }),
    message => (message.type === 'checksum' ? message : undefined),
    'end',
  )
  return sum
}

/** Answers about results without a trace, each in a worker of its own. */
export const results: ResultsClient = resultsClient((kind, ask) =>
  askOnce(
    engine => ({ type: 'results', engine, kind, ask }),
    message => (message.type === 'results' ? message.answer : undefined),
    'end',
    comparingEngine,
  ),
)

/** Reads texts with results as a person chose, in a worker of its own. Rejects with an EngineError. */
export const readTexts = (files: readonly DroppedFile[], choices: TextChoices): Promise<ReadResults> =>
  askOnce(
    engine => ({ type: 'readTexts', engine, files, choices }),
    message => (message.type === 'textsRead' ? message.read : undefined),
    'end',
  )

/** A snapshot whose traces answer queries. */
export interface OpenSnapshot {
  readonly outline: SnapshotOutline
  /**
   * By index of `outline.traces`; each at most once. `failed` when the engine dies. The worker ends with the last open
   * trace.
   */
  openTrace(index: number, failed: (error: EngineError) => void): OpenedTrace
}

/**
 * Opens the snapshot of a link in one worker for all its traces. Rejects with an EngineError when nothing can be read.
 */
export const openSnapshot = async (text: string): Promise<OpenSnapshot> => {
  const engine = await comparingEngine()
  return new Promise((resolve, reject) => {
    const open = new Map<number, { readonly questions: Questions; readonly failed: (error: EngineError) => void }>()
    const fail = (error: EngineError) => {
      worker.end()
      reject(error)
      const traces = [...open.values()]
      open.clear()
      for (const { questions, failed } of traces) {
        questions.end(error)
        failed(error)
      }
    }
    const openTrace = (trace: number, failed: (error: EngineError) => void): OpenedTrace => {
      const questions = createQuestions((id, kind, ask) => worker.post({ type: 'query', id, trace, kind, ask }), {
        reading: false,
      })
      open.set(trace, { questions, failed })
      const cancel = () => {
        open.delete(trace)
        questions.end(new DOMException('The trace was closed', 'AbortError'))
        if (open.size === 0) worker.end()
      }
      return { client: questions.client, cancel }
    }
    const worker = start(message => {
      switch (message.type) {
        case 'failed':
          return fail(message.error)
        case 'snapshot':
          return resolve({ outline: message.outline, openTrace })
        case 'answer':
          return open.get(message.trace ?? 0)?.questions.answered(message.id, message.answer)
        case 'refused':
          return open.get(message.trace ?? 0)?.questions.refused(message.id, message.error)
      }
    }, fail)
    worker.post({ type: 'snapshot', engine, text })
  })
}
