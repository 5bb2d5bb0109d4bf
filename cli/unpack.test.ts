import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import type { SummaryTrace } from '../web/engine/summary'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const CONTAINERS = join(ROOT, 'tests/containers')
const scratch = mkdtempSync(join(tmpdir(), 'seekscope-unpack-'))
afterAll(() => rmSync(scratch, { recursive: true }))

const run = (paths: readonly string[], input?: Buffer) => {
  const args = [join(ROOT, 'cli/seekscope.mjs'), 'summary', '--json', ...paths]
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', input, env: { ...process.env, TMPDIR: scratch } })
  return { status, stderr, traces: (JSON.parse(stdout) as { traces: SummaryTrace[] }).traces }
}
const container = (name: string) => join(CONTAINERS, name)
const figures = (traces: readonly SummaryTrace[]) => traces.map(trace => trace.devices)
const twin = (...names: readonly string[]) => figures(run(names.map(name => join(ROOT, 'tests/fixtures', name))).traces)

test.each(['run.tar', 'run.tar.gz', 'run.tar.bz2', 'run.tar.xz', 'run.tar.zst', 'run.zip', 'run-streamed.zip'])(
  '%s gives the figures of its twin',
  name => {
    const { status, stderr, traces } = run([container(name)])
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(figures(traces)).toEqual(twin('io-errors'))
    expect(traces[0]?.label).toBe('io-errors')
    expect(readdirSync(scratch)).toEqual([])
  },
)

test.each(['gz', 'bz2', 'xz', 'zst'])('a per-CPU file as .%s', end => {
  const { status, traces } = run([container(`trace.blktrace.1.${end}`)])
  expect(status).toBe(0)
  expect(figures(traces)).toEqual(twin('io-errors/trace.blktrace.1'))
})

test('several traces in one archive are several runs, also from standard input', () => {
  const both = twin('io-errors', 'write-zeroes')
  expect(figures(run([container('two-runs.tar.xz')]).traces)).toEqual(both)
  expect(figures(run(['-'], readFileSync(container('two-runs.tar.xz'))).traces)).toEqual(both)
})

test('a cut archive gives what is there, with the place of the cut', () => {
  const cut = join(scratch, 'cut.tar.bz2')
  writeFileSync(cut, readFileSync(container('run.tar.gz')).subarray(0, 1800))
  const { status, stderr, traces } = run([cut])
  expect(status).toBe(1)
  expect(stderr).toMatch(/^seekscope: \S+cut\.tar\.bz2: damaged-archive: The gzip data are cut: they end too early\. /m)
  expect(traces[0]?.devices[0]?.events.Q).toBeGreaterThan(0)
  rmSync(cut)
})

test('a bomb is stopped, and unpacked when it is asked for', () => {
  const limited = run([container('bomb.zst')])
  expect(limited).toMatchObject({ status: 1, traces: [] })
  expect(limited.stderr).toMatch(/^seekscope: \S+bomb\.zst: archive-limit: It unpacks to more than 1000 times its size.*--no-limits/)
  const lifted = run([container('bomb.zst'), '--no-limits'])
  expect(lifted.stderr).toMatch(/^seekscope: \S+bomb: not-a-trace: /)
})
