/**
 * Results in texts: the module that reads texts is loaded only for them, and the engine compares what it found.
 */
import { arrangeResults } from './generated/seekscope.js'
import { initSync, plainText as shownText, TextReader } from './generated/texts.js'
import type { ReadResults, TextChoices } from './protocol'

/** A text that may have results. */
export interface ResultText {
  readonly path: string
  /** Index of the argument of the command that led to it: two arguments are two sides. */
  readonly argument?: number
  readonly bytes: Uint8Array
}

/** The results in some texts. `module` is that of texts; needs an initialized engine. */
export function readResults(
  module: WebAssembly.Module,
  texts: readonly ResultText[],
  choices: TextChoices = {},
): ReadResults {
  initSync({ module })
  const reader = new TextReader()
  try {
    for (const { path, argument, bytes } of texts) reader.add(path, bytes, argument)
    const document = arrangeResults(reader.read(JSON.stringify(choices)))
    return { document, reading: JSON.parse(reader.reading()) }
  } finally {
    reader.free()
  }
}

/** The lines that a person sees of a mail or a text in another charset. `module` is that of texts. */
export function plainText(module: WebAssembly.Module, bytes: Uint8Array): Uint8Array | undefined {
  initSync({ module })
  return shownText(bytes)
}
