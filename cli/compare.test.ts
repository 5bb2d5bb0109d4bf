import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { CompareDocument } from '../web/engine/protocol'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const run = (...args: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, 'cli/seekscope.mjs'), 'compare', ...args], {
    encoding: 'utf8',
    cwd: ROOT,
  })
  return { status, stdout, stderr }
}
const IDLING = ['--label', 'bfq, slice_idle 0', '--label', 'bfq, slice_idle 8 ms', 'public/samples/idling/a', 'public/samples/idling/b']

test('a comparison is plain text for a mail: ASCII of 72 columns', () => {
  const { status, stdout, stderr } = run('--text', ...IDLING)
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  for (const line of stdout.split('\n')) expect(line).toMatch(/^[ -~]{0,72}$/)
  expect(run(...IDLING).stdout).toBe(stdout)
})

test('each trace is a run, in the order of the paths, however these are written', () => {
  const of = (...paths: readonly string[]) => {
    const { status, stdout, stderr } = run('--json', ...paths)
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    const { runs, ...rest } = JSON.parse(stdout) as CompareDocument
    return { events: runs.map(r => r.events), findings: rest.findings?.map(f => f.code) }
  }
  const plain = of('public/samples/idling/a', 'public/samples/idling/b')
  expect(plain.events).toHaveLength(2)
  expect(of('./public/samples/idling/a/', 'tests/../public/samples/idling/b')).toEqual(plain)
  expect(of('./public/samples/idling')).toEqual(plain)
  const back = of('./public/samples/idling/b', './public/samples/idling/a')
  expect(back.events).toEqual([...plain.events].reverse())
})

test('sides without a difference, and more than two of them, fit as well', () => {
  const { status, stdout } = run('tests/stories/cgroup-dsync.tar.xz')
  expect(status).toBe(0)
  for (const line of stdout.split('\n')) expect(line).toMatch(/^[ -~]{0,72}$/)
  expect(stdout.match(/^== [B-D] against A ==$/gm)).toHaveLength(3)
  expect(stdout.match(/\(no-real-difference\)/g)).toHaveLength(3)
})

test('the text says what the document says', () => {
  const document = JSON.parse(run('--json', ...IDLING).stdout) as CompareDocument
  const text = run('--text', ...IDLING).stdout.replace(/\s+/g, ' ')
  for (const finding of document.findings ?? []) expect(text).toContain(finding.sentence)
  expect(text).toContain(document.verdict)
  const lost = document.lost_ns
  expect(lost && Math.abs(lost.starved + lost.busy_waiting + lost.busy + lost.nobody - lost.total)).toBeLessThan(1e3)
})

test('text and JSON at once are bad usage', () => {
  expect(run('--text', '--json', ...IDLING).status).toBe(2)
})
