/** One timed run of the engine in Node: reads a folder, queries all figures, prints the size of its store. Bundled with the command line. */
import { group, loadEngine, readTrace } from '../../cli/engine'
import { resolveInputs } from '../../cli/inputs'

const [, , folder = '.'] = process.argv
const engine = loadEngine()
const inputs = resolveInputs(folder).filter(input => input.name.includes('.blktrace.'))
const [found] = group(engine, inputs).traces
if (!found) throw new Error(`no trace in ${folder}`)
const { name, label, parts } = found
const trace = readTrace(engine, { name, label, files: parts.flatMap(index => inputs[index] ?? []) })
trace.query('summary', {})
const { events, requests } = trace.engine.memory() as Record<'events' | 'requests', { readonly rows: number; readonly bytes: number }>
const perRow = ({ rows, bytes }: typeof events) => (bytes / rows).toFixed(1)
process.stdout.write(`${perRow(events)} B per event, ${perRow(requests)} B per request`)
