/** One timed run of the engine in Node: reads a folder, queries all figures, prints bytes per event and per request of the store. */
import { group, loadEngine, readTrace } from '../../cli/engine.mjs'
import { resolve } from '../../cli/inputs.mjs'

const [, , folder = '.'] = process.argv
const engine = await loadEngine()
const inputs = resolve(folder).filter(input => input.name.includes('.blktrace.'))
const [found] = group(engine, inputs).traces
if (!found) throw new Error(`no trace in ${folder}`)
const trace = readTrace(
  engine,
  found.name,
  found.label,
  found.parts.flatMap(index => inputs[index] ?? []),
)
trace.query('summary', '{}')
const { events, requests } = trace.memory()
const each = (/** @type {{ rows: number, bytes: number }} */ { rows, bytes }) => (bytes / rows).toFixed(1)
process.stdout.write(`${each(events)} B/event, ${each(requests)} B/request`)
