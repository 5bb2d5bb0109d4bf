/** Results of benchmarks without a trace: what people write in mails, tables, and outputs of programs. */
import { RESULT_BYTES, someTexts } from '../web/engine/probe'
import type { ResultsDocument } from '../web/engine/protocol'
import { readResults } from '../web/engine/texts'
import { compiledTexts, type Engine } from './engine'
import type { InputFile } from './inputs'

export interface FoundResults {
  readonly document: ResultsDocument
  /** ASCII, 72 columns. */
  readonly text: string
  /** Paths of the files with results. */
  readonly files: ReadonlySet<string>
}

/** The results in some texts; absent if there are none. */
export function resultsIn(engine: Engine, inputs: readonly InputFile[]): FoundResults | undefined {
  const texts = someTexts(
    inputs.filter(input => input.pattern === undefined),
    input => input.size,
  )
  if (texts.length === 0) return undefined
  const document = readResults(
    compiledTexts(),
    texts.map(({ path, argument, read }) => ({
      path,
      bytes: read(0, RESULT_BYTES),
      ...(argument !== undefined && { argument }),
    })),
  )
  if (document.tables.length === 0) return undefined
  return {
    document,
    text: engine.resultsText(JSON.stringify({ tables: document.tables })),
    files: new Set(document.tables.flatMap(table => table.files)),
  }
}
