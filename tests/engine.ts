/** The engine's worker as the page uses it, run in this process: real module, real recordings, no browser. */
import { readdirSync, readFileSync } from 'node:fs'
import { vi } from 'vitest'
import type { LaterPart } from '../web/engine/laterParts.mjs'
import { startEngine } from '../web/engine/parts.mjs'
import type {
  CompiledEngine,
  FromWorker,
  Query,
  QueryAnswer,
  QueryKind,
  ToWorker,
  TraceFile,
  TraceInfo,
} from '../web/engine/protocol'

const urlOf = (path: string) => new URL(path, import.meta.url)

/** A module that `npm run wasm` built. */
const moduleOf = (name: string) =>
  new WebAssembly.Module(readFileSync(urlOf(`../web/engine/generated/${name}_bg.wasm`)))

const laterModule = (part: LaterPart) => moduleOf(`seekscope_${part}`)

/** The engine as the page has it first: workers ask for later parts. */
export const compiledEngine = (): CompiledEngine => ({
  first: moduleOf('seekscope'),
  later: {},
  urls: { compare: 'compare', rest: 'rest' },
})

/** Starts the engine of this process. */
export const startTestedEngine = () => startEngine(moduleOf('seekscope'), laterModule)

/** The files of a recording in tests/fixtures. */
export const fixture = (folder: string): TraceFile[] =>
  readdirSync(urlOf(`fixtures/${folder}/`))
    .filter(name => name.includes('.blktrace.'))
    .map(name => ({ name, blob: new Blob([readFileSync(urlOf(`fixtures/${folder}/${name}`))]) }))

export interface RunningWorker {
  readonly heard: readonly FromWorker[]
  post(message: ToWorker): void
  /** The first message of a type, whether it came already or not; rejects when the worker fails instead. */
  hear<T extends FromWorker['type']>(type: T, id?: number): Promise<Extract<FromWorker, { type: T }>>
}

/** A worker's request for a part of the engine, where it needs a function earlier than expected. */
class PartRequest {
  readonly status = 200
  response: Uint8Array | undefined
  open(_method: string, part: LaterPart): void {
    this.response = readFileSync(urlOf(`../web/engine/generated/seekscope_${part}_bg.wasm`))
  }
  send(): void {}
}

/** Loads a fresh copy of the worker, which gets later parts of the engine when it asks; it answers until the next one is loaded. */
export const startWorker = async (): Promise<RunningWorker> => {
  const heard: FromWorker[] = []
  const waiting = new Set<() => void>()
  const scope = {
    onmessage: (_event: { data: ToWorker }): void => undefined,
    postMessage(message: FromWorker, options: StructuredSerializeOptions) {
      heard.push(structuredClone(message, options))
      for (const look of waiting) look()
      if (message.type === 'partWanted') {
        const { part } = message
        scope.onmessage({ data: { type: 'part', part, module: laterModule(part) } })
      }
    },
  }
  vi.resetModules()
  vi.stubGlobal('self', scope)
  vi.stubGlobal('XMLHttpRequest', PartRequest)
  await import('../web/engine/worker')
  return {
    heard,
    post: data => scope.onmessage({ data }),
    hear: <T extends FromWorker['type']>(type: T, id?: number) =>
      new Promise<Extract<FromWorker, { type: T }>>((resolve, reject) => {
        const isWanted = (m: FromWorker): m is Extract<FromWorker, { type: T }> =>
          m.type === type && (id === undefined || ('id' in m && m.id === id))
        const look = () => {
          const found = heard.find(isWanted)
          const failed = heard.find(m => m.type === 'failed' || (m.type === 'refused' && m.id === id))
          if (!found && !failed) return
          waiting.delete(look)
          if (found) resolve(found)
          else if (failed && 'error' in failed) reject(failed.error)
        }
        waiting.add(look)
        look()
      }),
  }
}

export interface OpenTrace {
  readonly info: TraceInfo
  readonly heard: readonly FromWorker[]
  ask<K extends QueryKind>(kind: K, ask: Query<K>): Promise<QueryAnswer<K>>
}

/** Opens a trace; rejects with the EngineError. */
export const openTrace = async (parts: readonly TraceFile[]): Promise<OpenTrace> => {
  const worker = await startWorker()
  worker.post({ type: 'open', engine: compiledEngine(), name: 'test', label: 'test', parts })
  const { info } = await worker.hear('ready')
  let id = 0
  return {
    info,
    heard: worker.heard,
    async ask(kind, ask) {
      id += 1
      const queryId = id
      worker.post({ type: 'query', id: queryId, kind, ask })
      const { answer } = await worker.hear('answer', queryId)
      return answer as QueryAnswer<typeof kind>
    },
  }
}
