/** The WASM modules: each is fetched and compiled once per page, when it is needed, then posted to workers. */
import { fetchOwnFile } from '../lib/ownFile'
import { engineUnavailable } from './errors'
import engineUrl from './generated/seekscope_bg.wasm?url'
import statisticsUrl from './generated/statistics_bg.wasm?url'
import textsUrl from './generated/texts_bg.wasm?url'

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

/** The reader of texts; rejects with an EngineError. */
export const compiledTexts = once(() => compile(textsUrl, 'reader of texts'))

/** Statistics; rejects with an EngineError. */
export const compiledStatistics = once(() => compile(statisticsUrl, 'module of statistics'))
