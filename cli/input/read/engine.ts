/** The WASM engine in Node: groups files into traces, reads them, answers queries. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import type { Engine } from '../../../web/engine/answer'
import { isEngineError } from '../../../web/engine/errors'
import * as bindings from '../../../web/engine/generated/seekscope.js'
import type { LaterPart } from '../../../web/engine/laterParts.mjs'
import { startEngine as startParts } from '../../../web/engine/parts.mjs'
import type { EngineError, NotesOfTraces, SortedFiles, TimeWindow, TraceEstimate } from '../../../web/engine/protocol'
import { EXCERPT_BYTES, excerptPlaces, NOTE_BYTES, PROBE_BYTES } from '../../../web/engine/reading/probe'
import { type Statistics, startStatistics } from '../../../web/engine/statistics'
import { outputsOf } from '../../../web/engine/texts'
import { packageFile } from '../../places'
import { SetupError } from '../../program/usage'
import type { InputFile } from '../find/inputs'

export type { Engine }

/** The first part of the engine, the others, and statistics. */
type ModuleName = 'seekscope' | `seekscope_${LaterPart}` | 'statistics'

/** Path of a WASM module: next to its bindings in a checkout; the package has only the page's copy. */
function modulePath(name: ModuleName): URL | undefined {
  const built = packageFile(`web/engine/generated/${name}_bg.wasm`)
  if (existsSync(built)) return built
  const assets = packageFile('dist/assets/')
  const isModule = (file: string) => file.startsWith(`${name}_bg`) && file.endsWith('.wasm')
  const file = existsSync(assets) ? readdirSync(assets).find(isModule) : undefined
  return file === undefined ? undefined : new URL(file, assets)
}

let compiled: WebAssembly.Module | undefined
let statisticsModule: WebAssembly.Module | undefined
let loaded = false

/**
 * Throws SetupError where the process may not have the address space of a module: more than its memory, which grows
 * to 4 GiB.
 */
function withAddressSpace<T>(step: () => T): T {
  try {
    return step()
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new SetupError(
      `the engine cannot be started: ${error.message}. It reserves 10 GiB of addresses, not of memory: raise the limit (ulimit -v unlimited)`,
    )
  }
}

/**
 * V8 before 12 optimises a function once it has executed 1.8 MB of code, later versions after 13 MB. Most commands
 * take a fraction of a second: the optimised code comes too late, and the process cannot end before it is ready.
 */
function optimiseLater(): void {
  const [major = ''] = process.versions.v8.split('.')
  if (Number(major) < 12) setFlagsFromString('--wasm-tiering-budget=13000000')
}

/** Throws SetupError when the module is not built. */
function compiledModule(name: ModuleName): WebAssembly.Module {
  const path = modulePath(name)
  if (!path) throw new SetupError('the engine is not built. Run: npm run build')
  const bytes = readFileSync(path)
  optimiseLater()
  return withAddressSpace(() => new WebAssembly.Module(bytes))
}

/** The first part of the engine, for threads. Throws SetupError when it is not built. */
export function compiledEngine(): WebAssembly.Module {
  compiled ??= compiledModule('seekscope')
  return compiled
}

/** Statistics, which need no engine. Throws SetupError when the module is not built. */
export function readyStatistics(): Statistics {
  statisticsModule ??= compiledModule('statistics')
  const module = statisticsModule
  return withAddressSpace(() => startStatistics(module))
}

/** The engine of this thread. `module` is its first part. */
export function startEngine(module: WebAssembly.Module): Engine {
  if (!loaded) withAddressSpace(() => startParts(module, part => compiledModule(`seekscope_${part}`)))
  loaded = true
  compiled = module
  return bindings
}

/** Throws SetupError when the module is not built. */
export const loadEngine = (): Engine => startEngine(compiledEngine())

/** Groups inputs into traces; unreadable inputs are rejected. */
export function group(engine: Engine, inputs: readonly InputFile[]): SortedFiles {
  const sorter = new engine.FileSorter()
  const readable: number[] = []
  const unreadable: { index: number; error: EngineError }[] = []
  try {
    for (const [index, { name, path, size, lastModified, pattern, read }] of inputs.entries()) {
      try {
        const probe = JSON.stringify({ name, path, size, lastModified, pattern })
        sorter.add(probe, read(0, PROBE_BYTES), read(Math.max(0, size - PROBE_BYTES), PROBE_BYTES))
        readable.push(index)
      } catch (error) {
        if (!isEngineError(error)) throw error
        unreadable.push({ index, error })
      }
    }
    const { traces, rejected, notes }: SortedFiles = sorter.group()
    if (unreadable.length === 0) return { traces, rejected, notes }
    const originalIndex = (i: number): number => readable[i] ?? -1
    return {
      traces: traces.map(trace => ({ ...trace, parts: trace.parts.map(originalIndex) })),
      rejected: [...rejected.map(({ index, error }) => ({ index: originalIndex(index), error })), ...unreadable],
      notes: notes.map(originalIndex),
    }
  } finally {
    sorter.free()
  }
}

export interface EstimateOptions {
  /** The part that is to be read; absent: all. */
  readonly window?: TimeWindow | undefined
  /** Memory for the trace, bytes; absent: what WebAssembly has. */
  readonly capacity?: number | undefined
  readonly maxExcerpts?: number
}

/** Estimates the size of a trace; `error` is set if it, or the given part, does not fit. */
export function estimate(
  engine: Engine,
  files: readonly InputFile[],
  { window, capacity, maxExcerpts }: EstimateOptions,
): TraceEstimate {
  const probes = files.map(({ name, path, size, pattern }) => ({ name, path, size, pattern }))
  const heads = files.map(input => input.read(0, PROBE_BYTES))
  const tails = files.map(input => input.read(Math.max(0, input.size - PROBE_BYTES), PROBE_BYTES))
  const places = excerptPlaces(
    files.map(file => file.size),
    maxExcerpts,
  )
  const excerpts = places.map(([file, offset]) => files[file]?.read(offset, EXCERPT_BYTES) ?? new Uint8Array())
  return engine.estimate(
    JSON.stringify(probes),
    heads,
    tails,
    window && JSON.stringify(window),
    capacity,
    JSON.stringify(places),
    excerpts,
  )
}

/** Reads the texts next to traces, and assigns each to its traces. `notes` are indices of `inputs`. */
export function readNotes(
  engine: Engine,
  traces: SortedFiles['traces'],
  notes: readonly number[],
  inputs: readonly InputFile[],
): NotesOfTraces {
  const reader = new engine.NoteReader()
  try {
    const texts = notes.flatMap(index => inputs[index] ?? [])
    for (const { path, read } of texts) reader.add(path, read(0, NOTE_BYTES))
    const unread = reader.unread()
    for (const { index, text } of unread) {
      const input = texts[index]
      if (input) reader.addOutputs(index, outputsOf(engine, input.path, text ?? input.read(0, NOTE_BYTES)))
    }
    const paths = (indices: readonly number[]) => indices.flatMap(index => inputs[index]?.path ?? [])
    return reader.assign(JSON.stringify(traces.map(({ label, parts }) => ({ label, paths: paths(parts) }))))
  } finally {
    reader.free()
  }
}
