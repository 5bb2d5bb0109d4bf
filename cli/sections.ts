/**
 * One trace read by several threads, each a section of its files. The thread that wants the trace reads the first section and takes over the
 * others; a section that does not fit to the one before it is read again. It sleeps until a section is there, and handles signals in between.
 */
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads'
import type { Cuts, SectionPlaces, TimeWindow } from '../web/engine/protocol'
import { compiledEngine, type Engine } from './engine'
import { type InputFile, type PlacedFile, placedFile } from './inputs'
import { yieldInTime } from './yield'

/** What a thread reads: the files of a trace between two places in each, or to their ends. */
export interface SectionTask {
  readonly module: WebAssembly.Module
  readonly files: readonly PlacedFile[]
  readonly origin: string
  readonly places: SectionPlaces
  readonly ends?: readonly number[]
  /** Gets the section, or undefined when it cannot be joined. */
  readonly port: MessagePort
  /** `SectionState`. */
  readonly state: Int32Array
}

/** Numbers that both threads see: whether the section was posted, and bytes read since they were last taken. */
export const SectionState = { done: 0, bytes: 1 } as const

export interface Sections {
  /** Where each section begins in each file. */
  readonly begins: readonly (readonly number[])[]
  /** Section `i`, when it is there; undefined when it has to be read here. */
  take(i: number): Promise<Uint8Array | undefined>
  /** Bytes that the threads have read since the last call. */
  advanced(): number
}

const READER = new URL('../dist-cli/section.mjs', import.meta.url)
/** A thread that reads nothing for so long is given up. */
const STALLED_MS = 20_000
const SLEEP_MS = 100

/** Starts threads for the sections after the first; undefined where one thread is as fast. */
export function startSections(engine: Engine, files: readonly InputFile[], window: TimeWindow | undefined, threads: number): Sections | undefined {
  if (threads < 2 || window) return undefined
  const cuts = cutsOf(engine, files, threads)
  if (!cuts) return undefined
  const module = compiledEngine()
  const read = cuts.sections.map((places, i) => {
    const { port1, port2: port } = new MessageChannel()
    const state = new Int32Array(new SharedArrayBuffer(8))
    const ends = cuts.sections[i + 1]?.begin
    const workerData: SectionTask = { module, files: files.map(placedFile), origin: cuts.origin, places, ...(ends && { ends }), port, state }
    // What it fails of is read here.
    const thread = new Worker(READER, { workerData, transferList: [port] }).on('error', () => undefined)
    thread.unref()
    return { thread, port: port1, state }
  })
  const taken = (state: Int32Array) => Atomics.exchange(state, SectionState.bytes, 0)
  let ahead = 0
  return {
    begins: cuts.sections.map(places => places.begin),
    async take(i) {
      const section = read[i]
      if (!section) return undefined
      const { thread, port, state } = section
      let stalled = 0
      while (stalled < STALLED_MS && Atomics.wait(state, SectionState.done, 0, SLEEP_MS) === 'timed-out') {
        const bytes = taken(state)
        ahead += bytes
        stalled = bytes === 0 ? stalled + SLEEP_MS : 0
        await yieldInTime()
      }
      const message = receiveMessageOnPort(port)
      port.close()
      void thread.terminate()
      return message?.message ?? undefined
    },
    advanced() {
      const bytes = read.reduce((sum, { state }) => sum + taken(state), ahead)
      ahead = 0
      return bytes
    },
  }
}

/** Where the files are cut. */
function cutsOf({ CutFinder, cutExcerptBytes }: Engine, files: readonly InputFile[], threads: number): Cuts | null {
  const finder = new CutFinder(
    Float64Array.from(files, file => file.size),
    threads,
  )
  try {
    for (let wanted = finder.wanted(); wanted; wanted = finder.wanted()) {
      const [file = 0, at = 0] = wanted
      finder.take(file, at, files[file]?.read(at, cutExcerptBytes()) ?? new Uint8Array())
    }
    return finder.cuts()
  } finally {
    finder.free()
  }
}
