/**
 * `seekscope link --size XS`: of every pair of runs a URL of 2,000 characters, with the verdict, ten figures and the
 * findings of the comparison.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { CompareDocument, Finding, SnapshotContents } from '../../web/engine/protocol'
import { decodeLink } from '../../web/link/link'
import { loadEngine } from '../input/read/engine'
import { runsOf } from '../input/runs'
import { ROOT, run } from '../testing/run'

const scratch = mkdtempSync(join(tmpdir(), 'seekscope-brief-'))
afterAll(() => rmSync(scratch, { recursive: true }))

/** As long as such URLs are in practice. */
const BASE = 'https://seekscope.some-longer-host.example.org/tools/view/'
const MAX_URL_LENGTH = 2000

/** The first and the last run of a story. */
function pairOf(story: string): readonly string[] {
  const folder = join(scratch, basename(story, '.tar.xz'))
  mkdirSync(folder, { recursive: true })
  execFileSync('tar', ['xf', join(ROOT, 'tests/stories', story), '-C', folder])
  const runs = readdirSync(folder).sort()
  return [runs[0], runs.at(-1)].map(name => join(folder, name ?? ''))
}

const pathsIn = (folder: string, a: string, b: string) => [join(ROOT, folder, a), join(ROOT, folder, b)] as const
const PAIRS = [
  ...readdirSync(join(ROOT, 'tests/stories')).map(story => [basename(story, '.tar.xz'), () => pairOf(story)] as const),
  ...['idling', 'osync', 'raid5'].map(
    sample => [`sample ${sample}`, () => pathsIn(`public/samples/${sample}`, 'a', 'b')] as const,
  ),
  ...(
    [
      ['sync-fua', 'sync-no-fua'],
      ['raid5-aligned', 'raid5-misaligned'],
      ['ext4-buffered-6.1', 'ext4-buffered-6.12'],
      ['two-devices', 'dropped'],
      ['partitions-deadline-1w', 'partitions-bfq-1w'],
    ] as const
  ).map(([a, b]) => [`${a} and ${b}`, () => pathsIn('tests/fixtures', a, b)] as const),
]

const opened = (url: string): SnapshotContents =>
  loadEngine().openSnapshot(decodeLink(new URL(url).hash).link.snapshot ?? '')

/** Three digits, as outputs print them; a number that was rounded before has the same. */
const printed = (value: number | null | undefined): string =>
  typeof value === 'number' ? value.toPrecision(3) : String(value)

test.each(PAIRS)('%s', async (_, paths) => {
  const pair = paths()
  const { status, stdout, stderr } = await run(['link', '--size', 'XS', '--base', BASE, ...pair])
  expect({ status, stderr: stderr.replace(/^.*(looks striped|no benchmark results).*\n/gm, '') }).toEqual({
    status: 0,
    stderr: '',
  })
  expect(stdout.trim().length).toBeLessThanOrEqual(MAX_URL_LENGTH)
  const { snapshot, problems } = opened(stdout.trim())
  expect(problems).toEqual([])
  const was: CompareDocument = loadEngine().compare(
    JSON.stringify({ runs: await runsOf({ paths: pair, limited: true }), baseline: 0 }),
  )
  const now = snapshot.document
  const named = (document: CompareDocument | null) => [
    document?.verdict,
    document?.outcome,
    document?.work?.why,
    document?.sides,
    document?.baseline,
  ]
  expect(named(now)).toEqual(named(was))
  const [findings, wasFindings] = [now?.findings ?? [], was.findings ?? []]
  // Without process names.
  const worded = ({ code, rank, sentence }: Finding) => [
    code,
    rank,
    sentence.replace(/\b(task \d+|\w+) \[/g, 'a process ['),
  ]
  expect(findings.map(worded)).toEqual(wasFindings.slice(0, findings.length).map(worded))
  expect(findings.length).toBeGreaterThanOrEqual(Math.min(3, wasFindings.length))
  const figures = now?.figures ?? []
  expect(figures).toHaveLength(Math.min(10, was.figures?.length ?? 0))
  for (const figure of figures) {
    const whole = was.figures?.find(f => f.key === figure.key)
    const words = (f: typeof whole) => [
      f?.label,
      f?.unit,
      f?.good,
      f?.real,
      f?.verdict,
      printed(f?.ratio),
      ...(f?.values.map(printed) ?? []),
    ]
    expect(words(figure)).toEqual(words(whole))
  }
  const left = now?.left_out ?? [0, 0]
  expect([figures.length + left[0], findings.length + left[1]]).toEqual([was.figures?.length ?? 0, wasFindings.length])
  for (const trace of snapshot.traces) {
    expect(trace?.info.devices[0]?.requests).toBeGreaterThan(0)
    expect(trace?.pictures).toHaveLength(1)
  }
})

describe('size XS', () => {
  test('of one run has what held it back and its main figures', async () => {
    const path = join(ROOT, 'tests/alone/requests-4.tar.xz')
    const [{ stdout }, json] = await Promise.all([
      run(['link', '--size', 'XS', '--base', BASE, path]),
      run(['compare', '--json', path]),
    ])
    expect(stdout.trim().length).toBeLessThanOrEqual(MAX_URL_LENGTH)
    const { snapshot } = opened(stdout.trim())
    const [explanation] = (JSON.parse(json.stdout) as CompareDocument).alone ?? []
    expect(snapshot.document?.alone?.[0]?.findings.map(f => [f.code, f.sentence])).toEqual(
      explanation?.findings.map(f => [f.code, f.sentence]),
    )
    const device = snapshot.traces[0]?.summary.devices[0]
    expect(device).toMatchObject({
      depth: { max: expect.any(Number) },
      states: expect.any(Object),
      latency_ns: { q2c: expect.any(Object) },
    })
  })

  test('has room for two runs, and says so; what does not fit is an error, not a longer link', async () => {
    const three = ['tests/fixtures/sync-fua', 'tests/fixtures/sync-no-fua', 'tests/fixtures/dropped'].map(path =>
      join(ROOT, path),
    )
    const tooMany = await run(['link', '--size', 'XS', ...three])
    expect(tooMany).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining('link-too-long') })
    // What repeats takes no room.
    const label = (name: string) =>
      Array.from({ length: 14 }, (_, i) => createHash('sha256').update(`${name}${i}`).digest('hex')).join('')
    const labels = ['a', 'b'].flatMap(name => ['--label', label(name)])
    const tooLong = await run(['link', '--size', 'XS', ...labels, ...three.slice(0, 2)])
    expect(tooLong).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining('link-too-long') })
  })

  test('has no process names unless they are wanted', async () => {
    const pair = pairOf('other-process.tar.xz')
    const links = await Promise.all([
      run(['link', '--size', 'XS', ...pair]),
      run(['link', '--size', 'XS', '--names', ...pair]),
    ])
    const [without, named] = links.map(({ stdout }) => JSON.stringify(opened(`${BASE}${stdout.trim()}`).snapshot))
    expect(without).not.toContain('fio')
    expect(named).toContain('fio [1005]')
  })
})
