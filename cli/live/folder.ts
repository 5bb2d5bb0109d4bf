/**
 * A folder into which blktrace writes a file per CPU. blktrace makes its files longer in advance, with zeros, and cuts them when it ends: records end
 * where a magic is zero.
 */
import { accessSync, closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readSync, statSync, watch } from 'node:fs'
import { join } from 'node:path'
import { lengthAt } from '../../web/engine/live/records'
import type { EngineError } from '../../web/engine/protocol'
import { complain } from '../progress'
import { brokenLink, special, unreadable } from '../refused'
import { visibleLine } from '../visible'
import type { GrowingStream, StreamTaker } from './stream'

/** blktrace's names of files. */
const NAME = /^[^.].*\.blktrace\.\d+$/
/** Looked at this often, and when the system reports a change. */
const POLL_MS = 100
/** Read at a time. */
const PIECE = 256 << 10

interface GrowingFile {
  readonly number: number
  readonly fd: number
  /** Byte up to which it was passed on. */
  taken: number
  /** Time of its last record, of the trace clock. */
  last: bigint
  /** Where its records ended at the last look, before zeros. */
  seen: number
  /** It was made longer in advance. */
  extended: boolean
  /** All of it was passed on, and the tracer has cut it. */
  closed: boolean
}

const zeroAt = (view: DataView, at: number): boolean => at + 4 <= view.byteLength && view.getUint32(at) === 0

/** Reads the next records of a file; `undefined` if there are none. */
function nextPiece(file: GrowingFile, buffer: Uint8Array): Uint8Array | undefined {
  const { size } = fstatSync(file.fd)
  if (size <= file.taken) {
    file.closed = file.extended && size === file.taken
    return undefined
  }
  const length = readSync(file.fd, buffer, 0, buffer.length, file.taken)
  const view = new DataView(buffer.buffer, 0, length)
  let [end, previous] = [0, 0]
  while (!zeroAt(view, end)) {
    const record = lengthAt(view, end)
    if (record === 0) break
    previous = end
    end += record
  }
  if (zeroAt(view, end)) {
    file.extended = true
    // The last record before the zeros may be half written: it is taken when nothing has changed since the last look.
    const isSettled = file.seen === file.taken + end
    file.seen = file.taken + end
    if (!isSettled) end = previous
  }
  if (end === 0) return undefined
  const little = view.getUint8(3) === 0x65
  if (previous < end && previous + 16 <= length) file.last = view.getBigUint64(previous + 8, little)
  file.taken += end
  return buffer.slice(0, end)
}

/** Why a file of a folder cannot be read. */
function problemOf(file: string): EngineError | undefined {
  try {
    if (!statSync(file).isFile()) return special(file)
    accessSync(file, constants.R_OK)
    return undefined
  } catch (error) {
    return lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() ? brokenLink(file, error) : unreadable(file, error)
  }
}

/** The stream of a folder; throws an EngineError if it cannot be read. */
export function folderStream(path: string): GrowingStream {
  let wake: () => void = () => undefined
  let stopped = false
  const skipped = new Set<string>()
  /** What cannot be read is said once; opening a FIFO would wait for its writer. */
  const canBeRead = (name: string): boolean => {
    if (skipped.has(name)) return false
    const file = join(path, name)
    const problem = problemOf(file)
    if (!problem) return true
    skipped.add(name)
    complain(visibleLine(file), problem.code, problem.remedy ? `${problem.message} ${problem.remedy}` : problem.message)
    return false
  }
  const list = () => {
    try {
      return readdirSync(path).filter(name => NAME.test(name) && canBeRead(name))
    } catch (error) {
      throw unreadable(path, error)
    }
  }
  list()
  const files = new Map<string, GrowingFile>()
  const find = (taker: StreamTaker) => {
    for (const name of list()) {
      if (files.has(name)) continue
      const number = files.size
      files.set(name, { number, fd: openSync(join(path, name), 'r'), taken: 0, last: 0n, seen: -1, extended: false, closed: false })
      taker.file(number, visibleLine(name))
    }
  }
  const buffer = new Uint8Array(PIECE)
  /** Passes on what there is, the earliest first; returns whether there was any. */
  const pass = async (taker: StreamTaker): Promise<boolean> => {
    let any = false
    let open = [...files.values()].filter(file => !file.closed)
    for (let pieces = 0; open.length > 0; pieces++) {
      const file = open.reduce((first, other) => (other.last < first.last ? other : first))
      const bytes = nextPiece(file, buffer)
      if (bytes) {
        any = true
        taker.data(file.number, bytes)
      } else open = open.filter(other => other !== file)
      if (pieces % 16 === 15) await new Promise(resolve => setImmediate(resolve))
    }
    return any
  }
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
          find(taker)
          const any = await pass(taker)
          const used = [...files.values()].filter(file => file.taken > 0)
          if (!any && used.length > 0 && [...files.values()].every(file => file.closed || file.taken === 0) && used.every(file => file.closed))
            return { state: 'ended', why: 'end' }
          if (last && !any) return { state: 'ended', why: 'interrupted' }
          last = stopped
          await rest()
        }
      } catch (error) {
        return { state: 'ended', why: 'failed', message: error instanceof Error ? error.message : String((error as { message?: string }).message) }
      } finally {
        watcher.close()
        for (const { fd } of files.values()) closeSync(fd)
      }
    },
    stop() {
      stopped = true
      wake()
    },
  }
}

/** When a file of blktrace in a folder was written last, ms since 1970; 0 without any. */
export function lastWrite(path: string): number {
  const files = readdirSync(path).flatMap(name => (NAME.test(name) ? [join(path, name)] : []))
  return files.reduce((last, file) => (problemOf(file) ? last : Math.max(last, statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0)), 0)
}
