/**
 * One trace read by several threads, in sections of its files. The thread that wants the trace reads the first
 * section, and goes on section by section: it takes over what another thread has read, or reads what none has begun.
 * A section that does not fit to the one before it is read again. It sleeps until a section is there, and handles
 * signals in between.
 */
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads'
import type { Cuts, TimeWindow } from '../../../web/engine/protocol'
import { AHEAD, excerptsOf, isHelped, nextHelped } from '../../../web/engine/reading/turns'
import { yieldInTime } from '../../output/yield'
import { packageFile } from '../../places'
import { type InputFile, type PlacedFile, placedFile } from '../find/inputs'
import { compiledEngine, type Engine } from './engine'

/** The first message to a thread, what it reads: sections of the files of a trace, one after another. */
export interface SectionTask {
  readonly module: WebAssembly.Module
  readonly files: readonly PlacedFile[]
  readonly cuts: Cuts
  /** Gets each section as a `SectionMessage`. */
  readonly port: MessagePort
  /** `Turns`. */
  readonly turns: Int32Array
  /** Bytes that the thread has read since they were last taken. */
  readonly bytes: Int32Array
  /** How many read the trace. */
  readonly threads: number
}

/** A section; `section` is absent when it cannot be joined. */
export interface SectionMessage {
  readonly index: number
  readonly section?: Uint8Array
}

/** Numbers that all threads see: the next section for a helper, the one that is in turn, and how many were posted. */
export const Turns = { next: 0, current: 1, posted: 2 } as const

/** The next section for one of `threads - 1` helpers, if there is one; waits while too many wait for their turn. */
export function claimNext(turns: Int32Array, sections: number, threads: number): number | undefined {
  for (;;) {
    const current = Atomics.load(turns, Turns.current)
    const next = Atomics.load(turns, Turns.next)
    if (next >= sections) return undefined
    if (next > current + AHEAD * threads) Atomics.wait(turns, Turns.current, current)
    else if (claim(turns, next, threads)) return next
  }
}

/** Whether a section is the caller's from now on: no helper has begun it, or will. */
const claim = (turns: Int32Array, index: number, threads: number): boolean =>
  !isHelped(index, threads) || Atomics.compareExchange(turns, Turns.next, index, nextHelped(index, threads)) === index

export interface Sections {
  /** Where each section begins in each file. */
  readonly begins: readonly (readonly number[])[]
  /** Section `i`, when it is there; undefined when it has to be read here. Sections are taken in order. */
  take(i: number): Promise<Uint8Array | undefined>
  /** Bytes that the threads have read since the last call. */
  advanced(): number
  /** Ends the threads. */
  end(): void
}

const SUFFIX = '.blktrace.'
const READER = packageFile('dist-cli/section.mjs')
/** Bytes of a section, about. */
const SECTION = 32 << 20
/**
 * Below, the second of two threads gains nothing: for the first tenths of a second the compiler of WebAssembly needs a
 * core, too.
 */
const MIN_BYTES_FOR_TWO = 128 << 20
/** Threads that read nothing for so long are given up. */
const STALLED_MS = 20_000
const SLEEP_MS = 100

const isWorth = (bytes: number, threads: number): boolean =>
  threads > 2 || (threads === 2 && bytes >= MIN_BYTES_FOR_TWO)

/** Threads that have no task yet. */
const waiting: Worker[] = []

// What it fails of is read by the thread that wants the trace.
function startThread(): Worker | undefined {
  try {
    const thread = new Worker(READER).on('error', () => undefined)
    thread.unref()
    return thread
  } catch {
    return undefined
  }
}

const sizeOf = (files: readonly InputFile[]): number => files.reduce((sum, file) => sum + file.size, 0)

/**
 * Starts threads for files that are one recording by their names, before they are opened: a thread needs as long to
 * start as the engine does.
 */
export function prepareSections(files: readonly InputFile[], threads: number): void {
  const parts = files.filter(({ name }) => name.includes(SUFFIX))
  const recordings = new Set(parts.map(({ path }) => path.slice(0, path.lastIndexOf(SUFFIX))))
  const bytes = sizeOf(parts)
  if (recordings.size !== 1 || !isWorth(bytes, threads)) return
  for (let more = Math.min(threads - 1, Math.floor(bytes / SECTION)) - waiting.length; more > 0; more--) {
    const thread = startThread()
    if (thread) waiting.push(thread)
  }
}

/** Ends the threads that got nothing to do. */
export function dismissSections(): void {
  for (const thread of waiting.splice(0)) void thread.terminate()
}

/** Starts threads for the sections after the first; undefined where one thread is as fast. */
export function startSections(
  engine: Engine,
  files: readonly InputFile[],
  window: TimeWindow | undefined,
  threads: number,
): Sections | undefined {
  if (window || !isWorth(sizeOf(files), threads)) return undefined
  const cuts = cutsOf(engine, files)
  if (!cuts) return undefined
  const turns = new Int32Array(new SharedArrayBuffer(12))
  const module = compiledEngine()
  const others = Math.min(threads - 1, cuts.sections.length)
  const readers = Array.from({ length: others }, () => waiting.pop() ?? startThread()).flatMap(thread => {
    // Where one is missing, its sections are read by the others.
    if (!thread) return []
    const { port1, port2: port } = new MessageChannel()
    const bytes = new Int32Array(new SharedArrayBuffer(4))
    const task: SectionTask = { module, files: files.map(placedFile), cuts, port, turns, bytes, threads: others + 1 }
    thread.postMessage(task, [port])
    return [{ thread, port: port1, bytes }]
  })
  const arrived = new Map<number, Uint8Array | undefined>()
  const receive = () => {
    for (const { port } of readers) {
      for (let message = receiveMessageOnPort(port); message; message = receiveMessageOnPort(port)) {
        const { index, section }: SectionMessage = message.message
        arrived.set(index, section)
      }
    }
  }
  const taken = () => readers.reduce((sum, { bytes }) => sum + Atomics.exchange(bytes, 0, 0), 0)
  let ahead = 0
  return {
    begins: cuts.sections.map(places => places.begin),
    async take(i) {
      Atomics.store(turns, Turns.current, i)
      Atomics.notify(turns, Turns.current)
      if (claim(turns, i, others + 1)) return undefined
      for (let alive = performance.now(); performance.now() < alive + STALLED_MS; ) {
        const posted = Atomics.load(turns, Turns.posted)
        receive()
        if (arrived.has(i)) break
        Atomics.wait(turns, Turns.posted, posted, SLEEP_MS)
        const bytes = taken()
        if (bytes > 0) alive = performance.now()
        ahead += bytes
        await yieldInTime()
      }
      const section = arrived.get(i)
      arrived.delete(i)
      return section
    },
    advanced() {
      const bytes = taken() + ahead
      ahead = 0
      return bytes
    },
    end() {
      for (const { thread, port } of readers) {
        port.close()
        void thread.terminate()
      }
    },
  }
}

/** Where the files are cut. */
function cutsOf({ CutFinder, cutExcerptBytes }: Engine, files: readonly InputFile[]): Cuts | null {
  const finder = new CutFinder(Float64Array.from(files, file => file.size))
  try {
    for (let wanted = finder.wanted(); wanted.length > 0; wanted = finder.wanted()) {
      for (const [file, at] of excerptsOf(wanted))
        finder.take(file, at, files[file]?.read(at, cutExcerptBytes()) ?? new Uint8Array())
    }
    return finder.cuts(0)
  } finally {
    finder.free()
  }
}
