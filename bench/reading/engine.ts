/**
 * One timed run of the engine in Node: reads a folder with as many threads as the second argument says, queries all
 * figures, prints the size of its store. With `stages` as second argument it reads twice with one thread and prints
 * the seconds of each step as JSON; with `wall` it does what `seekscope summary` does with one thread, and prints the
 * seconds of each part since the process began; with `sections` it does the work of several threads one after another,
 * and prints the seconds of each part of it. Bundled with the command line.
 */

import { resolveInputs } from '../../cli/input/find/paths'
import { group, loadEngine } from '../../cli/input/read/engine'
import { feedFiles, readTrace } from '../../cli/input/read/read'
import { readSection } from '../../cli/input/read/readSection'
import { findCuts, prepareSections } from '../../cli/input/read/sections'
import { summary } from '../../cli/output/figures/figures'
import { standardOutput } from '../../cli/output/output'
import { type Modelled, model } from './cores'

/** Since the process began, ms: Node has started and loaded the program. */
const started = performance.now()
const [, , folder = '.', mode] = process.argv
const inputs = resolveInputs(folder, problem => process.stderr.write(`${problem.message}\n`)).filter(input =>
  input.name.includes('.blktrace.'),
)
prepareSections(inputs, Number(mode ?? 1) || 1)
const begin = performance.now()
const engine = loadEngine()
const loaded = performance.now()
const [found] = group(engine, inputs).traces
if (!found) throw new Error(`no trace in ${folder}`)
const { name, label, parts } = found
const files = parts.flatMap(index => inputs[index] ?? [])

/** ms by method of a trace. */
const spent = { feed: 0, close: 0, finish: 0, query: 0 }
/** ms by kind of query, and when the first one began. */
const queries = { summary: 0, digest: 0, first: 0 }

function clock(method: keyof typeof spent): void {
  const methods = engine.Trace.prototype as unknown as Record<string, (...parameters: unknown[]) => unknown>
  const work = methods[method]
  if (!work) throw new Error(`a trace has no ${method}`)
  methods[method] = function timed(...parameters) {
    const begin = performance.now()
    const [kind] = parameters
    if (method === 'query') queries.first ||= begin
    try {
      return work.apply(this, parameters)
    } finally {
      const took = performance.now() - begin
      spent[method] += took
      if (kind === 'summary' || kind === 'digest') queries[kind] += took
    }
  }
}

/** The parts of `seekscope summary`, whose text is not printed; they add up to `end`. */
async function wall(): Promise<Record<string, number>> {
  const begin = performance.now()
  standardOutput.write = (_, callback) => callback()
  await summary({ paths: [folder], threads: 1, limited: true }, { json: false, together: false })
  const end = performance.now()
  const inside = spent.feed + spent.close + spent.finish
  const parts = {
    start: started,
    load: loaded - started,
    files: begin - loaded + queries.first - begin - inside,
    store: spent.feed + spent.close,
    end: spent.finish,
    summary: queries.summary,
    digest: queries.digest,
    text: end - queries.first - queries.summary - queries.digest,
    all: end,
  }
  return Object.fromEntries(Object.entries(parts).map(([name, ms]) => [name, ms / 1000]))
}

async function stages(): Promise<Record<string, number>> {
  const start = performance.now()
  Object.assign(spent, { feed: 0, close: 0, finish: 0, query: 0 })
  const trace = await readTrace(engine, { name, label, files }, 1)
  const read = performance.now() - start
  trace.query('summary', {})
  trace.free()
  const seconds = (ms: number) => ms / 1000
  const { feed, close, finish, query } = spent
  const inside = seconds(feed + close)
  return {
    read: seconds(read) - inside - seconds(finish),
    store: inside,
    end: seconds(finish),
    summary: seconds(query),
  }
}

/** Reads each section as a thread would, and joins it, one after another in this thread. */
async function sections(): Promise<Modelled> {
  const timed = async <T>(work: () => T | Promise<T>): Promise<readonly [result: T, seconds: number]> => {
    const begin = performance.now()
    const result = await work()
    return [result, (performance.now() - begin) / 1000]
  }
  const start = performance.now() / 1000
  const [cuts, cut] = await timed(() => findCuts(engine, files))
  if (!cuts) throw new Error(`${folder} is read as a whole`)
  const described = files.map(({ name, size }) => ({ name, size }))
  const trace = new engine.Trace(JSON.stringify({ name, label, parts: described }))
  const begins = cuts.sections.map(({ begin }) => begin)
  const from = files.map(() => 0)
  const [, first] = await timed(() => feedFiles(trace, files, from, begins[0]))
  const rows: { read: number; join: number }[] = []
  for (const index of begins.keys()) {
    const [section, read] = await timed(() => readSection(engine, files, cuts, index))
    const [joined, join] = await timed(() => section !== undefined && trace.join(section))
    if (!joined) throw new Error(`section ${index} of ${folder} cannot be joined`)
    rows.push({ read, join })
  }
  const [, end] = await timed(() => trace.finish())
  const [, figures] = await timed(() => trace.query('summary', '{}'))
  return model({ start, cut, first, sections: rows, end, figures })
}

const METHODS = ['feed', 'close', 'finish', 'query'] as const
if (mode === 'wall') {
  METHODS.forEach(clock)
  const parts = await wall()
  process.stdout.write(JSON.stringify(parts))
} else if (mode === 'sections') {
  process.stdout.write(JSON.stringify(await sections()))
} else if (mode === 'stages') {
  METHODS.forEach(clock)
  process.stdout.write(JSON.stringify({ load: (loaded - begin) / 1000, first: await stages(), again: await stages() }))
} else {
  const trace = await readTrace(engine, { name, label, files }, Number(mode ?? 1))
  trace.query('summary', {})
  const { events, requests } = trace.engine.memory() as Record<
    'events' | 'requests',
    { readonly rows: number; readonly bytes: number }
  >
  const perRow = ({ rows, bytes }: typeof events) => (bytes / rows).toFixed(1)
  process.stdout.write(`${perRow(events)} B per event, ${perRow(requests)} B per request`)
}
