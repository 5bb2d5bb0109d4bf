/** Makes hostile and broken archives. */
import { readFileSync } from 'node:fs'
import { crc32, deflateRawSync, gzipSync } from './zlib'

const CONTAINERS = new URL('../containers/', import.meta.url)

export const container = (name: string): Buffer => readFileSync(new URL(name, CONTAINERS))

const octal = (n: number, width: number) => `${n.toString(8).padStart(width - 1, '0')}\0`

/** One entry of a tar; `size` is that in its header, which may lie. */
export function entry(name: string, content: Buffer, { type = '0', link = '', size = content.length } = {}): Buffer {
  const header = Buffer.alloc(512)
  header.write(name, 0)
  header.write(octal(0o644, 8), 100)
  if (size < 8 ** 11) header.write(octal(size, 12), 124)
  else header.writeBigUInt64BE(BigInt(size), 128) && header.writeUInt8(0x80, 124)
  header.write(' '.repeat(8), 148)
  header.write(type, 156)
  header.write(link, 157)
  header.write('ustar\x0000', 257)
  header.write(
    `${octal(
      header.reduce((sum, byte) => sum + byte),
      7,
    )} `,
    148,
  )
  return Buffer.concat([header, content, Buffer.alloc(-content.length & 511)])
}

export const tar = (...entries: Buffer[]): Buffer => Buffer.concat([...entries, Buffer.alloc(1024)])

interface Zipped {
  readonly name: string
  readonly content: Buffer
  readonly method?: number
  readonly flags?: number
  /** Compressed size in the header, if it lies. */
  readonly packed?: number
}

/** A zip of one file, without a directory at its end: it is read from the front. */
export function zip({ name, content, method = 8, flags = 0, packed }: Zipped): Buffer {
  const data = method === 0 ? content : deflateRawSync(content)
  const header = Buffer.alloc(30)
  header.write('PK\x03\x04', 0, 'latin1')
  header.writeUInt16LE(20, 4)
  header.writeUInt16LE(flags, 6)
  header.writeUInt16LE(method, 8)
  header.writeUInt32LE(crc32(content), 14)
  header.writeUInt32LE(packed ?? data.length, 18)
  header.writeUInt32LE(content.length, 22)
  header.writeUInt16LE(name.length, 26)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 0, 'latin1')
  return Buffer.concat([header, Buffer.from(name), data, end])
}

/** Compresses a content again and again, `times` times. */
export function gzipNested(content: Buffer, times: number): Buffer {
  return times === 0 ? content : gzipNested(gzipSync(content), times - 1)
}

/** Inverts one byte of a file; a negative offset counts from its end. */
export function flipByte(file: Buffer, offset: number): Buffer {
  const copy = Buffer.from(file)
  const index = offset < 0 ? copy.length + offset : offset
  copy[index] = (copy[index] ?? 0) ^ 0xff
  return copy
}
