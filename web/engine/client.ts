/** The page's side of the engine: open a trace in a worker of its own, and find out which files belong together. */
import { engineCrashed, toEngineError } from './errors'
import { compiledEngine } from './module'
import type {
  DroppedEvents,
  DroppedFile,
  EngineError,
  FromWorker,
  Grouping,
  GuessedLabels,
  LabelSource,
  OpenedSnapshot,
  ReadProgress,
  ToWorker,
  TraceClient,
  TraceFile,
  TraceInfo,
  TraceSnapshot,
  UnpackProgress,
} from './protocol'
import { createQuestions } from './questions'
import EngineWorker from './worker?worker&inline'

/** Told while a trace is opened. `ready` or `failed` ends it; `failed` may also follow `ready` when the engine dies. */
export interface OpenEvents {
  progress(progress: ReadProgress): void
  /** About every 100 ms: everything may be asked of what is read so far. */
  partial(info: TraceInfo): void
  ready(info: TraceInfo): void
  failed(error: EngineError): void
}

export interface OpenedTrace {
  /** Answers from the first moment on, of what is read so far. */
  readonly client: TraceClient
  /** Ends reading and answering at once, and frees the memory; what was asked is rejected with an AbortError. */
  cancel(): void
}

/** Hands out workers; the next one is started ahead, so that nobody waits for it. */
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
  }
}

const workers = createWorkers()

const start = (receive: (message: FromWorker) => void, crashed: (error: EngineError) => void) => {
  const worker = workers.take()
  worker.onmessage = ({ data }: MessageEvent<FromWorker>) => receive(data)
  worker.onerror = event => {
    event.preventDefault()
    crashed(engineCrashed(event.message || 'its worker could not run'))
  }
  worker.onmessageerror = () => crashed(engineCrashed('a message could not be read'))
  return { post: (message: ToWorker) => worker.postMessage(message), end: () => worker.terminate() }
}

/** Fetches and compiles the engine and starts a worker, so that the first trace does not wait for them. A failure is told when a trace is opened. */
export const warmUp = (): void => {
  workers.prepare()
  compiledEngine().catch(() => undefined)
}

/** One worker for one trace. `first` makes its first message, once the engine is compiled. */
const openWith = (first: (module: WebAssembly.Module) => ToWorker, on: OpenEvents): OpenedTrace => {
  let closed = false
  const close = (reason: unknown) => {
    closed = true
    worker.end()
    questions.end(reason)
  }
  const fail = (error: EngineError) => {
    if (closed) return
    close(error)
    on.failed(error)
  }
  const worker = start(message => {
    // What was under way when it was closed may still arrive.
    if (closed) return
    switch (message.type) {
      case 'progress':
        return on.progress(message.progress)
      case 'partial':
        return on.partial(message.info)
      case 'ready':
        return on.ready(message.info)
      case 'failed':
        return fail(message.error)
      case 'answer':
        return questions.answered(message.id, message.answer)
      case 'refused':
        return questions.refused(message.id, message.error)
    }
  }, fail)
  const opened = compiledEngine().then(module => worker.post(first(module)))
  opened.catch(thrown => fail(toEngineError(thrown)))
  const questions = createQuestions((id, kind, ask) => {
    opened.then(
      () => worker.post({ type: 'query', id, kind, ask }),
      () => undefined,
    )
  })
  return {
    client: questions.client,
    cancel: () => close(new DOMException('The trace was closed', 'AbortError')),
  }
}

/** Reads `parts` as one trace; `dropped` by the tracer's log, `kernel` by any note. */
export const openTrace = (
  name: string,
  label: string,
  parts: readonly TraceFile[],
  on: OpenEvents,
  dropped?: DroppedEvents,
  kernel?: string,
): OpenedTrace => openWith(module => ({ type: 'open', module, name, label, parts, ...(dropped && { dropped }), ...(kernel && { kernel }) }), on)

/** A trace of a snapshot: `ready` at once. */
export const openTraceSnapshot = (snapshot: TraceSnapshot, on: OpenEvents): OpenedTrace =>
  openWith(module => ({ type: 'trace-snapshot', module, snapshot }), on)

/**
 * Unpacks archives and compressed files, then finds the traces by name and content; reads 64 KiB at both ends of each file.
 * Rejects with an EngineError, or with the signal's reason. `unpacking` hears about every 100 ms.
 */
export const groupParts = async (
  files: readonly DroppedFile[],
  unpacking: (progress: UnpackProgress) => void,
  signal: AbortSignal,
): Promise<Grouping> => {
  const module = await compiledEngine()
  signal.throwIfAborted()
  return new Promise<Grouping>((resolve, reject) => {
    const fail = (reason: unknown) => {
      worker.end()
      reject(reason)
    }
    signal.addEventListener('abort', () => fail(signal.reason))
    const worker = start(message => {
      if (message.type === 'failed') fail(message.error)
      if (message.type === 'unpacking') unpacking(message.progress)
      if (message.type === 'grouped') {
        worker.end()
        resolve(message.grouping)
      }
    }, fail)
    worker.post({ type: 'group', module, files })
  })
}

/** Asks a worker of its own one thing. `take` finds the answer in what it posts. Rejects with an EngineError. */
const askOnce = async <T>(question: (module: WebAssembly.Module) => ToWorker, take: (message: FromWorker) => T | undefined): Promise<T> => {
  const module = await compiledEngine()
  return new Promise<T>((resolve, reject) => {
    const fail = (reason: unknown) => {
      worker.end()
      reject(reason)
    }
    const worker = start(message => {
      if (message.type === 'failed') fail(message.error)
      const answer = take(message)
      if (answer !== undefined) {
        worker.end()
        resolve(answer)
      }
    }, fail)
    worker.post(question(module))
  })
}

/** Takes the labels of all runs apart. Rejects with an EngineError. */
export const guessLabels = (runs: readonly LabelSource[]): Promise<GuessedLabels> =>
  askOnce(
    module => ({ type: 'labels', module, runs }),
    message => (message.type === 'labels' ? message.labels : undefined),
  )

/** Reads the snapshot in a link, as far as it is intact. Rejects with an EngineError when nothing is readable. */
export const openSnapshot = (text: string): Promise<OpenedSnapshot> =>
  askOnce(
    module => ({ type: 'snapshot', module, text }),
    message => (message.type === 'snapshot' ? message.opened : undefined),
  )
