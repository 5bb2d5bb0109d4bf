/** Archives at their worst: bombs, thousands of entries, and containers in containers. */
import { gzipSync } from 'node:zlib'
import { entry, tar, zip } from '../../tests/bad-inputs/boxes'
import { crc32 } from '../../tests/bad-inputs/zlib'
import { life, records } from './records'
import { always, type WorstCase } from './worst'

const TRACE = records(40, life)
const TEXT = Buffer.from('Linux version 6.12.0-1-amd64\nWhat the machine had to say about this run.\n')
/** Lines that the reader of texts has to look at one by one. */
const CHANGING = 'word\nab cd\nrow 1 2\na-b: c\n'
const numbered = <T>(n: number, item: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => item(i))
const packed = (name: string, content: Buffer): Iterable<readonly [string, Buffer]> => [
  [name, gzipSync(content, { level: 9 })],
]

/** A table of 200 figures; those of another table have other names. */
const tableOf = (table: number): string =>
  `test,MB/s,IOPS\n${numbered(200, row => `w${table}r${row},${table * 200 + row}.5,${row}7\n`).join('')}`

/** A packed tar of what `entries` makes. */
function packedTar(
  name: string,
  entries: (scale: number) => readonly Buffer[],
  more: Pick<WorstCase, 'command'> = {},
): WorstCase {
  return {
    name,
    files: scale => packed('all.tar.gz', tar(...entries(scale))),
    unpacked: scale => entries(scale).map(buffer => buffer.length),
    ...more,
  }
}

const traces = (scale: number) => numbered(100 * scale, i => entry(`run${i}/trace.blktrace.0`, TRACE))

const END_OF_ZIP = 22
/** A zip of files of these names. */
const zipped = (name: string, least: number, content: Buffer, nameOf: (i: number) => string): WorstCase => ({
  name,
  files: scale => [
    [
      'all.zip',
      Buffer.concat(numbered(least * scale, i => zip({ name: nameOf(i), content }).subarray(0, -END_OF_ZIP))),
    ],
  ],
  unpacked: scale => numbered(least * scale, () => content.length),
})
/** `x`, compressed by bzip2 -9, and by xz -9 without a checksum. */
const BZIP2_OF_X = Buffer.from('QlpoOTFBWSZTWXdLsBQAAAAAgABAIAAhGEaC7kinChIO6XYCgA==', 'base64')
const XZ_OF_X = Buffer.from('/Td6WFoAAAD/EtlBAgAhARwAAAAQz1jMAQAAeAAAAAAAAREBraZYBAZynnoBAAAAAABZWg==', 'base64')
/** A stream of bzip2 of nothing: magic, level, magic of the end, checksum. */
const BZIP2_OF_NOTHING = Buffer.from('425a683917724538509000000000', 'hex')
/** A frame of zstd with one raw block of `x`. */
const ZSTD_OF_X = Buffer.from('28b52ffd20010900' + '0078', 'hex')

/** A file of very many streams, one after another. */
const streams = (name: string, count: number, stream: Buffer): WorstCase => ({
  name,
  files: scale => [['many.compressed', Buffer.alloc(count * scale * stream.length, stream)]],
})

const METHOD = 8
const CHECKSUM = 14
const UNPACKED = 22
/** An entry of a zip that is compressed otherwise than by deflate. */
function compressedEntry(name: string, method: number, data: Buffer, content: Buffer): Buffer {
  const zipped = Buffer.from(zip({ name, content: data, method: 0 }).subarray(0, -END_OF_ZIP))
  zipped.writeUInt16LE(method, METHOD)
  zipped.writeUInt32LE(crc32(content), CHECKSUM)
  zipped.writeUInt32LE(content.length, UNPACKED)
  return zipped
}
const X = Buffer.from('x')
const compressedEntries = (name: string, count: number, method: number, data: Buffer): WorstCase => ({
  name,
  files: scale => [['all.zip', Buffer.concat(numbered(count * scale, i => compressedEntry(`${i}`, method, data, X)))]],
  unpacked: scale => numbered(count * scale, () => 1),
})

const zeros = (megabytes: number) => Buffer.alloc(megabytes * 1e6)

export const ARCHIVES: readonly WorstCase[] = [
  always(packedTar('small traces, summarised', traces)),
  always(packedTar('small traces, compared', scale => traces(2 * scale), { command: ['compare'] })),
  packedTar('small traces, their noise', traces, { command: ['noise'] }),
  packedTar('texts', scale =>
    numbered(1000 * scale, i => (i === 0 ? entry('run/trace.blktrace.0', TRACE) : entry(`run/${i}.txt`, TEXT))),
  ),
  packedTar('texts as long as they are looked at', scale =>
    numbered(100 * scale, i =>
      i === 0 ? entry('run/trace.blktrace.0', TRACE) : entry(`run/${i}.txt`, Buffer.alloc(128 << 10, TEXT)),
    ),
  ),
  packedTar('tables beside a trace', scale =>
    numbered(25 * scale, i =>
      i === 0 ? entry('run/trace.blktrace.0', TRACE) : entry(`run/${i}.txt`, Buffer.from(tableOf(i))),
    ),
  ),
  packedTar('long texts beside a trace', scale =>
    numbered(2 * scale, i =>
      i === 0 ? entry('run/trace.blktrace.0', TRACE) : entry(`run/${i}.txt`, Buffer.alloc(1 << 20, CHANGING)),
    ),
  ),
  packedTar('texts alone', scale => numbered(1000 * scale, i => entry(`run/${i}.txt`, TEXT))),
  packedTar('long texts alone', scale => numbered(10 * scale, i => entry(`run/${i}.txt`, Buffer.alloc(8 << 20, TEXT)))),
  packedTar('entries of one byte', scale => numbered(10_000 * scale, i => entry(`${i}`, Buffer.from('x')))),
  packedTar('entries of nothing', scale => numbered(10_000 * scale, i => entry(`${i}`, Buffer.alloc(0)))),
  packedTar('packed entries', scale => {
    const inner = gzipSync(TEXT)
    return numbered(2000 * scale, i => entry(`${i}.gz`, inner))
  }),
  packedTar('archives in an archive', scale => {
    const inner = gzipSync(tar(entry('trace.blktrace.0', TRACE)))
    return numbered(100 * scale, i => entry(`${i}.tar.gz`, inner))
  }),
  {
    name: 'zeros that are packed as well as can be',
    files: scale => packed('bomb.blktrace.0.gz', zeros(100 * scale)),
    unpacked: scale => [100e6 * scale],
  },
  {
    name: 'zeros packed twice',
    files: scale => packed('bomb.gz.gz', gzipSync(zeros(100 * scale), { level: 9 })),
    // It is refused for its ratio.
    unpacked: scale => [Math.min(100e6 * scale, 256 << 20)],
  },
  always(streams('bzip2 streams of nothing', 50_000, BZIP2_OF_NOTHING)),
  always(streams('bzip2 streams of a byte', 20_000, BZIP2_OF_X)),
  streams('gzip members of nothing', 50_000, gzipSync(Buffer.alloc(0))),
  streams('gzip members of a byte', 50_000, gzipSync(X)),
  streams('xz streams of a byte', 15_000, XZ_OF_X),
  streams('zstd frames of a byte', 100_000, ZSTD_OF_X),
  always(compressedEntries('entries of a byte by bzip2', 3000, 12, BZIP2_OF_X)),
  compressedEntries('entries of a byte by xz', 3000, 95, XZ_OF_X),
  compressedEntries('entries of a byte by zstd', 3000, 93, ZSTD_OF_X),
  packedTar('entries of a byte by bzip2, in a tar', scale =>
    numbered(3000 * scale, i => entry(`${i}.bz2`, BZIP2_OF_X)),
  ),
  always(zipped('names of 4 KiB, each of 2,000 folders', 300, TEXT, i => `${'d/'.repeat(2000)}${i}.txt`)),
  zipped('names of 60 KiB', 100, TEXT, i => `${'d'.repeat(60_000)}${i}`),
  zipped('a folder in a folder in a folder', 300, TRACE, i => `${'d/'.repeat(i)}trace.blktrace.0`),
]
