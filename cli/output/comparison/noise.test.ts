import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import type { CompareDocument, NoiseTable } from '../../../web/engine/protocol'
import { FIXTURES, run } from '../../testing/run'
import { measurement } from './noise'

const scratch = mkdtempSync(join(tmpdir(), 'seekscope-noise-'))
const [A, B] = ['public/samples/idling/a', 'public/samples/idling/b']

beforeAll(() => {
  // Seven "repeats", four of one recording and three of another: 21 pairs, of which 12 differ.
  for (let i = 1; i <= 7; i += 1)
    cpSync(join(FIXTURES, i <= 4 ? 'sync-fua' : 'sync-no-fua'), join(scratch, 'dd', `r${i}`), { recursive: true })
})
afterAll(() => rmSync(scratch, { recursive: true }))

test('repeats are directories that differ in the number of a repeat', () => {
  const countOf = (...paths: readonly string[]) => new Set(paths.map(measurement)).size
  expect(countOf('a/dd/r1/t.blktrace.0', 'a/dd/r2/t.blktrace.0', 'a/dd/r12/t.blktrace.0')).toBe(1)
  expect(countOf('a/k6.1-run1/t.blktrace.0', 'a/k6.1-run2/t.blktrace.0')).toBe(1)
  expect(countOf('a/k6.1-run1/t.blktrace.0', 'a/k6.12-run1/t.blktrace.0')).toBe(2)
  expect(countOf('a/x/r1/t.blktrace.0', 'a/y/r1/t.blktrace.0')).toBe(2)
  expect(countOf('dd/1/t.blktrace.0', 'dd/2/t.blktrace.0')).toBe(1)
  // Numbers that are values of a measurement.
  expect(countOf('a/k6.1/t.blktrace.0', 'a/k6.12/t.blktrace.0')).toBe(2)
  expect(countOf('a/qd1/t.blktrace.0', 'a/qd4/t.blktrace.0', 'a/bs-4/t.blktrace.0', 'a/bs-8/t.blktrace.0')).toBe(4)
})

test('the table of repeats, as text and as a document that compare takes', async () => {
  const [{ stdout: text }, { status, stdout }] = await Promise.all([
    run(['noise', scratch]),
    run(['noise', '--json', scratch]),
  ])
  expect(status).toBe(0)
  expect(text.split('\n').filter(line => line.length > 80)).toEqual([])
  const table: NoiseTable = JSON.parse(stdout)
  expect(table.reads).toEqual({})
  expect(table.writes.bps).toMatchObject({ pairs: 21 })
  expect(table.writes.bps?.p95).toBeGreaterThan(table.writes.bps?.sd ?? Number.POSITIVE_INFINITY)
  expect(text).toMatch(/^7 runs of 1 measurements?\./)
  expect(text).toMatch(/^bps +21 +[\d.]+% +[\d.]+%$/m)
  for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(100)

  // With repeats that differ a hundredfold nothing is significant between single runs.
  const wide = Object.fromEntries(Object.keys(table.writes).map(key => [key, { pairs: 99, sd: 2, p95: 5 }]))
  const file = join(scratch, 'noise.json')
  writeFileSync(file, JSON.stringify({ schema: 1, reads: wide, writes: wide }))
  const outcome = async (...args: readonly string[]) =>
    (JSON.parse((await run(['compare', '--json', ...args, A, B])).stdout) as CompareDocument).outcome
  expect(await outcome()).toBe('slower')
  expect(await outcome('--noise', file)).toBe('unsure')
})

describe('what is no table, or has no repeats', () => {
  it('is an error that says what to do', async () => {
    const none = await run(['noise', A])
    expect(none.status).toBe(1)
    expect(none.stderr).toContain('no-repeats')
    const odd = join(scratch, 'odd.json')
    for (const [i, text] of [
      '[1]',
      '{"reads":null,"writes":{}}',
      '{"reads":{"bps":{"p95":"x"}},"writes":{}}',
    ].entries()) {
      writeFileSync(odd, text)
      expect((await run(['compare', '--noise', odd, A, B])).status, `${i}`).toBe(2)
    }
    for (const file of [odd, join(scratch, 'absent.json'), join(scratch, 'dd/r1/trace.blktrace.0')]) {
      const { status, stderr } = await run(['compare', '--noise', file, A, B])
      expect([status, stderr.startsWith(`seekscope: --noise: ${file}`)], stderr).toEqual([2, true])
    }
  })
})

test('--fail-if ends with status 3 and says why', async () => {
  const status = async (...args: readonly string[]) => (await run(['compare', ...args])).status
  expect(await status('--fail-if', 'slower', A, B)).toBe(3)
  expect(await status('--fail-if', 'slower', B, A)).toBe(0)
  expect(await status('--fail-if', 'flushes-appeared', A, B)).toBe(0)
  const found = await run(['compare', '--fail-if', 'slower,starved-while-waiting', A, B])
  expect(found.status).toBe(3)
  expect(found.stderr).toBe('seekscope: --fail-if: b is slower\nseekscope: --fail-if: b: starved-while-waiting\n')
  const results = await run(['compare', '--fail-if', 'slower', 'tests/tables/iostest.txt'])
  expect(results.status, results.stderr).toBe(1)
  expect(results.stderr).toContain('needs-traces: Without traces there is nothing that --fail-if')
  const unknown = await run(['compare', '--fail-if', 'slow', A, B])
  expect(unknown.status).toBe(2)
  expect(unknown.stderr).toContain('unknown finding slow; use slower, ')
})
