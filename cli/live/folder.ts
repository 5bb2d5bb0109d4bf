/**
 * A folder into which blktrace writes a file per CPU. blktrace makes its files longer in advance, with zeros, and cuts them when it ends. It copies into
 * them from front to back, and may be interrupted anywhere: what has a byte behind it that is not zero is complete.
 */
import { closeSync, fstatSync, openSync, readdirSync, readSync, statSync, watch } from 'node:fs'
import { join } from 'node:path'
import { isStream, lengthAt } from '../../web/engine/live/records'
import { unreadable } from '../refused'
import { visibleLine } from '../visible'
import type { GrowingStream, StreamTaker } from './stream'

/** blktrace's names of files. */
const NAME = /^[^.].*\.blktrace\.\d+$/
/** Looked at this often, and when the system reports a change. */
const POLL_MS = 100
/** Read at a time. */
const PIECE = 256 << 10
/** The last record before zeros may be half written: it is taken when the file has not changed for this long, or the tracer has cut it. */
const SETTLE_MS = 1000

interface GrowingFile {
  readonly number: number
  readonly fd: number
  /** Byte up to which it was passed on. */
  taken: number
  /** Time of its last record, of the trace clock. */
  last: bigint
  /** Where its bytes ended at the last look, before zeros, and since when. */
  seen: number
  since: number
  /** It was made longer in advance. */
  extended: boolean
  /** All of it was passed on, and the tracer has cut it. */
  closed: boolean
}

/** Length without the zeros at the end. */
function filled(bytes: Uint8Array): number {
  let end = bytes.length
  while (end > 0 && bytes[end - 1] === 0) end--
  return end
}

/** Reads the next records of a file; `undefined` if there are none. */
function nextPiece(file: GrowingFile, buffer: Uint8Array, settleMs: number): Uint8Array | undefined {
  const { size } = fstatSync(file.fd)
  if (size <= file.taken) {
    file.closed = file.extended && size === file.taken
    return undefined
  }
  const length = readSync(file.fd, buffer, 0, buffer.length, file.taken)
  const bytes = buffer.subarray(0, length)
  const data = filled(bytes)
  if (file.seen !== file.taken + data) {
    file.seen = file.taken + data
    file.since = performance.now()
  }
  const isSettled = performance.now() - file.since >= settleMs
  const isEnd = file.taken + length === size
  const view = new DataView(buffer.buffer, 0, length)
  let end = 0
  while (end < data) {
    const next = end + lengthAt(view, end)
    const isRecord = isStream(bytes.subarray(end))
    if (next === end) break
    if (next >= data && next < length) file.extended = true
    if (next >= data && !isSettled && !(isEnd && next === length)) break
    if (isRecord && end + 16 <= length) file.last = view.getBigUint64(end + 8, view.getUint8(end + 3) === 0x65)
    // Invalid bytes end where the zeros begin.
    end = isRecord ? next : Math.min(next, data)
  }
  if (end === 0) {
    if (data === 0) file.extended = true
    return undefined
  }
  file.taken += end
  return buffer.slice(0, end)
}

/** The stream of a folder; throws an EngineError if it cannot be read. */
export function folderStream(path: string, settleMs = SETTLE_MS): GrowingStream {
  let wake: () => void = () => undefined
  let stopped = false
  const list = () => {
    try {
      return readdirSync(path).filter(name => NAME.test(name))
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
      files.set(name, { number, fd: openSync(join(path, name), 'r'), taken: 0, last: 0n, seen: -1, since: 0, extended: false, closed: false })
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
      const bytes = nextPiece(file, buffer, settleMs)
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
  const names = readdirSync(path).filter(name => NAME.test(name))
  return names.reduce((last, name) => Math.max(last, statSync(join(path, name), { throwIfNoEntry: false })?.mtimeMs ?? 0), 0)
}
