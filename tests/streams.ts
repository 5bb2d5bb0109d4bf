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

/** Contents of the per-CPU files, by name. */
export const cpuFiles = (folder: string): ReadonlyMap<string, Buffer> =>
  new Map(
    readdirSync(join(FIXTURES, folder))
      .filter(name => name.includes('.blktrace.'))
      .map(name => [name, readFileSync(join(FIXTURES, folder, name))]),
  )

/** The complete records of a file. */
export function recordsOf(bytes: Buffer): readonly Buffer[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const records: Buffer[] = []
  for (
    let offset = 0, length = recordLength(view, 0);
    length > 0;
    offset += length, length = recordLength(view, offset)
  )
    records.push(bytes.subarray(offset, offset + length))
  return records
}

/** Buffers in the order in which they are written. */
export function buffersOf(folder: string): readonly Buffer[] {
  const buffers = new Map<string, { slot: bigint; cpu: number; records: Buffer[] }>()
  for (const [cpu, bytes] of [...cpuFiles(folder).values()].entries()) {
    let written = 0n
    for (const record of recordsOf(bytes)) {
      const slot = record.readBigUInt64LE(8) / BUFFER_NS
      if (slot > written) written = slot
      const key = `${written} ${cpu}`
      const buffer = buffers.get(key) ?? { slot: written, cpu, records: [] }
      buffers.set(key, buffer)
      buffer.records.push(record)
    }
  }
  return [...buffers.values()]
    .sort((a, b) => Number(a.slot - b.slot) || a.cpu - b.cpu)
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

/** Number of bytes by which blktrace extends its files in advance. */
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
        // Written in two steps, so that a reader may see half of the last record.
        const half = Math.max(0, bytes.length - 20)
        writeSync(file.fd, bytes, 0, half, file.at)
        writeSync(file.fd, bytes, half, bytes.length - half, file.at + half)
        file.at += bytes.length
      }
    },
    end() {
      for (const { fd, at: length } of files) {
        ftruncateSync(fd, length)
        closeSync(fd)
      }
    },
  }
}
