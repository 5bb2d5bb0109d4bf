/** Recordings of tests/fixtures as `blktrace -o -` writes them: for each 50 ms the buffer of each CPU, one after another. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { lengthAt } from '../web/engine/live/records'

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
  for (let at = 0, length = lengthAt(view, 0); length > 0; at += length, length = lengthAt(view, at)) found.push(bytes.subarray(at, at + length))
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
  return [...buffers.values()].sort((a, b) => Number(a.at - b.at) || a.cpu - b.cpu).map(({ records }) => Buffer.concat(records))
}

export const streamOf = (folder: string): Buffer => Buffer.concat(buffersOf(folder))
