/**
 * Results in texts: the module that reads texts is loaded only for them, and that of comparisons lays out what it
 * found.
 */
import type { Comparing } from './comparing'
import { initSync, noteOutputs, refusalOfText, plainText as shownText, TextReader } from './generated/texts.js'
import type { EngineError, ReadResults, TextChoices } from './protocol'
import { RESULT_BYTES } from './reading/probe'

/** A text that may have results. */
export interface ResultText {
  readonly path: string
  /** Index of the argument of the command that led to it: two arguments are two sides. */
  readonly argument?: number
  /** Size of the complete file, bytes. */
  readonly size: number
  /** Bytes from its beginning. */
  readonly bytes: Uint8Array
}

/** The results in some texts; there are `omitted` others. `module` is that of texts. */
export function readResults(
  module: WebAssembly.Module,
  { arrangeResults }: Pick<Comparing, 'arrangeResults'>,
  texts: readonly ResultText[],
  choices: TextChoices = {},
  omitted = 0,
): ReadResults {
  initSync({ module })
  const reader = new TextReader()
  try {
    for (const { path, argument, size, bytes } of texts) reader.add(path, bytes, size, argument)
    const document = arrangeResults(reader.read(JSON.stringify(choices), omitted))
    return { document, reading: JSON.parse(reader.reading()) }
  } finally {
    reader.free()
  }
}

/** The outputs of benchmarks in a text beside a trace, for the engine's `NoteReader`. `module` is that of texts. */
export function outputsOf(module: WebAssembly.Module, path: string, text: Uint8Array | string): string {
  initSync({ module })
  return noteOutputs(path, typeof text === 'string' ? new TextEncoder().encode(text) : text)
}

/** The lines that a person sees of a mail or a text in another charset. `module` is that of texts. */
export function plainText(module: WebAssembly.Module, bytes: Uint8Array): Uint8Array | undefined {
  initSync({ module })
  return shownText(bytes)
}

/** A text in which neither a trace nor results were found. */
export interface RefusedText extends Omit<ResultText, 'argument'> {
  /** Why it is not a trace. */
  readonly error: EngineError
}

/** Error code of a text in which no line is an event. */
const NO_EVENT = 'text-not-understood'

/** The reason why a file is of no use; other errors are about a trace that is damaged. */
export const isNeitherTraceNorText = ({ code }: EngineError): boolean => code === NO_EVENT || code === 'not-a-trace'

/**
 * Extends the error of a text: what it resembles most, and what it lacks to have results. Errors of other files are
 * returned unchanged.
 */
export function refusalOf(module: WebAssembly.Module, { path, size, bytes, error }: RefusedText): EngineError {
  if (!isNeitherTraceNorText(error)) return error
  initSync({ module })
  const refusal = refusalOfText(path, bytes, size, Math.min(size, RESULT_BYTES), error.code === NO_EVENT)
  return refusal === undefined ? error : { ...JSON.parse(refusal), code: error.code }
}
