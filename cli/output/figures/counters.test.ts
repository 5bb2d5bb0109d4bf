/** Counters next to a recorded trace, in `summary`. The recording: tests/README.md. */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { CompareDocument, Comparison } from '../../../web/engine/protocol'
import type { SummaryCounters } from '../../../web/engine/summary'
import { ROOT, run, traces } from '../../testing/run'

const PSYNC = join(ROOT, 'tests/counters/psync.tar.xz')

const named = (counters: readonly SummaryCounters[] | undefined, file: string) =>
  counters?.find(source => source.file.endsWith(`/${file}`))
const mean = (source: SummaryCounters | undefined, subject: string, name: string) =>
  source?.lanes.find(lane => lane.of === subject && lane.name === name)?.mean ?? Number.NaN

test('what iostat counted agrees with the trace, and iowait is that of synchronous reads', async () => {
  const [trace] = await traces([PSYNC])
  const iostat = named(trace?.counters, 'iostat-x-t.txt')
  expect(iostat?.what).toBe('iostat -x: 15 reports of vda, vdb')
  expect(iostat?.clock).toBeDefined()
  const device = trace?.devices[0]
  // The intervals of iostat are placed to about a second.
  for (const [counted, traced] of [
    [mean(iostat, 'vda', 'rkB/s'), device?.throughput?.read_bps],
    [mean(iostat, 'vda', 'wkB/s'), device?.throughput?.write_bps],
    [mean(iostat, 'vda', 'aqu-sz'), device?.depth?.mean],
  ]) {
    expect((counted ?? 0) / (traced ?? 0)).toBeGreaterThan(0.8)
    expect((counted ?? 0) / (traced ?? 0)).toBeLessThan(1.2)
  }
  expect(mean(iostat, 'vdb', 'rkB/s')).toBe(0)
  for (const [file, name] of [
    ['iostat-x-t.txt', '%iowait'],
    ['mpstat-P-ALL.txt', '%iowait'],
    ['sar.txt', '%iowait'],
    ['vmstat-t.txt', 'wa'],
  ] as const) {
    const share = mean(named(trace?.counters, file), 'machine', name)
    expect(share, file).toBeGreaterThan(0.1)
    expect(share, file).toBeLessThan(0.4)
  }
})

test('a file without times is listed with the reason; logs of fio are notes', async () => {
  const [[trace], { status, stdout }] = await Promise.all([traces([PSYNC]), run(['summary', PSYNC])])
  const untimed = named(trace?.counters, 'iostat-d-k-p.txt')
  expect(untimed).toMatchObject({ what: 'iostat -d: 15 reports of vda, vdb', absent: expect.any(String), lanes: [] })
  expect(untimed?.clock).toBeUndefined()
  expect(status).toBe(0)
  expect(stdout).toMatch(/^ {4}vda %util +[0-9.]+% +[0-9.]+% +[0-9.]+%$/m)
  expect(stdout).toMatch(/^[\x20-\x7e\n]+$/)
  expect(stdout.split('\n').filter(line => line.length > 80)).toEqual([])
  expect(named(trace?.counters, 'rr_lat.1.log')).toMatchObject({
    what: expect.stringMatching(/^fio log: [0-9]+ reports$/),
    absent: expect.any(String),
    lanes: [],
  })
})

test('twins have the same figures: text, JSON and CSV of one file of sar, and what the kernel counted', async () => {
  const [trace] = await traces([PSYNC])
  const files = ['sar.txt', 'sadf.json', 'sadf-d.csv'].map(file => named(trace?.counters, file))
  for (const name of ['%util', 'aqu-sz', 'rkB/s', 'wkB/s', 'await']) {
    const [text, json, csv] = files.map(source => mean(source, 'vda', name))
    expect(json, name).toBeCloseTo(text ?? Number.NaN, 6)
    expect(csv, name).toBeCloseTo(text ?? Number.NaN, 6)
  }
  expect(mean(files[1], 'machine', '%iowait')).toBeCloseTo(mean(files[0], 'machine', '%iowait'), 6)
  // Other samples at other moments of the same seconds.
  const share = (value: number, to: number) => expect(value / to).toBeCloseTo(1, 0)
  const disk = trace?.devices[0]
  for (const file of ['diskstats.txt', 'sysblockstat.txt']) {
    const source = named(trace?.counters, file)
    expect(source?.clock).toContain('since boot')
    const subject = file === 'diskstats.txt' ? 'vda' : 'unnamed device'
    share(mean(source, subject, 'aqu-sz'), disk?.depth?.mean ?? Number.NaN)
    share(mean(source, subject, 'rkB/s'), disk?.throughput?.read_bps ?? Number.NaN)
  }
  share(mean(named(trace?.counters, 'stat.txt'), 'machine', '%iowait'), mean(files[0], 'machine', '%iowait'))
  // The text does not name the resource: the first block is that of io, as sadf shows.
  share(mean(named(trace?.counters, 'pressure.txt'), 'machine', '1st some'), mean(files[1], 'machine', 'io some'))
  expect(named(trace?.counters, 'iostat-x.json')).toMatchObject({
    what: 'iostat -o JSON: 15 reports of vda, vdb',
    absent: expect.any(String),
  })
})

test('a comparison lists their means as context, with no verdict', async () => {
  const other = join(ROOT, 'tests/fixtures/io-errors')
  const [json, text] = await Promise.all([run(['compare', '--json', PSYNC, other]), run(['compare', PSYNC, other])])
  const { context, figures, findings } = JSON.parse(json.stdout) as CompareDocument & Comparison
  const [trace] = await traces([PSYNC])
  const iowait = context?.find(row => row.tool === 'iostat -x' && row.name === '%iowait')
  expect(iowait).toEqual({
    ...{ tool: 'iostat -x', of: 'machine', name: '%iowait', unit: 'share' },
    values: [mean(named(trace?.counters, 'iostat-x-t.txt'), 'machine', '%iowait'), null],
  })
  expect(JSON.stringify([figures, findings])).not.toContain('iowait')
  expect(text.stdout).toMatch(/^ {2}vda %util \(iostat -x\) +[0-9.]+% +-$/m)
  expect(text.stdout.split('\n').filter(line => line.length > 72)).toEqual([])
})

test('counters alone are named', async () => {
  const { status, stderr } = await run(['summary', '-'], {
    input: Buffer.from('avg-cpu:  %user %nice %system %iowait %steal %idle\n 1.00 0.00 2.00 3.00 0.00 94.00\n'),
  })
  expect(status).toBe(1)
  expect(stderr).toMatch(/counters-only: /)
})
