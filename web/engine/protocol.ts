/**
 * What crosses between the page and the engine: questions the size of pixels, and their answers.
 * The Rust engine (parser-wasm) answers the same questions in a worker, in Node and in tests.
 * Rows never cross, except the few requests that are drawn as single marks or listed on one page of a table.
 *
 * `parser-wasm/xtask` makes the types of all documents, queries and answers from those in Rust. Only what TypeScript
 * makes itself is declared here: messages of workers, and figures of streams.
 *
 * Times are ns since the trace's first event; sectors are 512 bytes. `undefined` means "not applicable", never 0.
 */

export * from './generated/protocol'
export * from './protocol/live'
export * from './protocol/messages'
export * from './protocol/queries'
export * from './protocol/results'
