/**
 * Files of trace-cmd, perf and Perfetto whose offsets and sizes lie: parts that are read again and again, and parts
 * that are bombs.
 */
import { deflateSync } from 'node:zlib'
import { always, type WorstCase } from './worst'

type Field = readonly [value: number, width: 1 | 2 | 4 | 8] | string | Buffer

/** Little-endian numbers of so many bytes, texts with their NUL, and bytes. */
const bytes = (...fields: readonly Field[]): Buffer =>
  Buffer.concat(
    fields.map(field => {
      if (typeof field === 'string') return Buffer.from(`${field}\0`, 'latin1')
      if (Buffer.isBuffer(field)) return field
      const [value, width] = field
      const number = Buffer.alloc(8)
      number.writeBigUInt64LE(BigInt(value))
      return number.subarray(0, width)
    }),
  )
const times = (n: number, item: (i: number) => Buffer): Buffer =>
  Buffer.concat(Array.from({ length: n }, (_, i) => item(i)))
const zeros = (mebibytes: number) => deflateSync(Buffer.alloc(mebibytes << 20), { level: 9 })
const worstFile = (name: string, path: string, content: (scale: number) => Buffer): WorstCase => ({
  name,
  files: scale => [[path, content(scale)]],
})

/** A trace.dat of version 7: its header, and what begins behind it. `sections` get the byte at which they begin. */
function traceDat(sections: (start: number) => Buffer): Buffer {
  const header = (first: number) =>
    bytes(Buffer.from([0x17, 0x08, 0x44]), Buffer.from('tracing'), '7', [0, 1], [8, 1], [4096, 4], 'zlib', '1.2', [
      first,
      8,
    ])
  const { length } = header(0)
  return Buffer.concat([header(length), sections(length)])
}

const section = (id: number, packed: boolean, content: Buffer): Buffer =>
  bytes([id, 2], [packed ? 1 : 0, 2], [0, 4], [content.length, 8], content)
const option = (id: number, value: Buffer): Buffer => bytes([id, 2], [value.length, 4], value)
const chunk = (packed: Buffer, size: number): Buffer => bytes([packed.length, 4], [size, 4], packed)
const TASKS = 21
const BUFFER = 3
const OPTIONS = 0
const LAYOUTS = 16
const HEADER = 16

/** Where the fields of a page are. */
const PAGE =
  '\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n\tfield: char data;\toffset:16;\tsize:4080;\tsigned:1;\n'
const LAYOUT = section(
  LAYOUTS,
  false,
  bytes('header_page', [PAGE.length, 8], Buffer.from(PAGE), 'header_event', [0, 8]),
)

/** Options about what begins behind them. */
const options = (start: number, entries: (behind: number) => Buffer): Buffer => {
  const end = option(OPTIONS, bytes([0, 8]))
  const behind = start + HEADER + entries(0).length + end.length
  return section(OPTIONS, false, Buffer.concat([entries(behind), end]))
}

const BOMB = zeros(32)
const tasks = (scale: number) => times(20_000 * scale, i => Buffer.from(`${i} task\n`))

/** A perf.data of attributes whose ids are all of the file, and samples of each layout. */
function perfData(attributes: number, samples: number): Buffer {
  const SIZE = 80
  const sample = times(samples, i => bytes([9, 4], [0, 2], [24, 2], [i, 8], [0, 8]))
  const start = 104
  const whole = start + attributes * SIZE + sample.length
  // Kinds of samples in turns: with their id alone, with an address behind it.
  const attribute = (i: number) =>
    bytes(
      [0, 4],
      [64, 4],
      Buffer.alloc(16),
      [i % 2 === 0 ? 1 << 16 : (1 << 16) | 8, 8],
      Buffer.alloc(32),
      [0, 8],
      [whole, 8],
    )
  const header = bytes(
    Buffer.from('PERFILE2'),
    [start, 8],
    [SIZE, 8],
    [start, 8],
    [attributes * SIZE, 8],
    [start + attributes * SIZE, 8],
    [sample.length, 8],
  )
  return Buffer.concat([
    header,
    Buffer.alloc(start - header.length),
    times(attributes, i => attribute(i).subarray(0, SIZE)),
    sample,
  ])
}

const varint = (n: number): number[] => (n < 128 ? [n] : [(n % 128) + 128, ...varint(Math.floor(n / 128))])
const message = (number: number, content: Buffer): Buffer =>
  Buffer.concat([Buffer.from([...varint(number * 8 + 2), ...varint(content.length)]), content])
const PACKED = 50

export const BINARIES: readonly WorstCase[] = [
  always(
    worstFile('trace.dat: names of tasks, again and again', 'trace.dat', scale =>
      traceDat(start => {
        const list = options(start, behind => times(2000 * scale, () => option(TASKS, bytes([behind, 8]))))
        const text = tasks(scale)
        return Buffer.concat([list, section(TASKS, false, bytes([text.length, 8], text))])
      }),
    ),
  ),
  always(
    worstFile('trace.dat: a bomb of names, again and again', 'trace.dat', scale =>
      traceDat(start => {
        const list = options(start, behind => times(200 * scale, () => option(TASKS, bytes([behind, 8]))))
        return Buffer.concat([list, section(TASKS, true, chunk(BOMB, 32 << 20))])
      }),
    ),
  ),
  always(
    worstFile('trace.dat: samples of each CPU that are bombs', 'trace.dat', scale =>
      traceDat(start => {
        const cpus = 40 * scale
        const pages = bytes([1, 4], chunk(BOMB, 32 << 20))
        const list = options(start, behind => {
          const buffer = behind + LAYOUT.length
          const table = times(cpus, cpu =>
            bytes([cpu, 4], [buffer + HEADER + cpu * pages.length, 8], [pages.length, 8]),
          )
          return Buffer.concat([
            option(LAYOUTS, bytes([behind, 8])),
            option(BUFFER, bytes([buffer, 8], '', 'local', [4096, 4], [cpus, 4], table)),
          ])
        })
        return Buffer.concat([
          list,
          LAYOUT,
          section(
            BUFFER,
            true,
            times(cpus, () => pages),
          ),
        ])
      }),
    ),
  ),
  always(
    worstFile('perf.data: attributes whose ids are all of the file', 'perf.data', scale =>
      perfData(2000 * scale, 10_000 * scale),
    ),
  ),
  always(
    worstFile('Perfetto: packets that are bombs', 'trace.pftrace', scale =>
      times(60 * scale, () => message(1, message(PACKED, BOMB))),
    ),
  ),
  worstFile('Perfetto: packets of nothing', 'trace.pftrace', scale =>
    times(200_000 * scale, () => message(1, message(1, Buffer.alloc(0)))),
  ),
  worstFile('Perfetto: one packet of fields', 'trace.pftrace', scale =>
    message(
      1,
      times(300_000 * scale, () => Buffer.from([8, 1])),
    ),
  ),
]
