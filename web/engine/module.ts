/** The WASM modules: each is fetched and compiled once per page, when it is needed, then posted to workers. */
import { fetchOwnFile } from '../lib/ownFile'
import { engineUnavailable } from './errors'
import comparingUrl from './generated/comparing_bg.wasm?url'
import engineUrl from './generated/seekscope_bg.wasm?url'
import statisticsUrl from './generated/statistics_bg.wasm?url'
import textsUrl from './generated/texts_bg.wasm?url'
import type { LaterModule } from './protocol'

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

/** The compiled engine; rejects with an EngineError. */
export const compiledEngine = once(() => compile(engineUrl))

/** The module of comparisons; rejects with an EngineError. */
export const compiledComparing = once(() => compile(comparingUrl, 'module of comparisons'))

/** The reader of texts; rejects with an EngineError. */
const compiledTexts = once(() => compile(textsUrl, 'reader of texts'))

/** The modules that workers ask for. */
export const LATER_MODULES: Readonly<Record<LaterModule, () => Promise<WebAssembly.Module>>> = {
  comparing: compiledComparing,
  texts: compiledTexts,
}

/** Statistics; rejects with an EngineError. */
export const compiledStatistics = once(() => compile(statisticsUrl, 'module of statistics'))
