/**
 * Counters, results of benchmarks, tables of other tracers and CSV: cut, with wrong columns, with times that go
 * backwards, with numbers out of range, and with a huge number of devices. Lines are those of the real tools (iostat
 * 12.6 to fio 3.33), shortened.
 */
import type { BadInput } from './table'

const textOf = (...lines: readonly string[]): Buffer => Buffer.from(`${lines.join('\n')}\n`)
const manyLines = (n: number, line: (i: number) => string): Buffer =>
  textOf(...Array.from({ length: n }, (_, i) => line(i)))
const truncate = (bytes: Buffer, count: number): Buffer => bytes.subarray(0, bytes.length - count)
/** Seconds since 05:22:00 as a time of day. */
const clockTime = (second: number): string =>
  `05:${String(22 + Math.floor(second / 60)).padStart(2, '0')}:${String(second % 60).padStart(2, '0')}`
const BANNER = 'Linux 6.12.95+deb12-amd64 ((none)) \t11/22/26 \t_x86_64_\t(2 CPU)'

const iostat = (second: number, row = 'vda     359.00   1436.00    0.00  29.60'): readonly string[] => [
  '',
  `11/22/26 ${clockTime(second)}`,
  'Device     r/s     rkB/s  r_await  %util',
  row,
]
const iostatJson = JSON.stringify({
  sysstat: {
    hosts: [
      {
        date: '11/22/26',
        statistics: [0, 1, 2].map(s => ({
          timestamp: `11/22/26 ${clockTime(s)}`,
          disk: [{ disk_device: 'vda', 'r/s': 9, util: 12.5 }],
        })),
      },
    ],
  },
})
const sadfJson = (times: readonly number[], util = 25) =>
  textOf(
    JSON.stringify({
      sysstat: {
        hosts: [
          {
            'file-date': '2026-11-22',
            statistics: times.map(s => ({
              timestamp: { date: '2026-11-22', time: clockTime(s), utc: 1, interval: 1 },
              disk: [{ 'disk-device': 'vda', tps: 359, 'util-percent': util }],
            })),
          },
        ],
      },
    }),
  )
const VMSTAT = [
  'procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu----- -----timestamp-----',
  ' r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st                 UTC',
]
const vmstat = (second: number) =>
  ` 1  0      0 176671      0 149536    0    0     0     0  152  223  3  7 90  0  0 2026-11-22 ${clockTime(second)}`
const diskstats = (up: string, rows: readonly string[]) => [`uptime ${up} 6.02`, ...rows]
const disk = (minor: number, n = 3) => ` 254 ${minor} vd${minor} ${n} 0 24 12 0 0 0 0 0 12 12 0 0 0 0 0 0`
const pressure = (up: string, total: string) => [
  `uptime ${up} 6.02`,
  `some avg10=0.00 avg60=0.00 avg300=0.00 total=${total}`,
]
const MPSTAT = '05:21:59     CPU    %usr   %nice    %sys %iowait   %idle'
const SAR = '05:22:00          DEV       tps     rkB/s     wkB/s     %util'

/** Inputs of which the readable part are results, which open without a run. */
const OPENS_AS_RESULTS: ReadonlySet<string> = new Set([
  'iostat with times that go backwards',
  'iostat of 20,000 devices',
  'JSON of iostat that is cut',
  'vmstat that is cut within a row',
  'vmstat with times that go backwards',
  'vmstat with numbers out of range',
  'sar with rows of other columns',
  'JSON of sadf that is cut',
  'JSON of sadf with times that go backwards',
  'JSON of sadf with numbers out of range',
  'diskstats that is cut within a row',
])

/** Counters alone open no run, so that each of these is read by itself. */
const COUNTERS: readonly BadInput[] = (
  [
    [
      'iostat with rows of other columns',
      'iostat.txt',
      () => textOf(BANNER, ...iostat(0), ...iostat(1, 'vda 1.00 2.00'), ...iostat(2, 'vda 1 2 3 4 5')),
    ],
    [
      'iostat with times that go backwards',
      'iostat.txt',
      () => textOf(BANNER, ...iostat(0), ...iostat(1), ...iostat(2), ...iostat(1), ...iostat(3)),
    ],
    [
      'iostat with numbers out of range',
      'iostat.txt',
      () => textOf(BANNER, ...iostat(0), ...iostat(1, `vda -1.00 ${'9'.repeat(400)} 0.00 12.00`)),
    ],
    [
      'iostat of 20,000 devices',
      'iostat.txt',
      () =>
        Buffer.concat([
          textOf(BANNER, ...iostat(0)),
          manyLines(20_000, i => `sd${i}     359.00   1436.00    0.00  29.60`),
        ]),
    ],
    [
      'iostat of 100,000 columns',
      'iostat.txt',
      () => textOf('Device r/s '.padEnd(500_000, 'x/s '), `vda ${'1.00 '.repeat(100_000)}`),
    ],
    ['JSON of iostat that is cut', 'iostat.json', () => truncate(Buffer.from(iostatJson), 60)],
    [
      'mpstat that is cut within a number',
      'mpstat.txt',
      () => truncate(textOf(BANNER, '', MPSTAT, '05:22:00     all   11.73    0.00   20.92    0.00   66.84'), 3),
    ],
    [
      'mpstat with rows of other columns',
      'mpstat.txt',
      () =>
        textOf(
          BANNER,
          '',
          MPSTAT,
          '05:22:00     all   11.73    0.00',
          '05:22:00  4294967296 11.73 0.00 20.92 0.00 66.84',
        ),
    ],
    [
      'vmstat that is cut within a row',
      'vmstat.txt',
      () => truncate(textOf(...VMSTAT, vmstat(0), vmstat(1), vmstat(2)), 50),
    ],
    [
      'vmstat with times that go backwards',
      'vmstat.txt',
      () => textOf(...VMSTAT, vmstat(0), vmstat(3), vmstat(1), vmstat(2)),
    ],
    [
      'vmstat with numbers out of range',
      'vmstat.txt',
      () => textOf(...VMSTAT, vmstat(0), vmstat(1).replace('152', '9'.repeat(30))),
    ],
    [
      'sar with rows of other columns',
      'sar.txt',
      () =>
        textOf(
          BANNER,
          '',
          SAR,
          '05:22:01          vda    359.00   1436.00      0.00     29.60',
          '05:22:01          vdb    359.00',
        ),
    ],
    [
      'sar that is cut within a row',
      'sar.txt',
      () => truncate(textOf(BANNER, '', SAR, '05:22:01          vda    359.00   1436.00      0.00     29.60'), 20),
    ],
    ['JSON of sadf that is cut', 'sadf.json', () => truncate(sadfJson([1, 2, 3]), 80)],
    ['JSON of sadf with times that go backwards', 'sadf.json', () => sadfJson([1, 3, 2])],
    ['JSON of sadf with numbers out of range', 'sadf.json', () => sadfJson([1, 2], -1)],
    [
      'diskstats that is cut within a row',
      'diskstats.txt',
      () => truncate(textOf(...diskstats('1.65', [disk(0)]), ...diskstats('2.65', [disk(0, 9)])), 9),
    ],
    [
      'diskstats with times that go backwards',
      'diskstats.txt',
      () =>
        textOf(
          ...diskstats('2.65', [disk(0)]),
          ...diskstats('1.65', [disk(0, 9)]),
          ...diskstats('3.65', [disk(0, 12)]),
        ),
    ],
    [
      'diskstats of 20,000 devices',
      'diskstats.txt',
      () =>
        textOf(
          ...diskstats(
            '1.65',
            Array.from({ length: 20_000 }, (_, i) => disk(i)),
          ),
          ...diskstats('2.65', [disk(0, 9)]),
        ),
    ],
    [
      'pressure that is cut within a total',
      'pressure.txt',
      () => truncate(textOf(...pressure('1.65', '9336'), ...pressure('2.65', '19336')), 4),
    ],
    [
      'pressure whose totals are out of range',
      'pressure.txt',
      () => textOf(...pressure('1.65', '0'), ...pressure('1.66', '18446744073709551615')),
    ],
  ] as const
).map(([fault, name, make]) => ({
  fault,
  name,
  make,
  codes: OPENS_AS_RESULTS.has(fault) ? [] : ['counters-only'],
  byItself: true,
}))

const fio = (iops: string) =>
  textOf(
    `{"fio version": "fio-3.33", "jobs": [{"jobname": "a", "groupid": 0, "read": {"iops": ${iops}, "bw_bytes": 51200, "clat_ns": {"mean": 5}}}]}`,
  )
const fioPlus = (bins: string) =>
  textOf(
    `{"fio version": "fio-3.33", "jobs": [{"jobname": "a", "groupid": 0, "read": {"iops": 12.5, "bw_bytes": 51200, "clat_ns": {"mean": 5, "bins": {${bins}}}}}]}`,
  )
const RESULTS: readonly BadInput[] = [
  {
    fault: 'JSON of fio without a job',
    name: 'fio.json',
    make: () => textOf('{"fio version": "fio-3.33", "jobs": []}'),
    codes: ['not-a-trace'],
    byItself: true,
  },
  {
    fault: 'JSON of fio with rates out of range',
    name: 'fio.json',
    make: () => fio('-12.5'),
    codes: [],
    byItself: true,
  },
  {
    fault: 'JSON+ of fio that is cut in its bins',
    name: 'fio.json',
    make: () => truncate(fioPlus('"1000": 5, "2000": 7'), 12),
    codes: [],
    byItself: true,
  },
  {
    fault: 'JSON of bpftrace that is cut in its buckets',
    name: 'usecs.json',
    make: () =>
      Buffer.from('{"type": "hist", "data": {"@usecs": [{"min": 64, "max": 127, "count": 10}, {"min": 128, "ma'),
    codes: [],
    byItself: true,
  },
  {
    fault: 'JSON of bpftrace with negative counts',
    name: 'usecs.json',
    make: () => textOf('{"type": "hist", "data": {"@usecs": [{"min": 64, "max": 127, "count": -10}]}}'),
    codes: ['not-a-trace'],
    byItself: true,
  },
  {
    fault: 'a dictionary of biolatency with an unknown unit',
    name: 'biolatency.txt',
    make: () =>
      textOf(
        "{'ts': '2023-02-06 14:02:39', 'val_type': 'frobs', 'data': [{'interval-start': 0, 'interval-end': 1, 'count': 3}]}",
      ),
    codes: ['text-not-understood'],
    byItself: true,
  },
  {
    fault: 'text of fio that is cut before its rates',
    name: 'fio.txt',
    make: () =>
      Buffer.from(
        'randread: (g=0): rw=randread, bs=(R) 4096B-4096B, ioengine=psync, iodepth=1\nfio-3.33\nStarting 1 process\n',
      ),
    codes: ['text-not-understood'],
  },
  {
    fault: 'a terse line of fio that is cut',
    name: 'fio.terse',
    make: () => Buffer.from('3;fio-3.33;ph2;0;0;1224;4567;570;268;22;2215;203.484196;261.794881;528;66'),
    codes: ['text-not-understood'],
  },
  {
    fault: 'a table whose cells do not fit its headings',
    name: 'mail.txt',
    make: () => textOf('Kernel,1 dd,2 dds', '2.6.33,,', '2.6.34,,,,'),
    codes: ['text-not-understood'],
  },
]

const BIOSNOOP = 'TIME                COMM           PID     DISK    T SECTOR     BYTES  LAT(ms)'
const biosnoop = (second: number, rest = 'R 24704      4096      0.42') =>
  `2026-11-22 ${clockTime(second)} fio            1382    vda     ${rest}`
const msr = (i: number, offset = String(4096 * i)) =>
  `${128_166_372_003_061_629n + BigInt(i) * 10_000n},hm,1,Read,${offset},4096,58`
const alibaba = (i: number, device = 419) => `${device},W,${4096 * i},4096,${1_577_808_144_360_767 + 100 * i}`
const VSCSI = 'ts,lbn,len,cmd,rt'
const TRACES: readonly BadInput[] = [
  {
    fault: 'dated biosnoop that is cut within a row',
    name: 'biosnoop.txt',
    make: () => truncate(textOf(BIOSNOOP, biosnoop(0), biosnoop(1), biosnoop(2)), 30),
    codes: ['cut-line'],
    events: 4,
  },
  {
    fault: 'dated biosnoop with rows of other columns',
    name: 'biosnoop.txt',
    make: () => textOf(BIOSNOOP, biosnoop(0), biosnoop(1, '24704 R'), biosnoop(2)),
    codes: ['odd-lines'],
    events: 4,
  },
  {
    fault: 'dated biosnoop with times that go backwards',
    name: 'biosnoop.txt',
    make: () => textOf(BIOSNOOP, biosnoop(5), biosnoop(1), biosnoop(3)),
    codes: [],
    events: 6,
  },
  {
    fault: 'dated biosnoop with numbers out of range',
    name: 'biosnoop.txt',
    make: () =>
      textOf(
        BIOSNOOP,
        biosnoop(0),
        biosnoop(3),
        biosnoop(4),
        biosnoop(1, `R ${'9'.repeat(30)} 4096 0.42`),
        biosnoop(2, 'R 8 99999999999 0.42'),
      ),
    codes: ['odd-lines'],
    events: 6,
  },
  {
    fault: 'a CSV of MSR Cambridge with other columns',
    name: 'hm_1.csv',
    make: () => textOf(msr(0), msr(1), msr(2), '1,2,3', msr(3)),
    codes: ['odd-lines'],
    events: 8,
  },
  {
    fault: 'a CSV of MSR Cambridge with times that go backwards',
    name: 'hm_1.csv',
    make: () => textOf(msr(9), msr(5), msr(7)),
    codes: [],
    events: 6,
  },
  {
    fault: 'a CSV of MSR Cambridge with numbers out of range',
    name: 'hm_1.csv',
    make: () => textOf(msr(0), msr(1), msr(2), msr(3, '9'.repeat(30))),
    codes: ['odd-lines'],
    events: 6,
  },
  {
    fault: 'a CSV of Alibaba of 20,000 devices',
    name: 'alibaba.csv',
    make: () => manyLines(20_000, i => alibaba(i, i)),
    codes: ['too-many-devices'],
    events: 1024,
  },
  {
    fault: 'a CSV of Alibaba that is cut within a row',
    name: 'alibaba.csv',
    make: () => truncate(manyLines(5, alibaba), 20),
    codes: ['cut-line'],
    events: 4,
  },
  {
    fault: 'a CSV of CloudPhysics with other columns and numbers out of range',
    name: 'vscsi.csv',
    make: () =>
      textOf(
        VSCSI,
        ...[1, 2, 3].map(i => `${1000 + i},2048,4096,42,250`),
        '1100,2048',
        '1200,-5,4096,42,250',
        '1300,16,4096,0x28,99999999999999999999',
        '1400,16,4096,40,50',
      ),
    codes: ['odd-lines'],
    events: 8,
  },
  {
    fault: 'a CSV of CloudPhysics without a column of commands',
    name: 'vscsi.csv',
    make: () => textOf('ts,lbn,len', '1000,2048,4096', '1100,2048,4096'),
    codes: ['text-not-understood'],
  },
  {
    fault: 'nvme events in which queues and commands are out of range',
    name: 'nvme.txt',
    make: () =>
      textOf(
        ...[0, 1, 2].map(
          i =>
            `  fio-1 [000] ..... 1.00000${i}: nvme_setup_cmd: nvme0: disk=nvme0n1, qid=1, cmdid=${i}, nsid=1, flags=0x0, meta=0x0, cmd=(nvme_cmd_read slba=${8 * i}, len=7, ctrl=0x0, dsmgmt=0, reftag=0)`,
        ),
        `  fio-1 [000] ..... 1.000003: nvme_setup_cmd: nvme0: disk=nvme0n1, qid=1, cmdid=9, nsid=1, flags=0x0, meta=0x0, cmd=(nvme_cmd_read slba=${'9'.repeat(30)}, len=7, ctrl=0x0)`,
        '  fio-1 [000] d.h1. 1.000004: nvme_complete_rq: nvme0: disk=nvme0n1, qid=1, cmdid=0, res=0x0, retries=0, flags=0x0, status=0x0',
      ),
    codes: ['odd-lines'],
    events: 4,
  },
  {
    fault: 'nvme events of 20,000 disks',
    name: 'nvme.txt',
    make: () =>
      manyLines(
        20_000,
        i =>
          `  fio-1 [000] ..... 1.${String(i).padStart(6, '0')}: nvme_setup_cmd: nvme${i}: disk=nvme${i}n1, qid=1, cmdid=1, nsid=1, flags=0x0, meta=0x0, cmd=(nvme_cmd_read slba=8, len=7, ctrl=0x0, dsmgmt=0, reftag=0)`,
      ),
    codes: ['too-many-devices'],
    events: 1024,
  },
  {
    fault: 'scsi events with times that go backwards, cut within the last',
    name: 'scsi.txt',
    make: () =>
      truncate(
        textOf(
          ...[3, 1, 2].map(
            i =>
              `  fio-9 [000] ..... 55.90000${i}: scsi_dispatch_cmd_start: host_no=0 channel=0 id=0 lun=0 data_sgl=1 prot_sgl=0 prot_op=SCSI_PROT_NORMAL driver_tag=${i} scheduler_tag=9 cmnd=(WRITE_10 lba=${8 * i} txlen=8 protect=0 raw=2a 00 00 00 60 80 00 00 08 00)`,
          ),
        ),
        60,
      ),
    codes: ['cut-line', 'clock-steps'],
    events: 2,
  },
  {
    fault: 'block_io_start and block_io_done with other fields, cut within the last',
    name: 'trace.txt',
    make: () =>
      truncate(
        textOf(
          ...[2, 3].flatMap(i => [
            `  fio-294 [000] .....    ${i}.791299: block_io_start: 259,0 WS 131072 () 24704 + 256 be,0,4 [fio]`,
            `  fio-294 [000] d.h1.    ${i}.795487: block_io_done: 259,0 WS 0 () 24704 + 0 none,0,0 [fio]`,
          ]),
          '  fio-294 [000] .....    12.791301: block_io_start: 259,0 WS sector=24704',
          '  fio-294 [000] .....    12.796299: block_io_start: 259,0 WS 131072 () 24960 + 256 be,0,4 [fio]',
        ),
        12,
      ),
    codes: ['odd-lines', 'cut-line'],
    events: 4,
  },
]

/** A trace of Perfetto, made from the description of its messages: packets with one completion of 254:0 each. */
const field = (number: number, value: number | Buffer): Buffer => {
  const varint = (n: number): number[] => (n < 128 ? [n] : [(n % 128) + 128, ...varint(Math.floor(n / 128))])
  const tag = varint(number * 8 + (typeof value === 'number' ? 0 : 2))
  return typeof value === 'number'
    ? Buffer.from([...tag, ...varint(value)])
    : Buffer.concat([Buffer.from([...tag, ...varint(value.length)]), value])
}
const packet = (i: number): Buffer => {
  const complete = [
    field(1, 254 * 256),
    field(2, 8 * i),
    field(3, 8),
    field(4, 0),
    field(5, Buffer.from('WS')),
    field(6, Buffer.alloc(0)),
  ]
  const event = Buffer.concat([field(1, 1000 * i), field(2, 77), field(125, Buffer.concat(complete))])
  return field(1, field(1, Buffer.concat([field(1, 0), field(2, event)])))
}
const packets = (n: number): Buffer[] => Array.from({ length: n }, (_, i) => packet(i))
const PERFETTO: readonly BadInput[] = [
  {
    fault: 'a trace of Perfetto that is cut',
    name: 'trace.pftrace',
    make: () => truncate(Buffer.concat(packets(9)), 5),
    codes: ['truncated-tail'],
    events: 8,
  },
  {
    fault: 'a trace of Perfetto with damage in its middle',
    name: 'trace.perfetto-trace',
    make: () => Buffer.concat([...packets(200), field(1, Buffer.alloc(40, 0xff)), ...packets(4)]),
    codes: ['bad-record'],
    events: 204,
  },
  {
    fault: 'a trace of Perfetto without block events',
    name: 'trace.pftrace',
    make: () =>
      Buffer.concat(
        Array.from({ length: 9 }, () =>
          field(1, field(1, field(2, Buffer.concat([field(1, 5), field(4, field(1, 1))])))),
        ),
      ),
    codes: ['no-block-events'],
  },
  {
    fault: 'a trace of Perfetto with commands of nvme only, whose sectors it does not record',
    name: 'trace.pftrace',
    make: () => {
      const command = [
        field(1, Buffer.from('nvme_setup_cmd')),
        field(2, Buffer.concat([field(1, Buffer.from('qid')), field(4, 1)])),
      ]
      const event = Buffer.concat([field(1, 5), field(2, 77), field(327, Buffer.concat(command))])
      return Buffer.concat(Array.from({ length: 9 }, () => field(1, field(1, field(2, event)))))
    },
    codes: ['no-block-events'],
  },
  {
    fault: 'a trace of Perfetto whose description of a generic event is cut',
    name: 'trace.pftrace',
    make: () =>
      Buffer.concat([
        ...packets(9),
        field(1, field(1, field(11, truncate(field(2, field(1, Buffer.from('block_io_start'))), 6)))),
      ]),
    codes: [],
    events: 9,
  },
]

export const FORMATS: readonly BadInput[] = [...COUNTERS, ...RESULTS, ...TRACES, ...PERFETTO]
