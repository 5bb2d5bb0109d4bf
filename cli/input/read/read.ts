/** Reads one trace with the WASM engine in Node. */
import { isTrap } from '../../../web/engine/errors'
import type {
  BlockNote,
  DroppedEvents,
  Query,
  QueryAnswer,
  QueryKind,
  TimeWindow,
  ZoneNote,
} from '../../../web/engine/protocol'
import { BESIDE_BYTES, mayBeText } from '../../../web/engine/reading/probe'
import { yieldInTime } from '../../output/yield'
import type { InputFile } from '../find/inputs'
import type { Engine } from './engine'
import { startSections } from './sections'

/** A trace with typed queries; `free` releases its memory. */
export interface OpenTrace {
  query<K extends QueryKind>(kind: K, query: Query<K>): QueryAnswer<K>
  readonly engine: InstanceType<Engine['Trace']>
  free(): void
}

export interface TraceOpening {
  readonly name: string
  readonly label: string
  readonly files: readonly InputFile[]
  /** Dropped events, from the log of the tracer. */
  readonly dropped?: DroppedEvents
  /** Kernel release, from a note. */
  readonly kernel?: string
  /** Zones of disks, from notes. */
  readonly zones?: readonly ZoneNote[]
  /** Logical blocks of disks, from notes. */
  readonly blocks?: readonly BlockNote[]
  /** Files next to the trace that its engine reads. */
  readonly beside?: readonly InputFile[]
  /** The part to read; absent: the complete trace. */
  readonly window?: TimeWindow
}

/** Gets the bytes of each piece of a file. */
type Advanced = (file: string, bytes: number) => void

/** Feeds files in step with each other, from these bytes on: up to `ends`, where they are paused, or to their ends. */
export async function feedFiles(
  trace: InstanceType<Engine['Trace']>,
  files: readonly InputFile[],
  from: readonly number[],
  ends?: readonly number[],
  advanced: Advanced = () => undefined,
): Promise<void> {
  const offsets = [...from]
  const piece = trace.pieceBytes()
  const largest = files.reduce((max, file) => Math.max(max, file.size), 0)
  const buffer = new Uint8Array(Math.min(piece, largest))
  for (let index = trace.hungry(); index !== undefined; index = trace.hungry()) {
    const offset = offsets[index] ?? 0
    const file = files[index]
    const bytes =
      file?.read(offset, Math.min(buffer.length, (ends?.[index] ?? Number.POSITIVE_INFINITY) - offset), buffer) ??
      new Uint8Array()
    advanced(file?.path ?? '', bytes.length)
    if (bytes.length > 0) trace.feed(index, bytes)
    else if (ends) trace.pause(index, file?.read(offset, trace.followingBytes(), buffer) ?? bytes)
    else trace.close(index)
    offsets[index] = offset + bytes.length
    await yieldInTime()
  }
}

/** Reads a file next to the trace, or one of the trace itself that has more than its events. */
async function addBeside(
  trace: InstanceType<Engine['Trace']>,
  file: InputFile,
  how: 'addBeside' | 'addTraceText',
): Promise<void> {
  if (!trace[how](file.path, file.read(0, BESIDE_BYTES))) return
  for (let from = BESIDE_BYTES; from < file.size; from += BESIDE_BYTES) {
    trace.feedBeside(file.read(from, BESIDE_BYTES))
    await yieldInTime()
  }
  trace.closeBeside()
}

/** After a trap the engine still borrows the trace: freeing it would throw, and hide the error. */
function openTrace(trace: InstanceType<Engine['Trace']>): OpenTrace {
  let trapped = false
  return {
    engine: trace,
    query(kind, ask) {
      try {
        return trace.query(kind, JSON.stringify(ask)) as QueryAnswer<typeof kind>
      } catch (error) {
        trapped = isTrap(error)
        throw error
      }
    },
    free: () => (trapped ? undefined : trace.free()),
  }
}

/**
 * Reads the files of one trace, with so many threads at most; `advanced` gets the bytes of each piece. Throws an
 * EngineError when they contain no event.
 */
export async function readTrace(
  engine: Engine,
  opening: TraceOpening,
  threads: number,
  advanced: Advanced = () => undefined,
): Promise<OpenTrace> {
  const { name, label, files, beside = [], ...rest } = opening
  const parts = files.map(({ name, size, pattern }) => ({ name, size, pattern }))
  const sections = startSections(engine, files, opening.window, threads)
  const trace = new engine.Trace(JSON.stringify({ name, label, parts, ...rest }))
  const both: Advanced = (file, bytes) => advanced(file, bytes + (sections?.advanced() ?? 0))
  const begins = sections?.begins ?? []
  try {
    const starts = files.map(() => 0)
    await feedFiles(trace, files, starts, begins[0], both)
    for (const [i, begin] of begins.entries()) {
      const section = await sections?.take(i)
      if (section && trace.join(section)) continue
      trace.resume()
      await feedFiles(trace, files, begin, begins[i + 1], both)
    }
    for (const file of files.filter(mayBeText)) await addBeside(trace, file, 'addTraceText')
    for (const file of beside) await addBeside(trace, file, 'addBeside')
    trace.finish()
  } catch (error) {
    if (!isTrap(error)) trace.free()
    throw error
  } finally {
    sections?.end()
  }
  return openTrace(trace)
}

/** Reads a trace for a single query; otherwise like `readTrace`. */
export async function answerOfTrace<K extends QueryKind>(
  engine: Engine,
  opening: TraceOpening,
  kind: K,
  ask: Query<K>,
  threads: number,
  advanced: Advanced,
): Promise<QueryAnswer<K>> {
  const trace = await readTrace(engine, opening, threads, advanced)
  try {
    return trace.query(kind, ask)
  } finally {
    trace.free()
  }
}
