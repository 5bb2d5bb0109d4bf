/**
 * One timed run of the engine in Node: reads a folder with as many threads as the second argument says, queries all
 * figures, prints the size of its store. With `stages` as second argument it reads twice with one thread and prints
 * the seconds of each step as JSON. Bundled with the command line.
 */

import { resolveInputs } from '../../cli/input/find/paths'
import { group, loadEngine } from '../../cli/input/read/engine'
import { readTrace } from '../../cli/input/read/read'
import { prepareSections } from '../../cli/input/read/sections'

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

function clock(method: keyof typeof spent): void {
  const own = engine.Trace.prototype as unknown as Record<string, (...given: unknown[]) => unknown>
  const work = own[method]
  if (!work) throw new Error(`a trace has no ${method}`)
  own[method] = function timed(...given) {
    const at = performance.now()
    try {
      return work.apply(this, given)
    } finally {
      spent[method] += performance.now() - at
    }
  }
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

if (mode === 'stages') {
  for (const method of ['feed', 'close', 'finish', 'query'] as const) clock(method)
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
