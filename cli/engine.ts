/** The WASM engine in Node: groups files into traces, reads them, answers queries. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import * as bindings from '../web/engine/generated/seekscope.js'
import { COUNTER_BYTES, EXCERPT_BYTES, excerptPlaces, NOTE_BYTES, PROBE_BYTES } from '../web/engine/probe'
import type {
  BlockNote,
  DroppedEvents,
  NotesOfTraces,
  Query,
  QueryAnswer,
  QueryKind,
  SortedFiles,
  TimeWindow,
  TraceEstimate,
  ZoneNote,
} from '../web/engine/protocol'
import type { InputFile } from './inputs'
import { SetupError } from './usage'

export type Engine = typeof bindings

/** In a checkout next to its bindings; the package has it once, among the files of the page. */
function modulePath(): URL | undefined {
  const built = new URL('../web/engine/generated/seekscope_bg.wasm', import.meta.url)
  if (existsSync(built)) return built
  const assets = new URL('../dist/assets/', import.meta.url)
  const name = existsSync(assets) ? readdirSync(assets).find(file => file.endsWith('.wasm')) : undefined
  return name === undefined ? undefined : new URL(name, assets)
}

let compiled: WebAssembly.Module | undefined
let loaded = false

/** The module, for threads. Throws SetupError when it is not built. */
export function compiledEngine(): WebAssembly.Module {
  if (compiled) return compiled
  const path = modulePath()
  if (!path) throw new SetupError('the engine is not built. Run: npm run build')
  compiled = new WebAssembly.Module(readFileSync(path))
  return compiled
}

/** The engine of this thread, of a module that was compiled. */
export function startEngine(module: WebAssembly.Module): Engine {
  if (!loaded) bindings.initSync({ module })
  loaded = true
  return bindings
}

/** Throws SetupError when the module is not built. */
export const loadEngine = (): Engine => startEngine(compiledEngine())

/** Which files make up which traces. */
export function group(engine: Engine, inputs: readonly InputFile[]): SortedFiles {
  const sorter = new engine.FileSorter()
  try {
    for (const { name, path, size, lastModified, pattern, read } of inputs) {
      const probe = JSON.stringify({ name, path, size, lastModified, pattern })
      sorter.add(probe, read(0, PROBE_BYTES), read(Math.max(0, size - PROBE_BYTES), PROBE_BYTES))
    }
    return sorter.group()
  } finally {
    sorter.free()
  }
}

/** About how large the trace of these files is; `error` where it, or the part of it, does not fit. */
export function estimate(engine: Engine, files: readonly InputFile[], window?: TimeWindow, capacity?: number): TraceEstimate {
  const probes = files.map(({ name, path, size, pattern }) => ({ name, path, size, pattern }))
  const heads = files.map(input => input.read(0, PROBE_BYTES))
  const tails = files.map(input => input.read(Math.max(0, input.size - PROBE_BYTES), PROBE_BYTES))
  const places = excerptPlaces(files.map(file => file.size))
  const excerpts = places.map(([file, at]) => files[file]?.read(at, EXCERPT_BYTES) ?? new Uint8Array())
  return engine.estimate(JSON.stringify(probes), heads, tails, window && JSON.stringify(window), capacity, JSON.stringify(places), excerpts)
}

/** What the texts next to traces say, and to which traces each belongs. `notes` are indices of `inputs`. */
export function readNotes(engine: Engine, traces: SortedFiles['traces'], notes: readonly number[], inputs: readonly InputFile[]): NotesOfTraces {
  const reader = new engine.NoteReader()
  try {
    for (const index of notes) {
      const input = inputs[index]
      if (input) reader.add(input.path, input.read(0, NOTE_BYTES))
    }
    const paths = (indices: readonly number[]) => indices.flatMap(index => inputs[index]?.path ?? [])
    return reader.assign(JSON.stringify(traces.map(({ label, parts }) => ({ label, paths: paths(parts) }))))
  } finally {
    reader.free()
  }
}

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
  /** From the log of the tracer. */
  readonly dropped?: DroppedEvents
  /** Release, from a note. */
  readonly kernel?: string
  /** Of zoned disks, from notes. */
  readonly zones?: readonly ZoneNote[]
  /** Of disks whose driver's commands may be the requests, from notes. */
  readonly blocks?: readonly BlockNote[]
  /** Texts with counters next to the trace. */
  readonly counters?: readonly InputFile[]
  /** The part to read. */
  readonly window?: TimeWindow
}

/** Reads the files of one trace in step with each other; `advanced` gets the bytes of each piece. Throws an EngineError when they contain no event. */
export function readTrace(
  { Trace }: Engine,
  { name, label, files, counters = [], ...rest }: TraceOpening,
  advanced: (file: string, bytes: number) => void = () => undefined,
): OpenTrace {
  const parts = files.map(({ name, size, pattern }) => ({ name, size, pattern }))
  const trace = new Trace(JSON.stringify({ name, label, parts, ...rest }))
  const offsets = files.map(() => 0)
  const piece = trace.pieceBytes()
  const buffer = new Uint8Array(piece)
  try {
    for (let index = trace.hungry(); index !== undefined; index = trace.hungry()) {
      const offset = offsets[index] ?? 0
      const file = files[index]
      const bytes = file?.read(offset, piece, buffer) ?? new Uint8Array()
      advanced(file?.path ?? name, bytes.length)
      if (bytes.length === 0) trace.close(index)
      else trace.feed(index, bytes)
      offsets[index] = offset + bytes.length
    }
    for (const file of counters) trace.addCounters(file.path, file.read(0, COUNTER_BYTES))
    trace.finish()
  } catch (error) {
    trace.free()
    throw error
  }
  return { engine: trace, query: (kind, ask) => trace.query(kind, JSON.stringify(ask)), free: () => trace.free() }
}

/** One answer of a trace that is read for it alone; otherwise as `readTrace`. */
export function answerOfTrace<K extends QueryKind>(
  engine: Engine,
  opening: TraceOpening,
  kind: K,
  ask: Query<K>,
  advanced: (file: string, bytes: number) => void,
): QueryAnswer<K> {
  const trace = readTrace(engine, opening, advanced)
  try {
    return trace.query(kind, ask)
  } finally {
    trace.free()
  }
}
