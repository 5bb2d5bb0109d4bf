/** Reads one section of a trace apart from the others. */
import type { Cuts } from '../../../web/engine/protocol'
import type { InputFile } from '../find/inputs'
import type { Engine } from './engine'
import { feedFiles } from './read'

/**
 * Section `index` of `cuts`, packed; `undefined` if it cannot be joined. `advanced` gets the number of bytes of each
 * piece. Throws an EngineError when a file cannot be read.
 */
export async function readSection(
  { Trace }: Pick<Engine, 'Trace'>,
  files: readonly InputFile[],
  { origin, sections }: Cuts,
  index: number,
  advanced: (bytes: number) => void = () => undefined,
): Promise<Uint8Array | undefined> {
  const places = sections[index]
  if (!places) return undefined
  const next = sections[index + 1]
  const parts = files.map(({ name, size }) => ({ name, size }))
  const trace = new Trace(JSON.stringify({ name: '', label: '', parts, origin }))
  try {
    await feedFiles(trace, files, places.before, places.begin)
    if (!trace.beginSection(Float64Array.from(places.begin))) return undefined
    await feedFiles(trace, files, places.begin, next?.begin, (_file, bytes) => advanced(bytes))
    return trace.takeSection(next?.time)
  } finally {
    trace.free()
  }
}
