/** The WASM engine in Node: groups files into traces, reads them, asks. */
import { readFileSync } from 'node:fs'

/**
 * @typedef {import('./inputs.mjs').Input} Input
 * @typedef {import('../web/engine/protocol').EngineError} EngineError
 * @typedef {import('../web/engine/generated/seekscope.js').Trace} Trace
 */

const GENERATED = new URL('../web/engine/generated/', import.meta.url)
/** Looked at from both ends of a file to see what it is. */
const PROBE_BYTES = 64 * 1024
/** Fed at a time: fits a core's second-level cache. */
const PIECE = 1 << 20

/** The module is not built. */
export class NoEngine extends Error {}

export async function loadEngine() {
  try {
    const bindings = await import(new URL('seekscope.js', GENERATED).href)
    bindings.initSync({ module: readFileSync(new URL('seekscope_bg.wasm', GENERATED)) })
    return /** @type {typeof import('../web/engine/generated/seekscope.js')} */ (bindings)
  } catch (error) {
    throw new NoEngine(`the engine is not built, run npm run build first (${error instanceof Error ? error.message : error})`)
  }
}

/** @typedef {Awaited<ReturnType<typeof loadEngine>>} Engine */

/**
 * Which files make up which traces.
 * @param {Engine} engine
 * @param {readonly Input[]} inputs
 * @returns {import('../web/engine/protocol').SortedFiles}
 */
export function group(engine, inputs) {
  const probes = inputs.map(({ name, path, size, lastModified, pattern }) => ({ name, path, size, lastModified, pattern }))
  const heads = inputs.map(input => input.read(0, PROBE_BYTES))
  const tails = inputs.map(input => input.read(Math.max(0, input.size - PROBE_BYTES), PROBE_BYTES))
  return engine.group(JSON.stringify(probes), heads, tails)
}

/** Looked at of a text that lies beside traces. */
const NOTE_BYTES = 1 << 20

/**
 * What texts beside traces say, and of which; names of files are theirs.
 * @param {Engine} engine
 * @param {readonly { label: string, parts: readonly number[] }[]} traces
 * @param {readonly number[]} notes
 * @param {readonly Input[]} inputs
 * @returns {import('../web/engine/protocol').NotesOfTraces}
 */
export function readNotes(engine, traces, notes, inputs) {
  const paths = (/** @type {readonly number[]} */ indices) => indices.flatMap(index => inputs[index]?.path ?? [])
  const ask = { traces: traces.map(({ label, parts }) => ({ label, paths: paths(parts) })), files: paths(notes) }
  const heads = notes.flatMap(index => inputs[index]?.read(0, NOTE_BYTES) ?? [])
  return engine.readNotes(JSON.stringify(ask), heads)
}

/**
 * Reads the files of one trace in step with each other. Throws an EngineError when they hold no event.
 * @param {Engine} engine
 * @param {string} name
 * @param {string} label
 * @param {readonly Input[]} inputs
 * @param {import('../web/engine/protocol').DroppedEvents} [dropped] by the tracer's log
 * @param {string} [kernel] its release, by the notes
 * @returns {Trace} whole; to be freed by the caller
 */
export function readTrace(engine, name, label, inputs, dropped, kernel) {
  const parts = inputs.map(({ name, size, pattern }) => ({ name, size, pattern }))
  const trace = new engine.Trace(JSON.stringify({ name, label, parts, dropped, kernel }))
  const at = inputs.map(() => 0)
  const buffer = new Uint8Array(PIECE)
  for (let index = trace.hungry(); index !== undefined; index = trace.hungry()) {
    const offset = at[index] ?? 0
    const bytes = inputs[index]?.read(offset, PIECE, buffer) ?? new Uint8Array()
    if (bytes.length === 0) trace.close(index)
    else trace.feed(index, bytes)
    at[index] = offset + bytes.length
  }
  try {
    trace.finish()
  } catch (error) {
    trace.free()
    throw error
  }
  return trace
}

/**
 * @param {unknown} thrown
 * @returns {EngineError | undefined} what the engine threw on purpose
 */
export function engineError(thrown) {
  if (typeof thrown !== 'object' || thrown === null || !('code' in thrown) || !('message' in thrown)) return undefined
  return /** @type {EngineError} */ (thrown)
}
