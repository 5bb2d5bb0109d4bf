/**
 * A folder into which blktrace writes a file per CPU. blktrace makes its files longer in advance, with zeros, and
 * cuts them when it ends. It copies as many bytes as a buffer has, from front to back: the last record is half
 * written until the next buffer is full. What is before the last byte that is not zero is complete.
 */
import {
  accessSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  statSync,
  watch,
} from 'node:fs'
import { join } from 'node:path'
import { isStream, recordLength } from '../../web/engine/live/records'
import type { EngineError } from '../../web/engine/protocol'
import { visibleLine } from '../../web/lib/text/visible'
import { brokenLink, special, unreadable } from '../input/find/refused'
import { complain } from '../output/progress'
import type { GrowingStream, StreamTaker } from './stream'

/** File names of blktrace. */
const NAME = /^[^.].*\.blktrace\.\d+$/
/** Looked at this often, and when the system reports a change. */
const POLL_MS = 100
/** Size of a read, bytes. */
const PIECE = 256 << 10
/**
 * A file that was never longer than its records has ended when it has not changed for this long: blktrace had cut it
 * before it was seen.
 */
const END_MS = 3000
/** A file is read ahead of the others by this: what is older than a stream's lag when it comes is left out. */
const AHEAD_NS = 100_000_000n
/** Size of the first read at an offset: if it is all zeros, blktrace has extended the file but not written it. */
const PROBE = 4096

interface GrowingFile {
  readonly number: number
  readonly fd: number
  /** Offset up to which it was passed on. */
  offset: number
  /** Time of the next record if known, else of the last one, on the trace clock. */
  last: bigint
  /** Offset at which its data ended at the last check, before zeros, and since when. */
  seenEnd: number
  since: number
  /** The tracer extends the file in advance, with zeros. */
  extended: boolean
  /** All of it was passed on, and the tracer has truncated it to its final size. */
  closed: boolean
}

/** Length without the zeros at the end. */
function filled(bytes: Uint8Array<ArrayBuffer>, length: number): number {
  const words = new Uint32Array(bytes.buffer, 0, length >> 2)
  let end = length
  while (end % 4 !== 0 && bytes[end - 1] === 0) end--
  if (end % 4 !== 0) return end
  let word = end >> 2
  while (word > 0 && words[word - 1] === 0) word--
  end = word << 2
  while (end > 0 && bytes[end - 1] === 0) end--
  return end
}

/** Reads the next records of a file up to a time: `later` if they come after it, `undefined` if there are none. */
function nextPiece(
  file: GrowingFile,
  buffer: Uint8Array<ArrayBuffer>,
  until: bigint | undefined,
  endMs: number,
): Uint8Array | 'later' | undefined {
  const { size } = fstatSync(file.fd)
  if (size <= file.offset) {
    file.closed = size === file.offset && (file.extended || (size > 0 && performance.now() - file.since >= endMs))
    return undefined
  }
  const read = (maxBytes: number) => readSync(file.fd, buffer, 0, maxBytes, file.offset)
  if (filled(buffer, read(PROBE)) === 0) {
    file.extended = true
    return undefined
  }
  const data = filled(buffer, read(buffer.length))
  // The tracer may overtake a reader in the middle: what was before the end that has been seen is complete when it is
  // read once more.
  const length = read(buffer.length)
  if (file.seenEnd !== file.offset + data) {
    file.seenEnd = file.offset + data
    file.since = performance.now()
  }
  const isEnd = file.offset + length === size
  const bytes = buffer.subarray(0, length)
  const view = new DataView(buffer.buffer, 0, length)
  let end = 0
  while (end < data) {
    const next = end + recordLength(view, end)
    const isRecord = isStream(bytes.subarray(end))
    if (next === end) break
    if (next >= data && next < length) file.extended = true
    if (next > data && !(isEnd && next === length)) break
    if (isRecord && end + 16 <= length) {
      const time = view.getBigUint64(end + 8, view.getUint8(end + 3) === 0x65)
      file.last = time
      if (until !== undefined && time > until) {
        if (end === 0) return 'later'
        break
      }
    }
    // Invalid bytes end where the zeros begin.
    end = isRecord ? next : Math.min(next, data)
  }
  if (end === 0) return undefined
  file.offset += end
  return buffer.slice(0, end)
}

/** Why a file of a folder cannot be read. */
function problemOf(file: string): EngineError | undefined {
  try {
    if (!statSync(file).isFile()) return special(file)
    accessSync(file, constants.R_OK)
    return undefined
  } catch (error) {
    return lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink()
      ? brokenLink(file, error)
      : unreadable(file, error)
  }
}

/** Lists the files of a recording in a folder. What cannot be read is reported once and left out. */
function createList(path: string): () => readonly string[] {
  const skipped = new Set<string>()
  const isReadable = (name: string): boolean => {
    if (skipped.has(name)) return false
    const file = join(path, name)
    // Opening a FIFO would wait for its writer.
    const problem = problemOf(file)
    if (!problem) return true
    skipped.add(name)
    complain(visibleLine(file), problem.code, problem.remedy ? `${problem.message} ${problem.remedy}` : problem.message)
    return false
  }
  return () => {
    try {
      return readdirSync(path).filter(name => NAME.test(name) && isReadable(name))
    } catch (error) {
      throw unreadable(path, error)
    }
  }
}

/** The files of a folder so far, each opened once. */
function createFiles(path: string, endMs: number) {
  const list = createList(path)
  list()
  const files = new Map<string, GrowingFile>()
  const buffer = new Uint8Array(PIECE)
  return {
    /** Opens new files. */
    find(taker: StreamTaker): void {
      for (const name of list()) {
        if (files.has(name)) continue
        const number = files.size
        const fd = openSync(join(path, name), 'r')
        files.set(name, { number, fd, offset: 0, last: 0n, seenEnd: -1, since: 0, extended: false, closed: false })
        taker.file(number, visibleLine(name))
      }
    },
    /** Passes on what there is, the earliest first; returns whether there was any. */
    async pass(taker: StreamTaker): Promise<boolean> {
      let hasPassed = false
      let open = [...files.values()].filter(file => !file.closed)
      for (let pieces = 0; open.length > 0; pieces++) {
        const [file, second] = open.toSorted((a, b) => (a.last < b.last ? -1 : a.last > b.last ? 1 : 0))
        if (!file) break
        const bytes = nextPiece(file, buffer, second && second.last + AHEAD_NS, endMs)
        if (bytes === undefined) open = open.filter(candidate => candidate !== file)
        else if (bytes !== 'later') {
          hasPassed = true
          taker.data(file.number, bytes)
        }
        if (pieces % 16 === 15) await new Promise(resolve => setImmediate(resolve))
      }
      return hasPassed
    },
    /** Whether blktrace closed all files that have data. */
    areClosed(): boolean {
      const used = [...files.values()].filter(file => file.offset > 0)
      return used.length > 0 && used.every(file => file.closed)
    },
    close(): void {
      for (const { fd } of files.values()) closeSync(fd)
    },
  }
}

/** The stream of a folder; throws an EngineError if it cannot be read. */
export function folderStream(path: string, endMs = END_MS): GrowingStream {
  const files = createFiles(path, endMs)
  let wake: () => void = () => undefined
  let stopped = false
  const rest = () =>
    new Promise<void>(resolve => {
      const timer = setTimeout(resolve, POLL_MS)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  return {
    name: path,
    async run(taker) {
      const watcher = watch(path, { persistent: false }, () => wake())
      watcher.on('error', () => undefined)
      try {
        for (let last = false; ; ) {
          files.find(taker)
          const hasPassed = await files.pass(taker)
          if (!hasPassed && files.areClosed()) return { state: 'ended', why: 'end' }
          if (last && !hasPassed) return { state: 'ended', why: 'interrupted' }
          last = stopped
          await rest()
        }
      } catch (error) {
        return {
          state: 'ended',
          why: 'failed',
          message: error instanceof Error ? error.message : String((error as { message?: string }).message),
        }
      } finally {
        watcher.close()
        files.close()
      }
    },
    stop() {
      stopped = true
      wake()
    },
  }
}

/** Whether a file ends with zeros, or has nothing: blktrace writes it. */
function isGrowing(path: string): boolean {
  const fd = openSync(path, 'r')
  try {
    const { size } = fstatSync(fd)
    const end = Buffer.alloc(Math.min(size, PROBE))
    readSync(fd, end, 0, end.length, size - end.length)
    return end.every(byte => byte === 0)
  } finally {
    closeSync(fd)
  }
}

/** Whether blktrace has written into a folder in the last `ms`, and has not ended. */
export function isBeingWritten(path: string, ms: number): boolean {
  const paths = readdirSync(path)
    .filter(name => NAME.test(name))
    .map(name => join(path, name))
    .filter(file => !problemOf(file))
  const last = paths.reduce((last, file) => Math.max(last, statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0), 0)
  return last > Date.now() - ms && paths.some(isGrowing)
}
