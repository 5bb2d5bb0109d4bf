/** The inputs sorted into traces, texts and the rest. What is of no use is reported. */

import type { EngineError, NotesOfTraces, SortedFiles } from '../../../web/engine/protocol'
import { CONTAINER_BYTES } from '../../../web/engine/reading/probe'
import { counted } from '../../../web/lib/format'
import { type FoundResults, isBystander, refusalOfInput, resultsIn } from '../../output/figures/results'
import { complain, complainOf, say } from '../../output/progress'
import { UsageError } from '../../program/usage'
import type { TraceInputs } from '../../program/values'
import { type Engine, group, readNotes } from '../read/engine'
import type { InputFile } from './inputs'
import { fileIdOf } from './paths'
import { type UnpackedFiles, unpack } from './unpack'

/**
 * Called with results of benchmarks that no trace explains: all texts without any trace, else those that are traces
 * themselves (a mail).
 */
export type ResultsUse = (found: FoundResults) => void

export interface SortedInputs extends SortedFiles {
  /** All inputs, including files from archives; numbers elsewhere are indices of these. */
  readonly inputs: readonly InputFile[]
  /** Contents of the notes, with their traces. */
  readonly noted: NotesOfTraces
}

/** Text traces of at most this size may be mails with tables. */
const MAIL_BYTES = 8 << 20

/** Writing to an input destroys it. Texts in a folder may be what an earlier command wrote there. */
function checkOutput(output: string | undefined, inputs: readonly InputFile[]): void {
  const id = output === undefined ? undefined : fileIdOf(output)
  const sameFile = id && inputs.find(input => input.id === id)
  if (sameFile) throw new UsageError(`${output} is an input (${sameFile.path}): write to another file`)
}

export function sortInputs(
  engine: Engine,
  opened: readonly InputFile[],
  request: TraceInputs,
  reportResults: ResultsUse | undefined,
): SortedInputs {
  const { files: inputs, problems, inside } = unpack(engine, opened, request.limited)
  for (const problem of problems) complainOf('', problem)
  const sorted = group(engine, inputs)
  const { traces, rejected, notes } = sorted
  checkOutput(request.output, [
    ...opened.filter(input => input.named),
    ...traces.flatMap(({ parts }) => parts.flatMap(index => inputs[index] ?? [])),
  ])
  const results = reportResults && resultsAmong(engine, inputs, sorted, request.sides)
  if (request.sides !== undefined && !results)
    throw new UsageError('--sides: none of the inputs has results without a trace')
  if (results) reportResults?.(results)
  complainOfRejected(
    rejected.flatMap(({ index, error }) => (inputs[index] ? [{ input: inputs[index], error }] : [])),
    { found: results, isForResults: reportResults !== undefined && traces.length === 0 },
  )
  const noted = readNotes(engine, traces, notes, inputs)
  const found = { ...sorted, inputs, noted }
  complainOfUselessTexts(engine, found, results)
  complainOfUselessArchives(inside, found, results)
  return found
}

/** Results of benchmarks in texts without any trace, or in a mail that is a trace itself. */
function resultsAmong(
  engine: Engine,
  inputs: readonly InputFile[],
  { traces, rejected, notes }: SortedFiles,
  sides: string | undefined,
): FoundResults | undefined {
  const mails = traces
    .flatMap(({ parts }) => (parts.length === 1 ? parts : []))
    .filter(index => {
      const input = inputs[index]
      return input && input.size <= MAIL_BYTES && engine.mayBeText(input.read(0, CONTAINER_BYTES))
    })
  const candidates = traces.length === 0 ? [...rejected.map(({ index }) => index), ...notes] : mails
  // A text with several recordings is read once, as it is.
  const texts = new Set(candidates.flatMap(index => inputs[index]?.text ?? inputs[index] ?? []))
  return resultsIn([...texts], sides)
}

/** Reports files that are neither traces nor results. Beside results, those of a folder are only counted. */
function complainOfRejected(
  rejected: readonly { readonly input: InputFile; readonly error: EngineError }[],
  { found, isForResults }: { readonly found: FoundResults | undefined; readonly isForResults: boolean },
): void {
  const skipped: string[] = []
  for (const { input, error } of rejected) {
    if (found?.files.has(input.path)) continue
    if (found && isBystander(input, error)) skipped.push(input.path)
    else complainOf(input.path, isForResults ? refusalOfInput(input, error) : error)
  }
  const [first] = skipped
  if (first)
    say(
      `skipped ${counted(skipped.length, 'file')} with neither a trace nor results: ${first}${skipped.length > 1 ? ', ...' : ''}`,
    )
}

/**
 * In a directory a text without facts is fine. A file that was named must be of use: classified alone, the engine
 * reports what it is.
 */
function complainOfUselessTexts(
  engine: Engine,
  { inputs, notes, noted }: SortedInputs,
  results: FoundResults | undefined,
): void {
  for (const [i, index] of notes.entries()) {
    const input = inputs[index]
    if (!input?.named || results?.files.has(input.path) || noted.notes[i]?.facts.length !== 0) continue
    for (const { error } of group(engine, [input]).rejected) complainOf(input.path, error)
  }
}

function complainOfUselessArchives(
  archives: readonly UnpackedFiles[],
  { inputs, notes }: SortedInputs,
  results: FoundResults | undefined,
): void {
  const texts = new Set(notes.flatMap(index => inputs[index] ?? []))
  for (const { path, named, from, to } of archives) {
    // A compressed file is not a folder: its content decides.
    const members = inputs.slice(from, to).filter(input => input.path.startsWith(`${path}/`))
    if (named && members.length > 0 && members.every(input => texts.has(input) && !results?.files.has(input.path)))
      complain(path, 'no-trace', 'None of the files is a trace.')
  }
}
