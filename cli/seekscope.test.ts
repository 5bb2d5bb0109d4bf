import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import type { SummaryTrace } from '../web/engine/summary'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const FIXTURES = join(ROOT, 'tests/fixtures')
const ERRORS = join(FIXTURES, 'io-errors')
const scratch = mkdtempSync(join(tmpdir(), 'seekscope-cli-'))
afterAll(() => rmSync(scratch, { recursive: true }))

const run = (args: readonly string[], input?: Buffer) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, 'cli/seekscope.mjs'), ...args], { encoding: 'utf8', input })
  return { status, stdout, stderr }
}

const traces = (args: readonly string[], input?: Buffer): SummaryTrace[] => {
  const { status, stdout, stderr } = run(['summary', '--json', ...args], input)
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  const document = JSON.parse(stdout) as { schema: number; traces: SummaryTrace[] }
  expect(document.schema).toBe(1)
  return document.traces
}

const devices = (args: readonly string[], input?: Buffer) => traces(args, input).flatMap(trace => trace.devices)

test('a directory, a base name, its files in any order and gzip give the same figures', () => {
  const files = readdirSync(ERRORS).map(name => join(ERRORS, name))
  for (const file of files) writeFileSync(join(scratch, `${file.split('/').pop()}.gz`), gzipSync(readFileSync(file)))
  const whole = devices([ERRORS])
  expect(whole).toHaveLength(1)
  expect(devices([join(ERRORS, 'trace')])).toEqual(whole)
  expect(devices([...files].reverse())).toEqual(whole)
  expect(devices([scratch])).toEqual(whole)
})

test('standard input is one file of any CPUs', () => {
  const both = Buffer.concat(readdirSync(ERRORS).map(name => readFileSync(join(ERRORS, name))))
  expect(devices(['-'], both)).toEqual(devices([ERRORS]))
})

test('one directory above, each recording is a trace of its own', () => {
  const folders = readdirSync(FIXTURES, { withFileTypes: true }).filter(entry => entry.isDirectory())
  const { status, stdout } = run(['summary', '--json', FIXTURES])
  expect(status).toBe(0)
  expect(JSON.parse(stdout).traces).toHaveLength(folders.length)
})

test('what cannot be read is said, and the others are still reported', () => {
  const junk = join(scratch, 'junk')
  writeFileSync(junk, Buffer.alloc(4096, 'no trace '))
  const { status, stdout, stderr } = run(['summary', '--json', 'no/such/trace', junk, ERRORS])
  expect(status).toBe(1)
  expect(stderr).toMatch(/^seekscope: no\/such\/trace: not-found: /m)
  expect(stderr).toMatch(/^seekscope: \S+junk: text-not-understood: /m)
  expect(JSON.parse(stdout).traces).toHaveLength(1)
  rmSync(junk)
})

test('a truncated file gives what is there, and a warning', () => {
  const cut = join(scratch, 'cut')
  writeFileSync(cut, readFileSync(join(ERRORS, 'trace.blktrace.1')).subarray(0, 3000))
  const [trace] = traces([cut])
  expect(trace?.quality.truncated_bytes).toBeGreaterThan(0)
  expect(trace?.quality.warnings.map(warning => warning.code)).toContain('truncated-tail')
  expect(trace?.devices[0]?.events.Q).toBeGreaterThan(0)
  rmSync(cut)
})

test.each([
  [],
  ['measure', 'trace'],
  ['summary'],
  ['summary', '--colour', 'trace'],
  ['summary', '--stripe', 'unit=256', 'trace'],
  ['summary', '--stripe', 'disks=4', 'trace'],
  ['requests', '-o', 'requests.xlsx', 'trace'],
  ['requests', '--json', 'trace'],
  ['summary', '--range', '2:1', 'trace'],
  ['blkparse', '--summary-only', '--messages', 'trace'],
])('bad usage: %s %s %s', (...args) => {
  const { status, stdout, stderr } = run(args.filter(arg => arg !== undefined))
  expect(status).toBe(2)
  expect(stdout).toBe('')
  expect(stderr).toMatch(/^seekscope: .+\nusage: /)
})

test('messages that blkparse drops are printed on request', () => {
  const folder = join(FIXTURES, 'partitions-bfq-1w')
  const lines = (args: readonly string[]) => run(['blkparse', ...args, folder]).stdout.split('\n')
  const isMessage = (line: string) => / m +N /.test(line)
  expect(lines([]).filter(isMessage)).toEqual([])
  const all = lines(['--messages'])
  expect(all.filter(isMessage).length).toBeGreaterThan(100)
  expect(all.filter(line => !isMessage(line))).toHaveLength(lines([]).length)
})

test('a geometry gives alignment, a range only what is in it', () => {
  const aligned = devices(['--stripe', 'unit=256KiB,disks=4,level=raid5', join(FIXTURES, 'raid5-aligned/md0')])
  expect(aligned[0]?.alignment?.classes.full_stripe.requests).toBe(48)
  const misaligned = devices(['--stripe', 'unit=256KiB,disks=4,level=raid5', join(FIXTURES, 'raid5-misaligned/md0')])
  expect(misaligned[0]?.alignment?.classes.straddles.requests).toBe(48)
  const [part] = devices(['--range', '0.1:0.2', ERRORS])
  expect(part?.events.Q).toBeLessThan(devices([ERRORS])[0]?.events.Q ?? 0)
})

test('texts beside a trace: what blktrace dropped, the kernel, the benchmark', () => {
  const packed = join(ROOT, 'tests/notes/dropped.tar.xz')
  const [trace] = traces([packed])
  expect(trace?.quality).toMatchObject({ lost_events: 15341, tracer_dropped: 15341 })
  expect(trace?.quality.warnings).toContainEqual(
    expect.objectContaining({ code: 'tracer-dropped', at: { file: `${packed}/dropped/blktrace.log` }, remedy: expect.any(String) }),
  )
  expect(trace?.notes?.map(note => note.kind).sort()).toEqual(['blktrace-log', 'description', 'fio'])
  const fio = trace?.notes?.find(note => note.kind === 'fio')
  expect(fio?.facts).toContainEqual({ of: 'dr', key: 'read_iops', name: 'Read IOPS', value: 2692.965155, unit: '1/s' })
  expect(trace?.bench?.[0]).toEqual({ key: 'bench.fio.read.iops', label: 'fio read IOPS', unit: '1/s', good: 'more', value: 2692.965155 })
  const { stdout } = run(['summary', packed])
  expect(stdout).toMatch(/quality +15,341 lost events/)
  expect(stdout).toMatch(/note +blktrace\.log, log of blktrace: vda: Events recorded 9,245;\s+Events dropped 15,341/)
  // Beside no other trace than theirs.
  expect(traces([packed, ERRORS]).map(t => t.quality.tracer_dropped)).toEqual([15341, undefined])
})

test('labels that say nothing become the kernel releases that tell the runs apart', () => {
  for (const [folder, kernel] of [
    ['old', '6.1.0-47-amd64'],
    ['new', '6.12.113+deb12-amd64'],
  ] as const) {
    const inside = join(scratch, 'kernels', folder, 'trace')
    mkdirSync(inside, { recursive: true })
    copyFileSync(join(ERRORS, 'trace.blktrace.1'), join(inside, 'trace.blktrace.1'))
    writeFileSync(join(inside, 'uname.txt'), `${kernel}\n`)
  }
  expect(traces([join(scratch, 'kernels')]).map(trace => trace.label)).toEqual(['6.12.113+deb12-amd64', '6.1.0-47-amd64'])
  rmSync(join(scratch, 'kernels'), { recursive: true })
})

test('a text asked for by name is read, too, and refused when it says nothing', () => {
  const file = join(ERRORS, 'trace.blktrace.1')
  const [trace] = traces([file, join(ROOT, 'tests/notes/mdstat.txt')])
  expect(trace?.notes?.[0]).toMatchObject({ kind: 'mdstat', arrays: [{ device: 'md0', level: 'raid5', unit_sectors: 512, disks: 3 }] })
  const { status, stderr } = run(['summary', file, join(ROOT, 'tests/notes/mkfs.txt')])
  expect(status).toBe(1)
  expect(stderr).toMatch(/mkfs\.txt: not-a-trace: /)
})

test('text is plain and fits 80 columns', () => {
  copyFileSync(join(ERRORS, 'trace.blktrace.1'), join(scratch, 'alone'))
  for (const args of [
    [FIXTURES],
    [join(ROOT, 'tests/notes/dropped.tar.xz')],
    ['--stripe', 'unit=256KiB,disks=4,level=raid5', join(FIXTURES, 'raid5-misaligned')],
  ]) {
    const { stdout } = run(['summary', ...args])
    expect(stdout).toMatch(/^[\x20-\x7e\n]+$/)
    expect(stdout.split('\n').filter(line => line.length > 80)).toEqual([])
  }
})

test('lost events are said with their times, and the figures that they spoil are marked', () => {
  const [trace] = traces([join(FIXTURES, 'dropped')])
  expect(trace?.quality.holes).toContainEqual({
    device: '254,0',
    cpu: 0,
    from: 244_555_934,
    to: 890_888_323,
    reason: 'silence',
    strays: expect.any(Number),
  })
  expect(trace?.devices[0]?.spoiled).toEqual(expect.arrayContaining(['depth', 'waiting', 'latency_ns.q2c']))
  const { stdout } = run(['summary', join(FIXTURES, 'dropped')])
  expect(stdout).toMatch(/^ {2}lost +254,0 cpu 0, 0\.244556 to 0\.890888 s: silent, \d+ strays$/m)
  expect(stdout).toMatch(/^ {2}queue depth\* /m)
  expect(stdout).toContain('* spoiled: events of 254,0 were lost')
  for (const line of stdout.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80)
  const [whole] = traces([ERRORS])
  expect([whole?.quality.holes, whole?.devices[0]?.spoiled]).toEqual([[], undefined])
})

test('a version 7 trace without FUA of a kernel that keeps it back gets a warning, others do not', () => {
  const codes = (fixture: string, release: string) => {
    const folder = mkdtempSync(join(scratch, 'fua-'))
    for (const name of readdirSync(join(FIXTURES, fixture))) copyFileSync(join(FIXTURES, fixture, name), join(folder, name))
    writeFileSync(join(folder, 'uname.txt'), `Linux vm ${release} #1 SMP PREEMPT_DYNAMIC x86_64 GNU/Linux\n`)
    return traces([folder]).flatMap(trace => trace.quality.warnings.map(w => w.code))
  }
  expect(codes('sync-no-fua', '6.19.2-amd64')).toContain('fua-missing')
  expect(codes('sync-no-fua', '7.0.0-rc1')).toContain('fua-missing')
  expect(codes('sync-no-fua', '6.18.9-amd64')).not.toContain('fua-missing')
  expect(codes('sync-fua', '6.19.2-amd64')).not.toContain('fua-missing')
})

test('requests of several traces are one file, a line a request; absent is empty', () => {
  const of = (...args: string[]) => run(['requests', ...args])
  const [first = '', ...lines] = of(ERRORS, join(FIXTURES, 'sync-fua')).stdout.trimEnd().split('\r\n')
  const names = first.split(',')
  const cells = lines.map(line => line.replaceAll(/"[^"]*"/g, '').split(','))
  expect(new Set(cells.map(row => row.length))).toEqual(new Set([names.length]))
  expect(new Set(cells.map(row => row[0]))).toEqual(new Set(['io-errors', 'sync-fua']))
  const failed = cells.filter(row => row[names.indexOf('error')] === '5')
  expect(failed.length).toBeGreaterThan(0)
  const flush = cells.find(row => row[names.indexOf('op')] === 'flush') ?? []
  expect([flush[names.indexOf('sector')], flush[names.indexOf('alignment')]]).toEqual(['', ''])
  const file = join(scratch, 'requests.csv')
  expect(of(ERRORS, '-o', file, '--range', '0:0.2')).toMatchObject({ status: 0, stdout: '' })
  expect(readFileSync(file, 'utf8').split('\r\n')).toHaveLength(4)
  rmSync(file)
})

test('a file of requests is whole or not there', () => {
  const file = join(scratch, 'none.parquet')
  const { status, stderr } = run(['requests', 'no/such/trace', '-o', file])
  expect({ status, stderr }).toMatchObject({ status: 1, stderr: expect.stringContaining('not-found') })
  expect(readdirSync(scratch).filter(name => name.startsWith('none'))).toEqual([])
  expect(run(['requests', ERRORS, '-o', join(scratch, 'no/such/folder/a.csv')])).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('cannot write'),
  })
})
