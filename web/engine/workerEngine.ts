/** The engine in a worker of the page, which sends the compiled parts. */
import { engineUnavailable } from './errors'
import { preparePart, startEngine } from './parts.mjs'
import type { CompiledEngine, FromWorker, LaterPart } from './protocol'

export interface WorkerEngine {
  /** Starts the engine of this worker. May be called again. */
  start(compiled: CompiledEngine): void
  /** Resolves once functions of a later part can be called without a delay. Rejects with an EngineError. */
  load(part: LaterPart): Promise<void>
}

/**
 * Fetches and compiles a part while the worker waits: for a function that was expected to be in an earlier part. Mostly
 * the page has already fetched it.
 */
function fetchPart(url: string): WebAssembly.Module {
  const request = new XMLHttpRequest()
  request.open('GET', url, false)
  request.responseType = 'arraybuffer'
  try {
    request.send()
    if (request.status !== 200) throw new Error(`${url} returned ${request.status}`)
    return new WebAssembly.Module(request.response)
  } catch (thrown) {
    throw engineUnavailable(thrown)
  }
}

/** Starts the engine of a worker that has no one to ask for later parts. */
export const startCompiled = ({ first, later, urls }: CompiledEngine): void =>
  startEngine(first, part => later[part] ?? fetchPart(urls[part]))

/** `arrived` takes a part that the page sent. */
export function createWorkerEngine(post: (message: FromWorker) => void) {
  const modules: Partial<Record<LaterPart, WebAssembly.Module>> = {}
  const receivers: Partial<Record<LaterPart, () => void>> = {}
  /** Several files may need a part at once, so the request is shared. */
  const requests: Partial<Record<LaterPart, Promise<void>>> = {}
  const request = (part: LaterPart) =>
    new Promise<void>(resolve => {
      receivers[part] = resolve
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
      receivers[part]?.()
    },
  }
}
