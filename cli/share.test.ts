import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import type { CompareDocument, OpenedSnapshot } from '../web/engine/protocol'
import { decodeLink } from '../web/link/link'
import { loadEngine } from './engine.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const scratch = mkdtempSync(join(tmpdir(), 'seekscope-share-'))
afterAll(() => rmSync(scratch, { recursive: true }))

const run = (...args: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, 'cli/seekscope.mjs'), ...args], {
    encoding: 'utf8',
    cwd: ROOT,
    maxBuffer: 1 << 28,
  })
  return { status, stdout: stdout.trim(), stderr }
}
const BASE = 'https://seekscope.example/app/'
const link = (...args: readonly string[]) => {
  const { status, stdout, stderr } = run('link', '--base', BASE, ...args)
  expect({ status, stderr: stderr.replace(/^.*looks striped.*\n/gm, '') }).toEqual({ status: 0, stderr: '' })
  expect(stdout.startsWith(`${BASE}#v=`)).toBe(true)
  return stdout
}
const opened = async (address: string): Promise<OpenedSnapshot> =>
  (await loadEngine()).openSnapshot(decodeLink(new URL(address).hash).link.snapshot ?? '')
const IDLING = ['public/samples/idling/a', 'public/samples/idling/b']
const PAIRS = [
  ['samples', 'public/samples/idling/a', 'public/samples/idling/b'],
  ['a write per flush', 'tests/fixtures/sync-fua', 'tests/fixtures/sync-no-fua'],
  ['an array', 'tests/fixtures/raid5-aligned', 'tests/fixtures/raid5-misaligned'],
  ['page cache', 'tests/fixtures/ext4-buffered-6.1', 'tests/fixtures/ext4-buffered-6.12'],
  ['two devices', 'tests/fixtures/two-devices', 'tests/fixtures/dropped'],
] as const

test.each(PAIRS)(
  'the small link of %s is short, and holds the findings and figures of the comparison',
  async (_, a, b) => {
    const address = link(a, b)
    expect(address.length).toBeLessThanOrEqual(8000)
    const { snapshot, problems } = await opened(address)
    expect(problems).toEqual([])
    const document = JSON.parse(run('compare', '--json', a, b).stdout) as CompareDocument
    const held = snapshot.document
    expect(held?.findings?.map(f => [f.code, f.sentence])).toEqual(document.findings?.map(f => [f.code, f.sentence]))
    expect(held?.verdict).toBe(document.verdict)
    const values = (given: CompareDocument | null) => given?.figures?.map(f => [f.key, f.real, ...f.values.map(v => v && Number(v.toPrecision(4)))])
    // Rounded twice, a figure may end in another digit.
    for (const [i, [key, real, ...own]] of (values(document) ?? []).entries()) {
      expect(values(held)?.[i]?.slice(0, 2)).toEqual([key, real])
      for (const [run, value] of own.entries()) {
        const there = values(held)?.[i]?.[2 + run]
        if (typeof value === 'number') expect(Math.abs(Number(there) - value)).toBeLessThanOrEqual(Math.abs(value) * 2e-3)
        else expect(there).toBe(value)
      }
    }
  },
  60_000,
)

test('sizes differ, and each holds more than the one before', async () => {
  const links = ['S', 'M', 'L'].map(size => link('--size', size, ...IDLING))
  const columns = await Promise.all(links.map(async address => (await opened(address)).snapshot.traces[0]?.detail.columns ?? 0))
  expect(links.map(l => l.length)).toEqual([...links].map(l => l.length).sort((a, b) => a - b))
  expect(columns).toEqual([...columns].sort((a, b) => a - b))
}, 60_000)

test('names are in a link only when they are asked for; baseline, groups and labels are', async () => {
  const text = async (...args: string[]) => JSON.stringify((await opened(link(...args, ...IDLING))).snapshot)
  expect(await text()).not.toMatch(/"dd"|blktrace\.\d/)
  expect(await text('--names')).toMatch(/"dd"/)
  expect(await text('--files')).toMatch(/blktrace\.\d/)
  const address = link('--baseline', '2', '--label', 'one', '--label', 'two', '--group', 'x', ...IDLING)
  expect(decodeLink(new URL(address).hash)).toMatchObject({ link: { baseline: 'B', groups: { A: 'x' } }, problems: [] })
  expect((await opened(address)).snapshot.head.runs.map(r => r.label)).toEqual(['one', 'two'])
  const renamed = link('--label', 'one', '--label', 'two', 'tests/fixtures/sync-fua', 'tests/fixtures/sync-no-fua')
  expect(JSON.stringify((await opened(renamed)).snapshot), 'what a folder is called').not.toMatch(/sync-(no-)?fua/)
}, 60_000)

test('what cannot be shared is said', () => {
  expect(run('link', '--size', 'XL', ...IDLING)).toMatchObject({ status: 2 })
  expect(run('link', '--base', 'javascript:alert(1)', ...IDLING)).toMatchObject({ status: 2 })
  expect(run('link', '--baseline', '3', ...IDLING)).toMatchObject({ status: 2 })
  expect(run('report', ...IDLING)).toMatchObject({ status: 2 })
  expect(run('link', 'tests/fixtures/nowhere')).toMatchObject({ status: 1, stdout: '' })
})

test('a report holds the app, the finest snapshot and the words; without the page it is said what to do', async () => {
  const output = join(scratch, 'report.html')
  const { status, stderr } = run('report', '-o', output, '--title', 'a & b', ...IDLING)
  if (!existsSync(join(ROOT, 'dist/seekscope.html'))) {
    expect({ status, stderr }).toMatchObject({ status: 1, stderr: expect.stringContaining('npm run build') })
    return
  }
  expect(status).toBe(0)
  const html = readFileSync(output, 'utf8')
  expect(html).toContain('<title>a &amp; b')
  const held = /id="seekscope-snapshot">([\w-]+)</.exec(html)?.[1] ?? ''
  const { snapshot } = (await loadEngine()).openSnapshot(held) as OpenedSnapshot
  expect(snapshot.traces[0]?.detail.columns).toBe(1600)
  const words = run('compare', '--text', ...IDLING).stdout
  expect(html).toContain(words.split('\n')[0]?.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'))
}, 60_000)
