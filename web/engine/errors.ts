/** Errors as values: whatever was thrown becomes an EngineError. */
import type { EngineError } from './protocol'

/**
 * What the engine threw on purpose, not a bug. It throws plain objects, which stay what they are between threads; an
 * `Error` is of the browser or of Node, whose errors have codes, too (`ENOSPC`).
 */
export const isEngineError = (thrown: unknown): thrown is EngineError =>
  typeof thrown === 'object' &&
  thrown !== null &&
  !(thrown instanceof Error) &&
  'code' in thrown &&
  typeof thrown.code === 'string' &&
  'message' in thrown

const words = (thrown: unknown): string =>
  thrown instanceof Error && thrown.message !== '' ? thrown.message : String(thrown)

/** Whether the engine stopped where it never should: nearly always because memory ran out. It answers nothing more. */
export const isTrap = (thrown: unknown): boolean => thrown instanceof WebAssembly.RuntimeError

/** Code of `engineCrashed`. */
export const CRASHED = 'engine-crashed'

/** A trap in WASM, or the worker died. The trace answers no more queries. */
export const engineCrashed = (thrown: unknown): EngineError => ({
  code: CRASHED,
  message: `The engine stopped while working on this trace: ${words(thrown)}.`,
  remedy:
    'Other traces are not affected. Usually the browser ran out of memory: close other tabs or open fewer ' +
    'traces, then open the files again. If it happens again, please report it with the trace.',
})

/** Code of `engineUnavailable`. */
export const UNAVAILABLE = 'engine-unavailable'

/** A WASM module, the engine unless named, could not be fetched or compiled. */
export const engineUnavailable = (thrown: unknown, module = 'engine'): EngineError => ({
  code: UNAVAILABLE,
  message: `The ${module} could not be loaded: ${words(thrown)}.`,
  remedy:
    'Check the connection and retry, or reload the page. If the page is hosted, check that its .wasm files were ' +
    'uploaded. A browser without the SIMD instructions of WebAssembly cannot run it: Chrome before 91, Firefox ' +
    'before 89, Safari before 16.4.',
})

/** The browser could not read a file to its end. */
export const unreadableFile = (file: string, byte: number, size: number, thrown: unknown): EngineError => ({
  code: 'unreadable-file',
  message: `The file could not be read: ${words(thrown)}.`,
  at: { file, byte, size },
  remedy: 'Usually the file was moved or changed, or its disk was removed, after it was dropped. Open it again.',
})

/** Converts the reason of a rejected promise into an error that can be shown. */
export const asEngineError = (reason: unknown, code = 'internal'): EngineError =>
  isEngineError(reason) ? reason : { code, message: reason instanceof Error ? reason.message : String(reason) }

/** Converts what a worker caught into an error for the page. */
export const toEngineError = (thrown: unknown): EngineError => (isEngineError(thrown) ? thrown : engineCrashed(thrown))
