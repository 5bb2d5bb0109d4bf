/** Results in texts. */
import type { Engine } from './answer'
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

/** The results in some texts; there are `omitted` others. */
export function readResults(
  { arrangeResults, TextReader }: Pick<Engine, 'arrangeResults' | 'TextReader'>,
  texts: readonly ResultText[],
  choices: TextChoices = {},
  omitted = 0,
): ReadResults {
  const reader = new TextReader()
  try {
    for (const { path, argument, size, bytes } of texts) reader.add(path, bytes, size, argument)
    const document = arrangeResults(reader.read(JSON.stringify(choices), omitted))
    return { document, reading: JSON.parse(reader.reading()) }
  } finally {
    reader.free()
  }
}

/** The outputs of benchmarks in a text beside a trace, for the engine's `NoteReader`. */
export function outputsOf(
  { noteOutputs }: Pick<Engine, 'noteOutputs'>,
  path: string,
  text: Uint8Array | string,
): string {
  return noteOutputs(path, typeof text === 'string' ? new TextEncoder().encode(text) : text)
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
export function refusalOf(
  { refusalOfText }: Pick<Engine, 'refusalOfText'>,
  { path, size, bytes, error }: RefusedText,
): EngineError {
  if (!isNeitherTraceNorText(error)) return error
  const refusal = refusalOfText(path, bytes, size, Math.min(size, RESULT_BYTES), error.code === NO_EVENT)
  return refusal === undefined ? error : { ...JSON.parse(refusal), code: error.code }
}
