/**
 * Reads one trace with several threads, in sections of its files.
 *
 * The thread that needs the trace reads the first section, then proceeds section by section: it joins what another
 * thread has read, or reads a section that no thread has begun. A section that does not continue the previous one is
 * read again. While it waits for a section it sleeps, and handles signals in between.
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
  /** Receives each section as a `SectionMessage`. */
  readonly port: MessagePort
  /** Shared counters, see `Turns`. */
  readonly turns: Int32Array
  /** Bytes that the thread has read since they were last taken. */
  readonly bytes: Int32Array
  /** Number of threads that read the trace. */
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
  /** Offset in each file at which each section begins. */
  readonly begins: readonly (readonly number[])[]
  /** Resolves with section `i`; `undefined`: it must be read here. Call in order of the sections. */
  take(i: number): Promise<Uint8Array | undefined>
  /** Bytes that the threads have read since the last call. */
  advanced(): number
  end(): void
}

const SUFFIX = '.blktrace.'
const READER = packageFile('dist-cli/section.mjs')
/** Approximate size of a section, bytes. */
const SECTION = 32 << 20
/**
 * Below this size a second thread gains nothing on two cores: for the first tenths of a second, the WebAssembly
 * compiler needs a core, too.
 */
const MIN_BYTES_FOR_TWO = 128 << 20
/** Threads that read nothing for so long are given up. */
const STALLED_MS = 20_000
const SLEEP_MS = 100

const isWorth = (bytes: number, threads: number): boolean =>
  threads > 2 || (threads === 2 && bytes >= MIN_BYTES_FOR_TWO)

/** Idle threads. */
const waiting: Worker[] = []

// A section that it fails to read is read by the thread that needs the trace.
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
  const cuts = findCuts(engine, files)
  if (!cuts) return undefined
  const turns = new Int32Array(new SharedArrayBuffer(12))
  const module = compiledEngine()
  const helperCount = Math.min(threads - 1, cuts.sections.length)
  const readers = Array.from({ length: helperCount }, () => waiting.pop() ?? startThread()).flatMap(thread => {
    // If a thread cannot start, the others read its sections.
    if (!thread) return []
    const { port1, port2: port } = new MessageChannel()
    const bytes = new Int32Array(new SharedArrayBuffer(4))
    const task: SectionTask = {
      module,
      files: files.map(placedFile),
      cuts,
      port,
      turns,
      bytes,
      threads: helperCount + 1,
    }
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
  const readSoFar = () => readers.reduce((sum, { bytes }) => sum + Atomics.exchange(bytes, 0, 0), 0)
  let ahead = 0
  return {
    begins: cuts.sections.map(places => places.begin),
    async take(i) {
      Atomics.store(turns, Turns.current, i)
      Atomics.notify(turns, Turns.current)
      if (claim(turns, i, helperCount + 1)) return undefined
      for (let alive = performance.now(); performance.now() < alive + STALLED_MS; ) {
        const posted = Atomics.load(turns, Turns.posted)
        receive()
        if (arrived.has(i)) break
        Atomics.wait(turns, Turns.posted, posted, SLEEP_MS)
        const bytes = readSoFar()
        if (bytes > 0) alive = performance.now()
        ahead += bytes
        await yieldInTime()
      }
      const section = arrived.get(i)
      arrived.delete(i)
      return section
    },
    advanced() {
      const bytes = readSoFar() + ahead
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

/** Finds where the files are cut; `null`: they are not cut. */
export function findCuts({ CutFinder, cutExcerptBytes }: Engine, files: readonly InputFile[]): Cuts | null {
  const finder = new CutFinder(Float64Array.from(files, file => file.size))
  try {
    for (let places = finder.wanted(); places.length > 0; places = finder.wanted()) {
      for (const [file, offset] of excerptsOf(places))
        finder.take(file, offset, files[file]?.read(offset, cutExcerptBytes()) ?? new Uint8Array())
    }
    return finder.cuts(0)
  } finally {
    finder.free()
  }
}
