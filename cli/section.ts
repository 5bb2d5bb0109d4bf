/** A thread that reads one section of a trace for `sections.ts`. */
import { workerData } from 'node:worker_threads'
import { startEngine } from './engine'
import { inputOfPlaced } from './inputs'
import { feedFiles } from './read'
import { SectionState, type SectionTask } from './sections'

const { module, files, origin, places, ends, port, state }: SectionTask = workerData

async function read(): Promise<Uint8Array | undefined> {
  const inputs = files.map(inputOfPlaced)
  const { Trace } = startEngine(module)
  const trace = new Trace(JSON.stringify({ name: '', label: '', parts: files.map(({ name, size }) => ({ name, size })), origin }))
  const advanced = (_file: string, bytes: number) => void Atomics.add(state, SectionState.bytes, bytes)
  await feedFiles(trace, inputs, places.before, places.begin)
  if (!trace.beginSection(Float64Array.from(places.begin))) return undefined
  await feedFiles(trace, inputs, places.begin, ends, advanced)
  return trace.takeSection()
}

try {
  const section = await read()
  port.postMessage(section, section ? [section.buffer as ArrayBuffer] : [])
} finally {
  Atomics.store(state, SectionState.done, 1)
  Atomics.notify(state, SectionState.done)
}
