import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { SummaryTrace } from '../../../web/engine/summary'
import { tar } from '../../sharing/tar'
import { FIXTURES, ROOT, run, traces } from '../../testing/run'

const CONTAINERS = join(ROOT, 'tests/containers')
const scratch = mkdtempSync(join(tmpdir(), 'seekscope-unpack-'))
afterAll(() => rmSync(scratch, { recursive: true }))

const container = (name: string) => join(CONTAINERS, name)
const figures = (all: readonly SummaryTrace[]) => all.map(trace => trace.devices)
const twin = async (...names: readonly string[]) => figures(await traces(names.map(name => join(FIXTURES, name))))

test('every kind of archive gives the figures of its twin, and leaves nothing behind', async () => {
  const archives = ['run.tar', 'run.tar.gz', 'run.tar.bz2', 'run.tar.xz', 'run.tar.zst', 'run.zip']
  const kinds = [...archives, 'run-streamed.zip', 'run.eml']
  const [all, [unpacked]] = await Promise.all([
    traces(kinds.map(container), { env: { TMPDIR: scratch } }),
    twin('io-errors'),
  ])
  expect(figures(all)).toEqual(kinds.map(() => unpacked))
  expect(readdirSync(scratch)).toEqual([])
  expect((await traces([container('run.zip')]))[0]?.label).toBe('io-errors')
})

test.each(['gz', 'bz2', 'xz', 'zst'])('a per-CPU file as .%s', async end => {
  const [packed, other] = await Promise.all([
    traces([container(`trace.blktrace.1.${end}`)]),
    twin('io-errors/trace.blktrace.1'),
  ])
  expect(figures(packed)).toEqual(other)
})

test('several traces in one archive are several runs, also from standard input', async () => {
  const [both, packed, piped] = await Promise.all([
    twin('io-errors', 'write-zeroes'),
    traces([container('two-runs.tar.xz')]),
    traces(['-'], { input: readFileSync(container('two-runs.tar.xz')) }),
  ])
  expect(figures(packed)).toEqual(both)
  expect(figures(piped)).toEqual(both)
})

test('a mail is of use by what is attached to it', async () => {
  const { status, stderr } = await run(['summary', container('run.eml')])
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
})

test('a truncated archive gives the files before the end, and an error', async () => {
  const cut = join(scratch, 'cut.tar.bz2')
  writeFileSync(cut, readFileSync(container('run.tar.gz')).subarray(0, 1800))
  const { status, stderr, stdout } = await run(['summary', '--json', cut])
  expect(status).toBe(1)
  expect(stderr).toMatch(/^seekscope: \S+cut\.tar\.bz2: damaged-archive: \S+/m)
  expect((JSON.parse(stdout) as { traces: SummaryTrace[] }).traces[0]?.devices[0]?.events.Q).toBeGreaterThan(0)
})

test('unpacking stops at its limits unless --no-limits is given', async () => {
  const [limited, lifted] = await Promise.all([
    run(['summary', container('bomb.zst')]),
    run(['summary', container('bomb.zst'), '--no-limits']),
  ])
  expect(limited).toMatchObject({ status: 1, stdout: '' })
  expect(limited.stderr).toMatch(/^seekscope: \S+bomb\.zst: archive-limit: .*--no-limits/)
  expect(lifted.stderr).toMatch(/^seekscope: \S+bomb: not-a-trace: /)
})

test('of very many entries that are no trace, the first are listed and the others counted', async () => {
  const bytes = Buffer.from([0xff, 0xd8, 0xff, 0xe0])
  const entries = Array.from({ length: 350 }, (_, i) => ({ name: `${i}.jpg`, size: bytes.length, read: () => bytes }))
  const path = join(scratch, 'pictures.tar')
  writeFileSync(path, Buffer.concat([...tar(entries)]))
  const { status, stderr } = await run(['summary', path])
  const lines = stderr.trimEnd().split('\n')
  expect([status, lines.length]).toEqual([1, 101])
  expect(lines[0]).toContain('0.jpg: ')
  expect(lines.at(-1)).toContain('250')
})
