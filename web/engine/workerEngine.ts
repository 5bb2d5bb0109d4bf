/** The engine in a worker of the page, which sends the compiled parts. */
import { preparePart, startEngine } from './parts.mjs'
import type { CompiledEngine, EngineError, FromWorker, LaterPart } from './protocol'

export interface WorkerEngine {
  /** Starts the engine of this worker. May be called again. */
  start(compiled: CompiledEngine): void
  /** Resolves once functions of a later part can be called without a delay. Rejects with an EngineError. */
  load(part: LaterPart): Promise<void>
}

/**
 * Fetches and compiles a part while the worker waits: for a function that was expected to be in an earlier part. Mostly
 * the page has already fetched it. A failure ends the engine of this worker, as it is in the middle of a call: its error
 * is no EngineError, so that it counts as a crash.
 */
function fetchPart(url: string): WebAssembly.Module {
  const request = new XMLHttpRequest()
  request.open('GET', url, false)
  request.responseType = 'arraybuffer'
  request.send()
  if (request.status !== 200) throw new Error(`${url} returned ${request.status}`)
  return new WebAssembly.Module(request.response)
}

/** Starts the engine of a worker that has no one to ask for later parts. */
export const startCompiled = ({ first, later, urls }: CompiledEngine): void =>
  startEngine(first, part => later[part] ?? fetchPart(urls[part]))

/** `arrived` takes a part that the page sent, `failed` why it has none. */
export function createWorkerEngine(post: (message: FromWorker) => void) {
  const modules: Partial<Record<LaterPart, WebAssembly.Module>> = {}
  const receivers: Partial<Record<LaterPart, { resolve(): void; reject(error: EngineError): void }>> = {}
  /** Several files may need a part at once, so the request is shared. */
  const requests: Partial<Record<LaterPart, Promise<void>>> = {}
  const request = (part: LaterPart) =>
    new Promise<void>((resolve, reject) => {
      receivers[part] = { resolve, reject }
      post({ type: 'partWanted', part })
    })
  const engine: WorkerEngine = {
    start({ first, later, urls }) {
      Object.assign(modules, later)
      startEngine(first, part => {
        modules[part] ??= fetchPart(urls[part])
        return modules[part]
      })
    },
    async load(part) {
      if (!modules[part]) {
        requests[part] ??= request(part)
        await requests[part]
      }
      preparePart(part)
    },
  }
  return {
    engine,
    arrived(part: LaterPart, module: WebAssembly.Module) {
      modules[part] ??= module
      receivers[part]?.resolve()
    },
    /** The next call of `load` asks again. */
    failed(part: LaterPart, error: EngineError) {
      delete requests[part]
      receivers[part]?.reject(error)
    },
  }
}
