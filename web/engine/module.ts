/** The WASM modules: each is fetched and compiled once per page, when it is needed, then posted to workers. */
import { fetchOwnFile, isOneFile } from '../lib/ownFile'
import { engineUnavailable } from './errors'
import firstUrl from './generated/seekscope_bg.wasm?url'
import compareUrl from './generated/seekscope_compare_bg.wasm?url&no-inline'
import restUrl from './generated/seekscope_rest_bg.wasm?url&no-inline'
import statisticsUrl from './generated/statistics_bg.wasm?url'
import type { CompiledEngine, LaterPart } from './protocol'

const compile = async (url: string, name?: string): Promise<WebAssembly.Module> => {
  try {
    const response = await fetchOwnFile(url)
    if (!response.ok) throw new Error(`${response.url} returned ${response.status}`)
    // compileStreaming accepts only application/wasm, which some hosts do not send.
    const streams = response.headers.get('content-type')?.startsWith('application/wasm') ?? false
    return await (streams ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer()))
  } catch (thrown) {
    throw engineUnavailable(thrown, name)
  }
}

/** Caches the result of `make`; a failure is not cached, so that the next call tries again. */
const once = <T>(make: () => Promise<T>): (() => Promise<T>) => {
  let result: Promise<T> | undefined
  return () => {
    result ??= make().catch(error => {
      result = undefined
      throw error
    })
    return result
  }
}

const compiledFirst = once(() => compile(firstUrl))

const urls = (): CompiledEngine['urls'] => ({
  compare: new URL(compareUrl, document.baseURI).href,
  rest: new URL(restUrl, document.baseURI).href,
})

/** Later parts that are compiled. */
const later: Partial<Record<LaterPart, WebAssembly.Module>> = {}

const compileLater = (part: LaterPart, url: string) =>
  once(async () => {
    const module = await compile(url)
    later[part] = module
    return module
  })

/** Compiles a later part of the engine; rejects with an EngineError. */
export const compiledPart: Readonly<Record<LaterPart, () => Promise<WebAssembly.Module>>> = {
  compare: compileLater('compare', compareUrl),
  rest: compileLater('rest', restUrl),
}

/** Resolves once a later part is there; nothing if it is. Rejects with an EngineError. */
export const missingPart = (part: LaterPart): Promise<unknown> | undefined =>
  later[part] ? undefined : compiledPart[part]()

/**
 * The engine for the first picture of a trace, with the later parts that are there; rejects with an EngineError. In the
 * single file, workers cannot fetch a part themselves, so that all are there.
 */
export async function compiledEngine(): Promise<CompiledEngine> {
  const first = await compiledFirst()
  if (isOneFile()) await Promise.all([compiledPart.compare(), compiledPart.rest()])
  return { first, later: { ...later }, urls: urls() }
}

/** The engine with the part for comparisons; rejects with an EngineError. */
export async function comparingEngine(): Promise<CompiledEngine> {
  await Promise.all([compiledFirst(), compiledPart.compare()])
  return compiledEngine()
}

/** Compiles all parts of the engine, the most urgent first; rejects with an EngineError. */
export const compileAll = once(async () => {
  await compiledEngine()
  await compiledPart.compare()
  await compiledPart.rest()
})

/** Statistics; rejects with an EngineError. */
export const compiledStatistics = once(() => compile(statisticsUrl, 'module of statistics'))
