/** Files as one tar archive (POSIX pax), made while it is read. */
import { resolve as absolute, dirname, relative, sep } from 'node:path'
import type { InputFile } from '../input/find/inputs'

const BLOCK = 512
const READ_BYTES = 1 << 20
/** Limits of the classic header: 100 bytes of name, 11 octal digits of size. */
const LONGEST_NAME = 100
const LARGEST = 8 ** 11 - 1

/** `name` has `/` between folders. */
export interface ArchiveEntry {
  readonly name: string
  readonly size: number
  read(offset: number, length: number): Uint8Array
}

/** The innermost folder that contains both. */
const sharedFolder = (a: string, b: string): string =>
  a === b || `${b}${sep}`.startsWith(a.endsWith(sep) ? a : `${a}${sep}`) ? a : sharedFolder(dirname(a), b)

/** Archive entries with the folder of each file, after which runs are named. */
export function entriesOf(inputs: readonly InputFile[]): readonly ArchiveEntry[] {
  const files = inputs.map(input => absolute(input.path))
  const base = dirname(files.map(dirname).reduce(sharedFolder))
  return inputs.map((input, i) => ({
    name: relative(base, files[i] ?? input.name)
      .split(sep)
      .join('/'),
    size: input.size,
    read: (offset, length) => input.read(offset, length),
  }))
}

const padding = (size: number): number => (BLOCK - (size % BLOCK)) % BLOCK

/**
 * A header block. `type`: `0` a file, `x` pax records for the entry that follows.
 *
 *     offset  width  name
 *          0    100  name
 *        100      8  mode, octal
 *        108      8  uid
 *        116      8  gid
 *        124     12  size, octal
 *        136     12  mtime, octal
 *        148      8  checksum: the sum of all bytes, these being spaces
 *        156      1  type
 *        257      8  magic `ustar\0`, version `00`
 */
function header(name: string, size: number, type: '0' | 'x'): Buffer {
  const block = Buffer.alloc(BLOCK)
  block.write(name, 0, LONGEST_NAME)
  block.write('0000644\0', 100)
  block.write('0000000\0', 108)
  block.write('0000000\0', 116)
  block.write(`${Math.min(size, LARGEST).toString(8).padStart(11, '0')}\0`, 124)
  block.write(`${'0'.repeat(11)}\0`, 136)
  block.write(' '.repeat(8), 148)
  block.write(type, 156)
  block.write('ustar\u000000', 257)
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return block
}

/** `LENGTH key=value\n`; LENGTH includes its own digits. */
function paxRecord(key: string, value: string | number): string {
  const rest = Buffer.byteLength(` ${key}=${value}\n`)
  let length = rest + 1
  while (length !== rest + String(length).length) length = rest + String(length).length
  return `${length} ${key}=${value}\n`
}

/** Headers of an entry: one block, or three when name or size exceed the classic header. */
function headers({ name, size }: ArchiveEntry): Buffer {
  const classic = Buffer.byteLength(name) <= LONGEST_NAME && /^[\x20-\x7e]+$/.test(name)
  const records = Buffer.from(
    `${classic ? '' : paxRecord('path', name)}${size > LARGEST ? paxRecord('size', size) : ''}`,
  )
  const classicHeader = header(classic ? name : 'long-name', size, '0')
  return records.length === 0
    ? classicHeader
    : Buffer.concat([header('pax', records.length, 'x'), records, Buffer.alloc(padding(records.length)), classicHeader])
}

/** Bytes of the complete archive. */
export const tarSize = (entries: readonly ArchiveEntry[]): number =>
  entries.reduce((sum, entry) => sum + headers(entry).length + entry.size + padding(entry.size), 2 * BLOCK)

/** The bytes of the archive from `from` to `to`. Of files outside of that nothing is read. */
export function* tar(entries: readonly ArchiveEntry[], from = 0, to = tarSize(entries)): Generator<Uint8Array> {
  let position = 0
  for (const segment of segments(entries)) {
    const [begin, end] = [Math.max(0, from - position), Math.min(segment.size, to - position)]
    position += segment.size
    for (let offset = begin; offset < end; ) {
      const bytes = segment.read(offset, Math.min(READ_BYTES, end - offset))
      offset += bytes.length
      yield bytes
    }
  }
}

/** What an archive consists of, in its order. `read` returns at least one byte. */
interface ArchiveSegment {
  readonly size: number
  read(offset: number, length: number): Uint8Array
}

const inMemory = (bytes: Uint8Array): ArchiveSegment => ({
  size: bytes.length,
  read: (offset, length) => bytes.subarray(offset, offset + length),
})

function* segments(entries: readonly ArchiveEntry[]): Generator<ArchiveSegment> {
  for (const entry of entries) {
    yield inMemory(headers(entry))
    yield {
      size: entry.size,
      read(offset, length) {
        const bytes = entry.read(offset, length)
        // A file that became shorter is filled up, because the size is already in its header.
        return bytes.length > 0 ? bytes : Buffer.alloc(length)
      },
    }
    yield inMemory(Buffer.alloc(padding(entry.size)))
  }
  yield inMemory(Buffer.alloc(2 * BLOCK))
}
