/**
 * Recordings of tests/fixtures as `blktrace -o -` writes them: for each 50 ms the buffer of each CPU, one after
 * another.
 */
import { closeSync, ftruncateSync, openSync, readdirSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { recordLength } from '../web/engine/live/records'

const FIXTURES = fileURLToPath(new URL('fixtures/', import.meta.url))
const BUFFER_NS = 50_000_000n

/** Per-CPU files by name. */
export const cpuFiles = (folder: string): ReadonlyMap<string, Buffer> =>
  new Map(
    readdirSync(join(FIXTURES, folder))
      .filter(name => name.includes('.blktrace.'))
      .map(name => [name, readFileSync(join(FIXTURES, folder, name))]),
  )

/** The records of a file. */
export function recordsOf(bytes: Buffer): readonly Buffer[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const found: Buffer[] = []
  for (let at = 0, length = recordLength(view, 0); length > 0; at += length, length = recordLength(view, at))
    found.push(bytes.subarray(at, at + length))
  return found
}

/** Buffers in the order in which they are written. */
export function buffersOf(folder: string): readonly Buffer[] {
  const buffers = new Map<string, { at: bigint; cpu: number; records: Buffer[] }>()
  for (const [cpu, bytes] of [...cpuFiles(folder).values()].entries()) {
    let written = 0n
    for (const record of recordsOf(bytes)) {
      const at = record.readBigUInt64LE(8) / BUFFER_NS
      if (at > written) written = at
      const key = `${written} ${cpu}`
      const buffer = buffers.get(key) ?? { at: written, cpu, records: [] }
      buffers.set(key, buffer)
      buffer.records.push(record)
    }
  }
  return [...buffers.values()]
    .sort((a, b) => Number(a.at - b.at) || a.cpu - b.cpu)
    .map(({ records }) => Buffer.concat(records))
}

export const streamOf = (folder: string): Buffer => Buffer.concat(buffersOf(folder))

/**
 * A folder into which a recording is written as blktrace does it: a file per CPU, made longer in advance with zeros,
 * and cut at the end.
 */
export interface GrowingFolder {
  /** Writes the records of the files up to this share of each; of one more file with each call, as CPUs have events. */
  grow(share: number): void
  /** Cuts the files where their records end. */
  end(): void
}

/** blktrace makes its files longer by this. */
const IN_ADVANCE = 64 * 1024

export function growingFolder(recording: string, folder: string): GrowingFolder {
  const files = [...cpuFiles(recording)]
    .filter(([, bytes]) => bytes.length > 0)
    .map(([name, bytes]) => ({ path: join(folder, name), records: recordsOf(bytes), done: 0, fd: -1, at: 0 }))
  let calls = 0
  return {
    grow(share) {
      calls++
      for (const file of files.slice(0, calls)) {
        if (file.fd < 0) file.fd = openSync(file.path, 'w')
        const upTo = Math.round(file.records.length * share)
        const bytes = Buffer.concat(file.records.slice(file.done, upTo))
        file.done = upTo
        ftruncateSync(file.fd, file.at + bytes.length + IN_ADVANCE)
        // For a moment the last record is half written.
        const most = Math.max(0, bytes.length - 20)
        writeSync(file.fd, bytes, 0, most, file.at)
        writeSync(file.fd, bytes, most, bytes.length - most, file.at + most)
        file.at += bytes.length
      }
    },
    end() {
      for (const { fd, at } of files) {
        ftruncateSync(fd, at)
        closeSync(fd)
      }
    },
  }
}
