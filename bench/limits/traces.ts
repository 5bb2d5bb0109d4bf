/** Recordings at their worst: many of everything that has a number, and events that no kernel writes. */
import { Action, life, message, processNote, type RecordFields, records } from './records'
import { always, type WorstCase } from './worst'

const { Q, M, G, D, C, R, X } = Action

/** One recording in one file. */
const recording = (
  name: string,
  count: number,
  fields: (i: number, count: number) => RecordFields,
  version: 7 | 8 = 7,
): WorstCase => ({
  name,
  files: scale => [['a/sda.blktrace.0', records(count * scale, i => fields(i, count * scale), version)]],
})

/** The first half of the events begins something, the second half is about all of it. */
const halves =
  (begin: (i: number) => RecordFields, after: (i: number) => RecordFields) =>
  (i: number, count: number): RecordFields =>
    2 * i < count ? begin(i) : { ...after(i - Math.ceil(count / 2)), time: 1000 * (i + 1) }

/**
 * Sectors whose keys share a slot in a table of the engine, if its hash is known (`lifecycle/sector_table.rs`): undone
 * step by step.
 */
function collidingSector(i: number): bigint {
  const word = (n: bigint) => BigInt.asUintN(64, n)
  const inverse = (odd: bigint) => {
    let x = odd
    for (let step = 0; step < 6; step++) x = word(x * (2n - odd * x))
    return x
  }
  const mixed = word(BigInt(i + 1) * inverse(0xd6e8_feb8_6659_fd93n))
  return word((mixed ^ (mixed >> 32n)) * inverse(0x9e37_79b9_7f4a_7c15n))
}

const eventAt = (i: number, action: number, sector: number | bigint, sectors = 8): RecordFields => ({
  time: 1000 * (i + 1),
  action,
  sector,
  sectors,
})
const MAX_SECTORS = 0x7f_ffff
/** `top` with its shortest intervals. */
const TOP = ['top', '--json', '--interval', '0.1']
/** Category of zone appends, in the upper half of an action. */
const APPEND = 1

export const TRACES: readonly WorstCase[] = [
  {
    name: '4,096 files of one CPU each',
    files: scale =>
      Array.from(
        { length: 4096 },
        (_, cpu) => [`a/sda.blktrace.${cpu}`, records(4 * scale, i => ({ ...life(i), cpu }))] as const,
      ),
  },
  recording('256 devices', 20_000, i => ({ ...life(i), minor: (i >> 2) % 256 })),
  recording('events that all differ', 40_000, i => ({
    ...eventAt(i, i % 2 === 0 ? Q : C, 8 * (i >> 1), 1 + (i % 60_000)),
    pid: i % 16_000,
  })),
  recording('100,000 tasks', 40_000, i => (i % 2 === 0 ? processNote(i) : { ...life(i), pid: i })),
  recording('8,192 CPUs whose clocks go back', 40_000, (i, count) => ({ ...life(count - i), cpu: i % 8192 })),
  recording('messages heavier than events', 20_000, i =>
    i % 10 === 0 ? life(i) : message(i, 'bfq limit '.repeat(10)),
  ),
  recording('requests that only begin', 40_000, i => eventAt(i, Q, 8 * i)),
  recording('requests that only begin, all at one sector', 40_000, i => eventAt(i, Q, 0)),
  always(recording('requests that only begin, all in 64 KiB', 40_000, i => eventAt(i, Q, i % 128, 1))),
  recording('issues without completions, all at one sector', 40_000, i => eventAt(i, D, 0)),
  recording('everything at one sector', 40_000, i => ({ ...life(i), sector: 0 })),
  recording('times that decrease', 40_000, (i, count) => ({ ...life(count - i), time: 1000 * (count - i) })),
  recording('payloads of 64 KiB', 60, i => ({ ...life(i), payload: Buffer.alloc(65_535) })),
  recording('messages of 64 KiB', 60, i => (i === 0 ? life(0) : message(i, 'x'.repeat(65_535)))),
  recording('version 8', 40_000, life, 8),
  recording('requests that are merged without end', 40_000, i => eventAt(i, i === 0 ? Q : i % 2 === 1 ? Q : M, 8 * i)),
  recording('requests that are handed back again and again', 40_000, i => eventAt(i, i % 2 === 0 ? D : R, 0)),
  always(recording('sectors of one slot', 40_000, i => eventAt(i, D, collidingSector(i)))),
  always(
    recording(
      'issues that span all that waits',
      40_000,
      halves(
        i => eventAt(i, Q, 256 * i, MAX_SECTORS),
        i => eventAt(i, D, 256 * i, MAX_SECTORS - 1),
      ),
    ),
  ),
  always(
    recording(
      'splits of what does not wait',
      40_000,
      halves(
        i => eventAt(i, Q, 8 * i),
        i => ({ ...eventAt(i, X, 1), payload: Buffer.from('0000000000000001', 'hex') }),
      ),
    ),
  ),
  always(
    recording(
      'appends that complete nowhere',
      40_000,
      halves(
        i => eventAt(i, D, 8 * i),
        i => ({ ...eventAt(i, C, 2 ** 40, 9), high: APPEND }),
      ),
      8,
    ),
  ),
  recording(
    'one queue of everything',
    40_000,
    halves(
      i => eventAt(i, G, 8 * i),
      i => eventAt(i, C, 8 * i),
    ),
  ),
  // Of 25 tasks in each interval, the others have names only.
  always({
    ...recording('intervals with few of very many tasks', 40_000, (i, count) =>
      i < count / 2
        ? { ...processNote(i), time: 0 }
        : { ...life(i), pid: 1 + ((i >> 2) % (count / 2)), time: Math.floor(i / 100) * 100_000_000 + 1000 * (i % 100) },
    ),
    command: TOP,
  }),
  recording('a name for each of many tasks', 40_000, i => (i === 0 ? life(0) : processNote(i))),
]
