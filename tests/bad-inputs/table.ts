/** Every bad input: how its bytes are made, and its codes. The words are in tests/golden/texts.txt. */
import { gzipSync } from 'node:zlib'
import { container, entry, flipByte, gzipNested, tar, zip } from './boxes'
import * as foreign from './foreign'
import { FORMATS } from './formats'
import * as r from './records'
import { TEXTS } from './texts'

export interface BadInput {
  /** What is wrong with the input; unique in the table, and the title of its test. */
  readonly fault: string
  readonly name: string
  readonly make: () => Buffer
  /** Codes of the errors or warnings: at least these. Empty: nothing is wrong with it after all. */
  readonly codes: readonly string[]
  /** Events that can be read all the same; absent: none, and no run opens. */
  readonly events?: number
  /** Set if nothing is wrong with the input next to a trace: the command then gets it alone. */
  readonly byItself?: true
  /**
   * Read with this `--range`, by itself and on the command line only: the page asks for the range once the file is
   * known.
   */
  readonly range?: string
  /** Shown instead by the page, which reports each file that could be a trace. */
  readonly page?: { readonly codes: readonly string[]; readonly files: readonly string[] }
}

const wholeRun = () => Buffer.concat(r.firstRecords())
const all = r.EVENTS

/** Cut within the fourth record, behind each field of its header. */
const CUTS: readonly BadInput[] = Object.entries(r.AT).map(([field, offset]) => {
  const bytes = field === 'payload' ? offset + 3 : offset + Math.max(1, offset === 0 ? 4 : 0)
  return {
    fault: field === 'payload' ? 'cut inside the payload' : `cut at ${field}`,
    name: `${field}.blktrace.0`,
    make: () => r.truncateAfter(bytes),
    codes: ['truncated-tail'],
    events: 3,
  }
})

const RECORDS: readonly BadInput[] = [
  { fault: 'magic only', name: 'sda.blktrace.0', make: () => wholeRun().subarray(0, 4), codes: ['truncated-tail'] },
  {
    fault: 'cut in its first record',
    name: 'sda.blktrace.0',
    make: () => r.truncateAfter(0).subarray(0, 40),
    codes: ['truncated-tail'],
  },
  ...CUTS,
  {
    fault: 'bit flip in an action',
    name: 'sda.blktrace.0',
    make: () => r.changeEvent(20, record => record.writeUInt8(record.readUInt8(r.AT.action) ^ 0x40, r.AT.action)),
    codes: ['unknown-action'],
    events: all - 1,
  },
  {
    fault: 'bit flip in a payload length',
    name: 'sda.blktrace.0',
    make: () => r.changeEvent(20, record => record.writeUInt16LE(record.readUInt16LE(r.AT.pdu_len) ^ 4, r.AT.pdu_len)),
    codes: ['bad-record'],
    events: all - 1,
  },
  {
    fault: 'absurd payload length',
    name: 'sda.blktrace.0',
    make: () => r.changeEvent(20, record => record.writeUInt16LE(0xffff, r.AT.pdu_len)),
    codes: ['bad-record'],
    events: all - 1,
  },
  {
    fault: 'absurd payload length in a long file',
    name: 'sda.blktrace.0',
    make: () =>
      Buffer.concat([
        r.changeEvent(20, record => record.writeUInt16LE(0xfff0, r.AT.pdu_len)),
        ...Array.from({ length: 8 }, r.firstEvents).flat(),
      ]),
    codes: ['bad-record'],
    events: 9 * all - 1,
  },
  {
    fault: 'bit flip in a device',
    name: 'sda.blktrace.0',
    make: () =>
      r.changeEvent(20, record => record.writeUInt32LE(record.readUInt32LE(r.AT.device) ^ 0x100, r.AT.device)),
    codes: ['lost-events'],
    events: all,
  },
  {
    fault: 'version 9',
    name: 'new.blktrace.0',
    make: () => r.changeEach(r.firstRecords(), record => record.writeUInt8(9, 0)),
    codes: ['unsupported-version'],
  },
  {
    fault: 'binary output of the blk tracer of Linux 6.19',
    name: 'trace.bin',
    make: () => Buffer.concat(r.firstEvents().map(r.brokenBin)),
    codes: ['broken-bin-output'],
  },
  {
    fault: 'version 6',
    name: 'old.blktrace.0',
    make: () => r.changeEach(r.firstRecords(), record => record.writeUInt8(6, 0)),
    codes: ['unsupported-version'],
  },
  {
    fault: 'version 9 behind version 7',
    name: 'mixed.blktrace.0',
    make: () => Buffer.concat([...r.firstRecords(), r.changeEach(r.firstEvents(), record => record.writeUInt8(9, 0))]),
    codes: ['unsupported-version'],
    events: all,
  },
  {
    fault: 'sectors of all ones',
    name: 'ones.blktrace.0',
    make: () => r.changeEach(r.firstRecords(), record => record.fill(0xff, r.AT.sector, r.AT.sector + 8)),
    codes: ['number-outliers'],
    // Events without a length, such as flushes, have no sector that could be wrong.
    events: r.firstEvents().filter(record => record.readUInt32LE(r.AT.bytes) === 0).length,
  },
  {
    fault: 'all of every event but kind and device of all ones',
    name: 'ones.blktrace.0',
    make: () =>
      r.changeEach(r.firstEvents(), record =>
        record.fill(0xff, r.AT.time, r.AT.action).fill(0xff, r.AT.pid, r.AT.device).fill(0xff, r.AT.cpu, r.AT.pdu_len),
      ),
    codes: ['time-outliers'],
  },
  {
    fault: 'times going backwards',
    name: 'back.blktrace.0',
    make: () => Buffer.concat(r.firstEvents().reverse()),
    codes: ['clock-steps'],
    events: all,
  },
  {
    fault: 'bit flip in a time',
    name: 'flip.blktrace.0',
    make: () =>
      r.changeEvent(20, record => record.writeBigUInt64LE(record.readBigUInt64LE(r.AT.time) ^ (1n << 43n), r.AT.time)),
    // The sequence number of the dropped event is missing, too.
    codes: ['time-outliers', 'lost-events'],
    events: all - 1,
  },
  {
    fault: 'a clock that steps back by 20 s',
    name: 'clock.blktrace.0',
    make: () =>
      r.changeEach(r.firstEvents(), (record, i) =>
        record.writeBigUInt64LE(record.readBigUInt64LE(r.AT.time) - (i > 90 ? 20_000_000_000n : 0n), r.AT.time),
      ),
    codes: ['clock-steps'],
    events: all,
  },
  {
    fault: 'a jump of 100 years',
    name: 'jump.blktrace.0',
    make: () =>
      r.changeEach(r.firstEvents(), (record, i) =>
        record.writeBigUInt64LE(
          record.readBigUInt64LE(r.AT.time) + (i > 90 ? 3_155_760_000_000_000_000n : 0n),
          r.AT.time,
        ),
      ),
    codes: ['time-outliers'],
    events: 91,
  },
  {
    fault: 'a million devices',
    name: 'devices.blktrace.0',
    make: () => r.millionEvents(r.AT.device),
    codes: ['too-many-devices'],
    events: 1024,
  },
  {
    fault: 'a million tasks of 2^32',
    name: 'tasks.blktrace.0',
    make: () => r.millionEvents(r.AT.pid),
    codes: ['too-many-tasks'],
    events: 1_000_000,
  },
  {
    fault: 'a million CPUs',
    name: 'cpus.blktrace.0',
    make: () => r.millionEvents(r.AT.cpu),
    codes: ['too-many-cpus'],
    events: 8192,
  },
  {
    fault: 'only names of processes',
    name: 'sda.blktrace.0',
    make: () => Buffer.concat(r.firstRecords().filter(record => r.isNote(record) && !r.isMessage(record))),
    codes: ['no-events'],
  },
  { fault: 'only messages', name: 'sda.blktrace.0', make: r.messages, codes: ['no-events'] },
  {
    fault: 'a message of a cgroup, shorter than its id',
    name: 'sda.blktrace.0',
    make: r.shortCgroupMessages,
    codes: [],
    events: all + 1,
  },
  {
    fault: 'two files with junk between',
    name: 'both.blktrace.0',
    make: () => Buffer.concat([...r.firstRecords(), foreign.noise(1000), ...r.firstEvents()]),
    codes: ['bad-record'],
    events: 2 * all,
  },
  {
    fault: 'both byte orders',
    name: 'both.blktrace.0',
    make: () => Buffer.concat([...r.firstRecords(), r.bigEndian(r.firstEvents())]),
    codes: ['bad-record'],
    events: all,
  },
  {
    fault: 'transferred in text mode',
    name: 'text-mode.blktrace.0',
    make: () =>
      r.textMode(
        Buffer.concat([
          ...r.firstRecords(),
          ...Array.from({ length: 300 }, (_, i) => r.firstEvents()[i % all] ?? Buffer.alloc(0)),
        ]),
      ),
    codes: ['bad-record'],
    events: 0,
  },
  {
    fault: 'wrong magic',
    name: 'wrong.blktrace.0',
    make: () => r.changeEach(r.firstRecords(), record => record.writeUInt8(0x66, 3)),
    codes: ['not-a-trace'],
  },
  { fault: 'records by the name of a text', name: 'trace.txt', make: wholeRun, codes: [], events: all },
]

const FOREIGN: readonly BadInput[] = (
  [
    ['junk', 'junk.blktrace.0', () => foreign.noise(5000)],
    ['junk shorter than a record', 'short.blktrace.0', () => foreign.noise(20, 7)],
    ['a megabyte of zeros', 'sda.blktrace.0', () => Buffer.alloc(1 << 20)],
    ['a JPEG', 'holiday.jpg', foreign.jpeg],
    ['a PNG of seekwatcher', 'seeks.png', foreign.png],
    ['an SVG of iowatcher', 'trace.svg', () => Buffer.from(foreign.SVG)],
    ['a PDF', 'report.pdf', foreign.pdf],
    ['a login page instead of the file', 'sda.blktrace.0', () => Buffer.from(foreign.LOGIN)],
    ['JSON of something else', 'package.json', () => Buffer.from(foreign.JSON_TEXT)],
    ['a program', 'blkparse', foreign.elf],
    ['a pcap', 'capture.pcap', foreign.pcap],
    ['a pcapng', 'capture.pcapng', foreign.pcapng],
    ['a database', 'history.sqlite', foreign.sqlite],
    ['a RAR', 'run.rar', foreign.rar],
    ['a 7-zip', 'run.7z', foreign.sevenZip],
  ] as const
).map(([fault, name, make]) => ({ fault, name, make, codes: ['not-a-trace'] }))

const trace = () => wholeRun()
const ARCHIVES: readonly BadInput[] = [
  {
    fault: 'paths that lead outside',
    name: 'outside.tar',
    make: () => container('outside.tar'),
    codes: ['no-events'],
    events: 187,
  },
  {
    fault: 'symbolic and hard links',
    name: 'links.tar',
    make: () =>
      tar(
        entry('run/passwd', Buffer.alloc(0), { type: '2', link: '/etc/passwd' }),
        entry('run/again', Buffer.alloc(0), { type: '1', link: 'run/sda.blktrace.0' }),
        entry('run/sda.blktrace.0', trace()),
      ),
    codes: [],
    events: all,
  },
  { fault: 'a bomb', name: 'bomb.zst', make: () => container('bomb.zst'), codes: ['archive-limit'] },
  {
    fault: 'a bomb in a zip',
    name: 'bomb.zip',
    make: () => zip({ name: 'bomb.zst', content: container('bomb.zst'), method: 0 }),
    codes: ['archive-limit'],
  },
  {
    fault: 'ten layers of gzip',
    name: 'deep.gz',
    make: () => gzipNested(trace(), 10),
    codes: ['archive-limit'],
  },
  {
    fault: 'a cut gzip',
    name: 'cut.blktrace.0.gz',
    make: () => gzipSync(trace()).subarray(0, 1500),
    codes: ['damaged-archive'],
    events: 0,
  },
  {
    fault: 'a zstd with a window of 2 GiB',
    name: 'long.blktrace.0.zst',
    // Magic, no flags, window; a last block, raw, of no bytes: as `zstd --long=31` writes from a pipe.
    make: () => Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, (31 - 10) << 3, 1, 0, 0]),
    codes: ['unsupported-archive'],
  },
  {
    fault: 'a gzip cut in its header',
    name: 'cut.gz',
    make: () => gzipSync(trace()).subarray(0, 5),
    codes: ['damaged-archive'],
  },
  {
    fault: 'an xz with a wrong checksum',
    name: 'sda.blktrace.1.xz',
    make: () => flipByte(container('trace.blktrace.1.xz'), -28),
    codes: ['damaged-archive'],
    events: 0,
  },
  {
    fault: 'a bzip2 with a bad block',
    name: 'sda.blktrace.1.bz2',
    make: () => flipByte(container('trace.blktrace.1.bz2'), 1800),
    codes: ['damaged-archive'],
    events: 0,
  },
  {
    fault: 'a zip whose header says too little',
    name: 'sizes.zip',
    make: () => zip({ name: 'sda.blktrace.0', content: trace(), packed: 1500 }),
    codes: ['damaged-archive'],
    events: 0,
  },
  {
    fault: 'a zip whose header says too much',
    name: 'sizes.zip',
    make: () => zip({ name: 'sda.blktrace.0', content: trace(), packed: 1 << 30 }),
    codes: ['damaged-archive'],
    events: all,
  },
  {
    fault: 'an encrypted zip',
    name: 'secret.zip',
    make: () => zip({ name: 'sda.blktrace.0', content: trace(), flags: 1 }),
    codes: ['unsupported-archive'],
  },
  {
    fault: 'a zip of an unknown method',
    name: 'method.zip',
    make: () => zip({ name: 'sda.blktrace.0', content: trace(), method: 99 }),
    codes: ['unsupported-archive'],
  },
  {
    fault: 'a tar that promises 64 GiB',
    name: 'size.tar',
    make: () => tar(entry('sda.blktrace.0', trace(), { size: 2 ** 36 })),
    codes: ['archive-limit'],
  },
  {
    fault: 'an empty zip',
    name: 'empty.zip',
    make: () => Buffer.concat([Buffer.from('PK\x05\x06', 'latin1'), Buffer.alloc(18)]),
    codes: ['empty-archive'],
  },
  { fault: 'an empty gzip', name: 'empty.gz', make: () => gzipSync(Buffer.alloc(0)), codes: ['empty-file'] },
  {
    fault: 'an archive of notes',
    name: 'notes.tar',
    make: () =>
      tar(entry('run/notes.txt', Buffer.from(foreign.MAIL)), entry('run/uname.txt', Buffer.from('Linux 6.12.0\n'))),
    codes: ['no-trace'],
    page: { codes: ['text-not-understood'], files: ['notes.tar/run/notes.txt', 'notes.tar/run/uname.txt'] },
  },
]

const EMPTY: readonly BadInput[] = [
  {
    fault: 'no bytes',
    name: 'sda.blktrace.0',
    make: () => Buffer.alloc(0),
    codes: ['empty-file'],
  },
]

const WINDOWS: readonly BadInput[] = [
  {
    fault: 'a time window behind its end',
    name: 'sda.blktrace.0',
    make: wholeRun,
    range: '3600:',
    codes: ['empty-window'],
  },
  {
    fault: 'a time window between two events',
    name: 'sda.blktrace.0',
    make: wholeRun,
    range: '0.000000001:0.000000002',
    codes: ['empty-window'],
  },
]

export const TABLE: readonly BadInput[] = [
  ...RECORDS,
  ...WINDOWS,
  ...FOREIGN,
  ...ARCHIVES,
  ...EMPTY,
  ...TEXTS,
  ...FORMATS,
]
