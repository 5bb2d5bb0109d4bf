/**
 * The engine of this thread. It comes in parts with one memory (`xtask/src/parts.rs`): the first has what the first
 * picture of a trace needs; another is instantiated when a function of it is called. A build for debugging has all in
 * the first part.
 */
import { initSync, preparePart as prepare } from './generated/seekscope.js'
import { LATER_PARTS } from './laterParts.mjs'
import { setPartLoader } from './partLoader.mjs'

/**
 * Starts the engine; may be called again. `later` returns the module of a later part, or throws.
 * @param {WebAssembly.Module} first
 * @param {(part: import('./laterParts.mjs').LaterPart) => WebAssembly.Module} later
 */
export function startEngine(first, later) {
  /** @type {Record<string, any>} */
  const exports = initSync({ module: first })
  setPartLoader(number => {
    const part = LATER_PARTS[number - 1]
    /** The first part exports it, with all that the others import: 1 once the part is instantiated. */
    const loaded = exports[`loaded${number}`]
    if (part === undefined || loaded === undefined || loaded.value === 1) return
    new WebAssembly.Instance(later(part), { first: exports })
    loaded.value = 1
  })
}

/**
 * Instantiates a part before a function of it is called. Throws what `later` throws.
 * @param {import('./laterParts.mjs').LaterPart} part
 */
export const preparePart = part => prepare(LATER_PARTS.indexOf(part) + 1)
