/** Results of benchmarks without a trace: what people write in mails, tables, and outputs of programs. */

import { ascii, wrap } from '../../../web/charts/shared/answers/table'
import type { EngineError, PrintedResults, ResultsReading } from '../../../web/engine/protocol'
import { NOTE_BYTES, RESULT_BYTES, selectTexts } from '../../../web/engine/reading/probe'
import { isNeitherTraceNorText, readResults, refusalOf } from '../../../web/engine/texts'
import { shellQuoted } from '../../../web/lib/text/shell'
import type { InputFile } from '../../input/find/inputs'
import { loadEngine } from '../../input/read/engine'
import { UsageError } from '../../program/usage'

export interface FoundResults {
  readonly document: PrintedResults
  /** The matrices and how they were read, as text: ASCII, 72 columns. */
  readonly text: string
  /** Paths of the files with results. */
  readonly files: ReadonlySet<string>
}

/** The reading, the first other one that is possible: `Or by the file names: --sides file.`, and what is wrong. */
function readingText({ sentence, tables, warnings, unread }: ResultsReading): string {
  const [table] = tables
  // `--sides` has no value for paths: they are sides by default.
  const alternative = table?.possible.find(({ sides }) => sides !== table.by && sides !== 'argument')
  const words = alternative
    ? `${sentence} Or by ${alternative.words}: --sides ${shellQuoted(alternative.sides)}.`
    : sentence
  const problems = warnings.map(({ code, file, line, message }) => `${file}, line ${line}: ${code}: ${message}`)
  const lines = [words, ...(unread === undefined ? [] : [unread]), ...problems]
  return lines.map(line => `${wrap(ascii(line))}\n\n`).join('')
}

/** Why a choice of sides cannot be applied: what can be chosen. */
function refusal(sides: string, { tables }: ResultsReading): UsageError {
  const possible = [...new Set(tables.flatMap(table => table.possible.map(choice => choice.sides)))]
  const choices = possible.filter(name => name !== 'argument')
  return new UsageError(
    `--sides: nothing is told apart by ${sides} here${choices.length > 0 ? `: give ${choices.map(shellQuoted).join(', ')}` : ', nor by anything else'}`,
  )
}

/**
 * The results in some texts; absent if there are none. `sides` is what `--sides` asks for. Throws UsageError where it
 * cannot be applied.
 */
export function resultsIn(inputs: readonly InputFile[], sides?: string): FoundResults | undefined {
  const all = inputs.filter(input => input.pattern === undefined)
  const texts = selectTexts(all, input => input.size)
  if (texts.length === 0) return undefined
  const engine = loadEngine()
  const { document, reading } = readResults(
    engine,
    texts.map(({ path, argument, size, read }) => ({
      path,
      size,
      bytes: read(0, RESULT_BYTES),
      ...(argument !== undefined && { argument }),
    })),
    sides === undefined ? {} : { sides },
    all.length - texts.length,
  )
  if (document.tables.length === 0) return undefined
  if (sides !== undefined && reading.refused) throw refusal(sides, reading)
  const { sentence, tables, warnings, unread } = reading
  return {
    document: { ...document, reading: { sentence, tables, warnings, ...(unread !== undefined && { unread }) } },
    text: `${readingText(reading)}${engine.resultsText(JSON.stringify({ tables: document.tables }))}`,
    files: new Set(document.tables.flatMap(table => table.files)),
  }
}

/** Why a file without results is refused: what it resembles most. */
export function refusalOfInput({ path, size, read }: InputFile, error: EngineError): EngineError {
  if (!isNeitherTraceNorText(error)) return error
  return refusalOf(loadEngine(), { path, size, bytes: read(0, NOTE_BYTES), error })
}

/** A per-CPU file of blktrace: one that is no trace is damaged. */
const PART = /\.blktrace\.\d+$/

/** Pictures, descriptions and other files in a folder with something that can be read. */
export const isBystander = ({ named, name }: InputFile, error: EngineError): boolean =>
  !named && isNeitherTraceNorText(error) && !PART.test(name)
