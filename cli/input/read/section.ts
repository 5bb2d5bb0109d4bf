/** A thread that reads sections of a trace for `sections.ts`. */
import { once } from 'node:events'
import { parentPort } from 'node:worker_threads'
import { inputOfPlaced } from '../find/inputs'
import { startEngine } from './engine'
import { readSection } from './readSection'
import { claimNext, type SectionMessage, type SectionTask, Turns } from './sections'

if (!parentPort) throw new Error('section.mjs runs in a thread')
const [task] = await once(parentPort, 'message')
const { module, files, cuts, port, turns, bytes, threads }: SectionTask = task
const engine = startEngine(module)
const inputs = files.map(inputOfPlaced)

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
    const section = await readSection(engine, inputs, cuts, index, n => void Atomics.add(bytes, 0, n))
    post({ index, ...(section && { section }) })
  } catch (thrown) {
    // The engine's memory is unreliable from now on.
    post({ index })
    throw thrown
  }
}
