/** A thread that reads sections of a trace for `sections.ts`. */
import { once } from 'node:events'
import { parentPort } from 'node:worker_threads'
import { inputOfPlaced } from '../find/inputs'
import { startEngine } from './engine'
import { feedFiles } from './read'
import { claimNext, type SectionMessage, type SectionTask, Turns } from './sections'

if (!parentPort) throw new Error('section.mjs runs in a thread')
const [task] = await once(parentPort, 'message')
const { module, files, cuts, port, turns, bytes, threads }: SectionTask = task
const { Trace } = startEngine(module)
const inputs = files.map(inputOfPlaced)
const description = JSON.stringify({
  name: '',
  label: '',
  parts: files.map(({ name, size }) => ({ name, size })),
  origin: cuts.origin,
})

async function read(index: number): Promise<Uint8Array | undefined> {
  const places = cuts.sections[index]
  if (!places) return undefined
  const trace = new Trace(description)
  try {
    await feedFiles(trace, inputs, places.before, places.begin)
    if (!trace.beginSection(Float64Array.from(places.begin))) return undefined
    const advanced = (_file: string, n: number) => void Atomics.add(bytes, 0, n)
    await feedFiles(trace, inputs, places.begin, cuts.sections[index + 1]?.begin, advanced)
    return trace.takeSection(cuts.sections[index + 1]?.time)
  } finally {
    trace.free()
  }
}

function post(message: SectionMessage): void {
  port.postMessage(message, message.section ? [message.section.buffer as ArrayBuffer] : [])
  Atomics.add(turns, Turns.posted, 1)
  Atomics.notify(turns, Turns.posted)
}

for (
  let index = claimNext(turns, cuts.sections.length, threads);
  index !== undefined;
  index = claimNext(turns, cuts.sections.length, threads)
) {
  try {
    const section = await read(index)
    post({ index, ...(section && { section }) })
  } catch (thrown) {
    // The engine's memory is unreliable from now on.
    post({ index })
    throw thrown
  }
}
