/** Texts at their worst: traces as text, notes, counters and results of benchmarks. */
import { life, records } from './records'
import { always, type WorstCase } from './worst'

const numbered = (n: number, item: (i: number) => string): string =>
  Array.from({ length: n }, (_, i) => item(i)).join('')
const alone = (name: string, text: (scale: number) => string): WorstCase => ({
  name,
  files: scale => [['text.txt', text(scale)]],
})
const beside = (name: string, text: (scale: number) => string): WorstCase => ({
  name,
  files: scale => [
    ['trace.blktrace.0', records(400, life)],
    ['beside.txt', text(scale)],
  ],
})
/** So many MB of a piece. */
const filled = (piece: string, mb: number): string => piece.repeat(Math.ceil((mb * 1e6) / piece.length))

const blkparse = (i: number) =>
  `  8,0    0 ${i + 1} ${(i * 1e-6).toFixed(9)}   100  ${'QGDC'[i % 4]}   R ${8 * (i >> 2)} + 8 [fio]\n`
const ftrace = (i: number) =>
  `  fio-${i} [000] d..2. ${(100 + i * 1e-6).toFixed(6)}: block_rq_issue: 8,0 R 4096 () ${8 * i} + 8 [fio]\n`
const IOSTAT = 'Linux 6.12.95 ((none)) \t11/22/26 \t_x86_64_\t(2 CPU)\n'
const device = (i: number) => `sd${i} 1.00 2.00 3.00 4.00\n`
const report = (second: number, disks: number) =>
  `\n11/22/26 05:${String(22 + Math.floor(second / 60)).padStart(2, '0')}:${String(second % 60).padStart(2, '0')}\nDevice r/s rkB/s r_await %util\n${numbered(disks, device)}`

export const TEXTS: readonly WorstCase[] = [
  alone('numbers', scale => numbered(150_000 * scale, i => `${i}\n`)),
  alone('lines of one character', scale => filled('x\n', scale)),
  alone('one line', scale => filled('x', 10 * scale)),
  alone('one line of digits', scale => filled('1', 10 * scale)),
  alone('one line of a CSV', scale => filled('1,', 2 * scale)),
  alone('JSON that is nested', scale => filled('[', scale)),
  alone('JSON of one list', scale => `{"fio version": "fio-3.33", "jobs": [${'1,'.repeat(500_000 * scale)}1]}`),
  alone('jobs of fio', scale => {
    const job = (i: number) =>
      `{"jobname": "a${i}", "groupid": 0, "read": {"iops": ${i}, "bw_bytes": 51200, "clat_ns": {"mean": 5}}}`
    return `{"fio version": "fio-3.33", "jobs": [${Array.from({ length: 8000 * scale }, (_, i) => job(i)).join()}]}`
  }),
  alone('a table of many rows', scale => `Kernel,1 dd,2 dds\n${numbered(50_000 * scale, i => `2.6.${i},${i},${i}\n`)}`),
  alone(
    'a table of many columns',
    scale => `Kernel,${numbered(50_000 * scale, i => `${i} dds,`)}\n2.6.1,${numbered(50_000 * scale, i => `${i},`)}\n`,
  ),
  always(
    alone('tables of two rows', scale =>
      numbered(
        10_000 * scale,
        i => `| kernel | 1 | 2 |\n|---|---|---|\n| 6.${i} | 5 MB/s | 7 MB/s |\n| 6.12 | 6 MB/s | 9 MB/s |\n\n`,
      ),
    ),
  ),
  alone('a trace printed by blkparse', scale => numbered(25_000 * scale, blkparse)),
  alone('a trace printed by ftrace, each line of another task', scale => numbered(20_000 * scale, ftrace)),
  always(alone('a trace, and lines that mean nothing', scale => `${numbered(8, blkparse)}${filled('x\n', scale)}`)),
  alone('a trace, and one line', scale => `${numbered(8, blkparse)}${filled('x', 10 * scale)}`),
  beside('a note of numbers', scale => numbered(150_000 * scale, i => `${i}\n`)),
  beside('a note of settings', scale =>
    numbered(40_000 * scale, i => `/sys/block/sd${i}/queue/scheduler: [none] bfq\n`),
  ),
  beside(
    'a note of disks',
    scale =>
      `NAME MAJ:MIN RM SIZE RO TYPE MOUNTPOINT\n${numbered(30_000 * scale, i => `sd${i} 8:${i} 0 10G 0 disk\n`)}`,
  ),
  always(
    beside('a note of arrays', scale =>
      numbered(
        10_000 * scale,
        i => `md${i} : active raid5 sdb1[0] sdc1[1]\n      1000 blocks level 5, 64k chunk, algorithm 2 [3/3] [UUU]\n\n`,
      ),
    ),
  ),
  always(beside('iostat of 10,000 disks', scale => `${IOSTAT}${numbered(3 * scale, s => report(s, 10_000))}`)),
  beside('iostat of many reports', scale => `${IOSTAT}${numbered(8000 * scale, s => report(s % 3000, 1))}`),
  beside('iostat of one report', scale => `${IOSTAT}${report(0, 50_000 * scale)}`),
  beside(
    'iostat of many columns',
    scale =>
      `${IOSTAT}\n11/22/26 05:22:00\nDevice r/s ${'x/s '.repeat(125_000 * scale)}\nvda ${'1.00 '.repeat(125_000 * scale)}\n`,
  ),
]
