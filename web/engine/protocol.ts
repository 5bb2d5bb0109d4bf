/**
 * What crosses between the page and the engine: questions the size of pixels, and their answers.
 * The Rust engine (parser-wasm) answers the same questions in a worker, in Node and in tests.
 * Rows never cross, except the few requests that are drawn as single marks or listed on one page of a table.
 *
 * Times are ns since the trace's first event; sectors are 512 bytes. `undefined` means "not applicable", never 0.
 */

export * from './protocol/compare'
export * from './protocol/digest'
export * from './protocol/events'
export * from './protocol/filter'
export * from './protocol/labels'
export * from './protocol/lanes'
export * from './protocol/live'
export * from './protocol/messages'
export * from './protocol/notes'
export * from './protocol/pictures'
export * from './protocol/playback'
export * from './protocol/queries'
export * from './protocol/reading'
export * from './protocol/requests'
export * from './protocol/results'
export * from './protocol/resultsClient'
export * from './protocol/snapshot'
export * from './protocol/trace'
