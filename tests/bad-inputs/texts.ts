/** Texts: of blkparse in every encoding, and of other programs. */
import { readFileSync } from 'node:fs'
import * as foreign from './foreign'
import type { BadInput } from './table'

const text = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8')
const blkparse = () => text('blkparse.txt')
/** Number of events in the fixture `blkparse.txt`. */
const EVENTS = 14
const bigEndian = (words: string) => Buffer.from(words, 'utf16le').swap16()

export const TEXTS: readonly BadInput[] = [
  {
    fault: 'output of vmstat without a trace',
    name: 'vmstat.txt',
    make: () =>
      Buffer.from(
        ' r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st\n 1  0 0 17 0 149 0 0 1 0 305 222 6 65 29 0 0\n',
      ),
    codes: [],
    byItself: true,
  },
  {
    fault: 'output of iostat without a trace, cut within a line',
    name: 'iostat.txt',
    make: () =>
      Buffer.from(
        'Linux 6.12.95 (h) \t11/22/26 \t_x86_64_\t(2 CPU)\n\nDevice            r/s     rkB/s  %util\nvda              1.00   4.',
      ),
    codes: ['counters-only'],
    byItself: true,
  },
  {
    fault: 'blkparse text with CRLF',
    name: 'windows.txt',
    make: () => Buffer.from(blkparse().replaceAll('\n', '\r\n')),
    codes: [],
    events: EVENTS,
  },
  {
    fault: 'blkparse text with a byte order mark',
    name: 'bom.txt',
    make: () => Buffer.from(`\ufeff${blkparse()}`),
    codes: [],
    events: EVENTS,
  },
  {
    fault: 'blkparse text in UTF-16',
    name: 'utf16.txt',
    make: () => Buffer.from(`\ufeff${blkparse()}`, 'utf16le'),
    codes: [],
    events: EVENTS,
  },
  {
    fault: 'blkparse text in big-endian UTF-16',
    name: 'utf16be.txt',
    make: () => bigEndian(`\ufeff${blkparse()}`),
    codes: [],
    events: EVENTS,
  },
  {
    fault: 'only the summary of blkparse',
    name: 'summary.txt',
    make: () => Buffer.from(blkparse().slice(blkparse().indexOf('CPU'))),
    codes: [],
    byItself: true,
  },
  { fault: 'a mail', name: 'mail.eml', make: () => Buffer.from(foreign.MAIL), codes: ['text-not-understood'] },
  { fault: 'output of btt', name: 'btt.txt', make: () => Buffer.from(text('btt.txt')), codes: [], byItself: true },
  {
    fault: 'ftrace without block events',
    name: 'trace',
    make: () => Buffer.from(foreign.FTRACE_IDLE),
    codes: ['no-block-events'],
  },
  {
    fault: 'scsi events that perf did not decode',
    name: 'script.txt',
    make: () =>
      Buffer.from(
        '  fio  1382 [001]    87.561218:   scsi:scsi_dispatch_cmd_start: [FAILED TO PARSE] host_no=0 channel=0 id=0 lun=0 opcode=40 cmd_len=10 driver_tag=47 scheduler_tag=228 data_sglen=1 prot_sglen=0 prot_op=0 cmnd=(\n',
      ),
    codes: ['undecoded-commands'],
  },
  {
    fault: 'an nvme event cut within its command',
    name: 'nvme.txt',
    make: () =>
      Buffer.from('  fio-1 [000] ..... 1.000001: nvme_setup_cmd: nvme0: disk=nvme0n1, qid=1, nsid=1, flags=0x0\n'),
    codes: ['text-not-understood'],
  },
  {
    fault: 'a CSV of MSR Cambridge with headings only',
    name: 'hm_1.csv',
    make: () => Buffer.from('Timestamp,Hostname,DiskNumber,Type,Offset,Size,ResponseTime\n'),
    codes: ['no-events'],
  },
  {
    fault: 'a CSV of MSR Cambridge that ends within a line',
    name: 'hm_1.csv',
    make: () =>
      Buffer.from(
        '128166372003061629,hm,1,Read,383496192,32768,58000\n'.repeat(3).concat('128166372003061629,hm,1,Rea'),
      ),
    codes: ['cut-line'],
    events: 6,
  },
  { fault: 'a line of 100 MB', name: 'long.txt', make: () => Buffer.alloc(100 << 20, 'a'), codes: ['not-a-trace'] },
  {
    fault: 'a table without a unit',
    name: 'table.txt',
    make: () => Buffer.from('kernel,writers,result\n6.1,1,23.4\n6.12,1,18.9\n'),
    codes: ['text-not-understood'],
  },
  {
    fault: 'a table of which only the headings are left',
    name: 'headings.txt',
    make: () => Buffer.from('| Kernel | 1 dd | 2 dds |\n+--------+------+-------+\nwrite speed (MB/s)\n'),
    codes: ['text-not-understood'],
  },
  {
    fault: 'rates in prose',
    name: 'prose.txt',
    make: () =>
      Buffer.from('Reads dropped from 429 MB/s to 81 MB/s on\n14 drives, and from 541 MB/s with\n28 of them.\n'),
    codes: ['text-not-understood'],
  },
  {
    fault: 'a report of fio that is cut',
    name: 'fio.json',
    make: () => Buffer.from('{"fio version": "fio-3.33", "jobs": [{"jobname": "a", "read": {"iops": 12.5, "bw_byt'),
    codes: ['not-a-trace'],
  },
]
