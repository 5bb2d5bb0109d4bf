#!/usr/bin/env node
/** The engine on the command line. Answers go to standard output, messages to standard error. */
import { HELP, parse, Usage } from './args.mjs'
import { arrayOf, compareText, recordings } from './compare.mjs'
import { engineError, group, loadEngine, NoEngine, readNotes, readTrace } from './engine.mjs'
import { resolve, Unreadable } from './inputs.mjs'
import { summaryText } from './text.mjs'
import { unpack } from './unpack.mjs'

const EXIT = { unreadable: 1, usage: 2 }

/** Resolves when the reader has room for more. @param {string} text */
const write = text => new Promise(resolve => process.stdout.write(text, resolve))

/** @param {string} place @param {string} code @param {string} text */
function complain(place, code, text) {
  process.stderr.write(`seekscope: ${place}: ${code}: ${text}\n`)
  process.exitCode = EXIT.unreadable
}

/** @param {string} place @param {unknown} thrown */
function complainOf(place, thrown) {
  const error = engineError(thrown)
  if (!error) throw thrown
  complain(place || (error.at?.file ?? ''), error.code, error.remedy ? `${error.message} ${error.remedy}` : error.message)
}

/** @param {readonly string[]} paths */
function inputsOf(paths) {
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
 * @param {(trace: import('./engine.mjs').Trace, index: number, notes: readonly import('../web/engine/protocol').Note[], bench: readonly import('../web/engine/protocol').BenchFigure[], of: { label: string, path: string }) => T | Promise<T>} ask `path`: of its first file
 * @returns {Promise<T[]>}
 */
async function ofEachTrace({ paths, limited, pattern }, ask) {
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
      answers.push(await ask(trace, answers.length, own, bench, { label, path: files[0]?.path ?? name }))
      trace.free()
    } catch (error) {
      const at = engineError(error)?.at?.file
      const file = files.find(file => file.name === at) ?? files[0]
      complainOf(file?.path ?? name, error)
    }
  }
  for (const input of inputs) input.close()
  return answers
}

/** @param {Extract<import('./args.mjs').Command, { command: 'summary' }>} command */
async function summary({ json, geometry, range, ...given }) {
  const traces = await ofEachTrace(given, (trace, _index, notes, bench) => {
    const span = trace.query('info', '{}').span
    const window = range && { t0: range.t0 ?? 0, t1: range.t1 ?? span + 1 }
    const figures = /** @type {import('./text.mjs').Trace} */ (trace.query('summary', JSON.stringify({ geometry, range: window })))
    return { ...figures, ...(notes.length > 0 && { notes }), ...(bench.length > 0 && { bench }) }
  })
  process.stdout.write(json ? `${JSON.stringify({ schema: 1, traces })}\n` : traces.map(trace => `${summaryText(trace)}\n`).join('\n'))
}

/** Events of one piece of text. */
const LINES = 50_000

/** @param {Extract<import('./args.mjs').Command, { command: 'blkparse' }>} command */
async function blkparse({ summaryOnly, messages, ...given }) {
  await ofEachTrace(given, async (trace, index) => {
    if (index > 0) await write('\n')
    for (let from = 0; !summaryOnly && process.stdout.writable; from += LINES) {
      const text = trace.blkparseText(from, LINES, messages)
      if (text === undefined) break
      await write(text)
    }
    await write(trace.blkparseSummary())
  })
}

/** @param {Extract<import('./args.mjs').Command, { command: 'btt' }>} command */
async function btt({ all, ...given }) {
  process.stdout.write((await ofEachTrace(given, trace => trace.btt(all))).join(''))
}

/** @param {Extract<import('./args.mjs').Command, { command: 'compare' }>} command */
async function compare({ json, geometry, labels, groups, baseline, device, ...given }) {
  const { compare } = await loadEngine()
  const traces = await ofEachTrace(given, (trace, _index, notes, bench, { label, path }) => {
    const described = geometry ?? arrayOf(notes)
    return { label, path, bench, digest: trace.query('digest', JSON.stringify({ geometry: described })) }
  })
  const found = recordings(given.paths, traces)
  if (found.length < 2) {
    complain(given.paths.join(' '), 'one-run', `There is ${found.length === 1 ? 'one run' : 'no run'}; a comparison needs two.`)
    return
  }
  if (baseline >= found.length) throw new Usage(`there is no run ${baseline + 1}: ${found.length} were read`)
  const runs = found.map((run, i) => ({ ...run, label: labels[i] ?? run.label, ...(groups[i] && { group: groups[i] }), ...(device && { device }) }))
  const document = compare(JSON.stringify({ runs, baseline }))
  process.stdout.write(json ? `${JSON.stringify(document)}\n` : compareText(document))
}

async function run() {
  const command = parse(process.argv.slice(2))
  if (command.command === 'help') process.stdout.write(`${HELP}\n`)
  else if (command.command === 'summary') await summary(command)
  else if (command.command === 'btt') await btt(command)
  else if (command.command === 'compare') await compare(command)
  else await blkparse(command)
}

// A reader that has seen enough (head, less) is no error.
process.stdout.on('error', error => {
  if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EPIPE') throw error
})

try {
  await run()
} catch (error) {
  if (!(error instanceof Usage || error instanceof NoEngine)) throw error
  process.stderr.write(`seekscope: ${error.message}\n`)
  if (error instanceof Usage) process.stderr.write(`${HELP}\n`)
  process.exitCode = error instanceof Usage ? EXIT.usage : EXIT.unreadable
}
