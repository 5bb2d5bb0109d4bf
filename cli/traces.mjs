/** The traces among the paths of the command line, one after another; what cannot be read is said and left out. */
import { engineError, group, loadEngine, readNotes, readTrace } from './engine.mjs'
import { resolve, Unreadable } from './inputs.mjs'
import { unpack } from './unpack.mjs'

/** @param {string} place @param {string} code @param {string} text */
export function complain(place, code, text) {
  process.stderr.write(`seekscope: ${place}: ${code}: ${text}\n`)
  process.exitCode = 1
}

/** @param {string} place @param {unknown} thrown */
function complainOf(place, thrown) {
  const error = engineError(thrown)
  if (!error) throw thrown
  complain(place || (error.at?.file ?? ''), error.code, error.remedy ? `${error.message} ${error.remedy}` : error.message)
}

/** Those that cannot be read are said and left out. @param {readonly string[]} paths */
export function inputsOf(paths) {
  return paths.flatMap(path => {
    try {
      return resolve(path)
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error
      complain(error.path, error.code, error.message)
      return []
    }
  })
}

/**
 * What is asked of every trace among the paths, one after another; what cannot be read is said and left out.
 * @template T
 * @param {import('./args.mjs').Given} given
 * @param {(trace: import('./engine.mjs').Trace, index: number, notes: readonly import('../web/engine/protocol').TraceNote[], bench: readonly import('../web/engine/protocol').BenchFigure[], of: { label: string, kernel?: string, path: string }) => T | Promise<T>} ask `path`: of its first file
 * @param {{ keep?: boolean }} [how] `keep`: whoever asked frees the traces
 * @returns {Promise<T[]>}
 */
export async function ofEachTrace({ paths, limited, pattern }, ask, { keep = false } = {}) {
  const engine = await loadEngine()
  const asked = inputsOf(paths)
  const { files: found, problems } = unpack(engine, asked, limited)
  const inputs = pattern === undefined ? found : found.map(file => ({ ...file, pattern }))
  for (const problem of problems) complainOf('', problem)
  const { traces, rejected, notes } = group(engine, inputs)
  for (const { index, error } of rejected) complainOf(inputs[index]?.path ?? '', error)
  const beside = readNotes(engine, traces, notes, inputs)
  // What says nothing is fine in a folder, but not when it was asked for by name: alone, the engine says what it is.
  for (const [i, index] of notes.entries()) {
    const input = inputs[index]
    if (!input?.named || beside.notes[i]?.facts.length !== 0) continue
    for (const { error } of group(engine, [input]).rejected) complainOf(input.path, error)
  }
  const none = new Set(notes.flatMap(index => inputs[index] ?? []))
  for (const { path } of asked.filter(input => input.named)) {
    const inside = inputs.filter(input => input.path.startsWith(`${path}/`))
    if (inside.length > 0 && inside.every(input => none.has(input))) complain(path, 'no-trace', 'None of the files is a trace.')
  }
  const answers = []
  for (const [i, { name, parts }] of traces.entries()) {
    const files = parts.flatMap(index => inputs[index] ?? [])
    const { label, dropped, kernel, bench = [] } = beside.runs[i] ?? { label: name }
    const own = beside.notes.flatMap(({ traces: of, ...note }) => (of.includes(i) && note.kind !== 'binary' ? [note] : []))
    try {
      const trace = readTrace(engine, name, label, files, dropped, kernel)
      answers.push(await ask(trace, answers.length, own, bench, { label, path: files[0]?.path ?? name, ...(kernel && { kernel }) }))
      if (!keep) trace.free()
    } catch (error) {
      const at = engineError(error)?.at?.file
      const file = files.find(file => file.name === at) ?? files[0]
      complainOf(file?.path ?? name, error)
    }
  }
  for (const input of inputs) input.close()
  return answers
}
