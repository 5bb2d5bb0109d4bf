import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { CompareDocument, SnapshotContents } from '../../web/engine/protocol'
import { decodeLink } from '../../web/link/link'
import { loadEngine } from '../input/read/engine'
import { runsOf } from '../input/runs'
import { ROOT, run } from '../testing/run'

const scratch = mkdtempSync(join(tmpdir(), 'seekscope-share-'))
afterAll(() => rmSync(scratch, { recursive: true }))

const BASE = 'https://seekscope.example/app/'
const made = new Map<string, Promise<string>>()
/** Links are slow to make: each is made once. */
function link(...args: readonly string[]): Promise<string> {
  const key = JSON.stringify(args)
  const url = made.get(key) ?? makeLink(args)
  made.set(key, url)
  return url
}
async function makeLink(args: readonly string[]): Promise<string> {
  const { status, stdout, stderr } = await run(['link', '--base', BASE, ...args])
  expect({ status, stderr: stderr.replace(/^.*looks striped.*\n/gm, '') }).toEqual({ status: 0, stderr: '' })
  expect(stdout.startsWith(`${BASE}#v=`)).toBe(true)
  return stdout.trim()
}
const opened = (url: string): SnapshotContents =>
  loadEngine().openSnapshot(decodeLink(new URL(url).hash).link.snapshot ?? '')
const IDLING = ['public/samples/idling/a', 'public/samples/idling/b']
const PAIRS = [
  ['samples', 'public/samples/idling/a', 'public/samples/idling/b'],
  ['a write per flush', 'tests/fixtures/sync-fua', 'tests/fixtures/sync-no-fua'],
  ['an array', 'tests/fixtures/raid5-aligned', 'tests/fixtures/raid5-misaligned'],
  ['page cache', 'tests/fixtures/ext4-buffered-6.1', 'tests/fixtures/ext4-buffered-6.12'],
  ['two devices', 'tests/fixtures/two-devices', 'tests/fixtures/dropped'],
] as const

test.each(PAIRS)(
  'the small link of %s is short and contains the findings and figures of the comparison',
  async (_, a, b) => {
    const [url, runs] = await Promise.all([
      link(a, b),
      runsOf({ paths: [join(ROOT, a), join(ROOT, b)], limited: true }),
    ])
    expect(url.length).toBeLessThanOrEqual(8000)
    const { snapshot, problems } = opened(url)
    expect(problems).toEqual([])
    const document: CompareDocument = loadEngine().compare(JSON.stringify({ runs, baseline: 0 }))
    const held = snapshot.document
    expect(held?.findings?.map(f => [f.code, f.sentence])).toEqual(document.findings?.map(f => [f.code, f.sentence]))
    expect(held?.verdict).toBe(document.verdict)
    const values = (comparison: CompareDocument | null) =>
      comparison?.figures?.map(f => [f.key, f.real, ...f.values.map(v => v && Number(v.toPrecision(4)))])
    // Rounded twice, a figure may end in another digit.
    for (const [i, [key, real, ...computed]] of (values(document) ?? []).entries()) {
      expect(values(held)?.[i]?.slice(0, 2)).toEqual([key, real])
      for (const [run, value] of computed.entries()) {
        const there = values(held)?.[i]?.[2 + run]
        if (typeof value === 'number')
          expect(Math.abs(Number(there) - value)).toBeLessThanOrEqual(Math.abs(value) * 2e-3)
        else expect(there).toBe(value)
      }
    }
  },
)

test('a link of parts shows which parts they are, and draws their time only', async () => {
  const url = await link('--range', '0.1:0.3', 'tests/fixtures/sync-fua', 'tests/fixtures/sync-no-fua')
  const window = { from_ns: 1e8, to_ns: 3e8 }
  const { snapshot, problems } = opened(url)
  expect(problems).toEqual([])
  expect(snapshot.traces.map(trace => trace?.info.window)).toEqual([window, window])
  expect(snapshot.document?.runs.map(run => run.window)).toEqual([window, window])
  for (const trace of snapshot.traces) expect(trace?.pictures[0]?.range?.[0]).toBe(window.from_ns)
})

test('each size contains more than the one before', async () => {
  const links = await Promise.all([link(...IDLING), link('--size', 'M', ...IDLING), link('--size', 'L', ...IDLING)])
  const columns = links.map(url => opened(url).snapshot.traces[0]?.detail.columns ?? 0)
  expect(links.map(l => l.length)).toEqual([...links].map(l => l.length).sort((a, b) => a - b))
  expect(columns).toEqual([...columns].sort((a, b) => a - b))
})

test('names are in a link only on request; baseline, groups and labels always', async () => {
  const [plain, arranged, files, renamed] = await Promise.all([
    link(...IDLING),
    link('--names', '--baseline', '2', '--label', 'one', '--label', 'two', '--group', 'x', ...IDLING),
    link('--files', ...IDLING),
    link('--label', 'one', '--label', 'two', 'tests/fixtures/sync-fua', 'tests/fixtures/sync-no-fua'),
  ])
  const text = (url: string) => JSON.stringify(opened(url).snapshot)
  expect(text(plain)).not.toMatch(/"dd"|blktrace\.\d/)
  expect(text(arranged)).toMatch(/"dd"/)
  expect(text(arranged)).not.toMatch(/blktrace\.\d/)
  expect(text(files)).toMatch(/blktrace\.\d/)
  expect(decodeLink(new URL(arranged).hash)).toMatchObject({
    link: { baseline: 'B', groups: { A: 'x' } },
    problems: [],
  })
  expect(opened(arranged).snapshot.head.runs.map(r => r.label)).toEqual(['one', 'two'])
  expect(text(renamed), 'names of folders').not.toMatch(/sync-(no-)?fua/)
})

test('findings in a link name processes only on request', async () => {
  const pair = ['tests/stories/other-process.tar.xz']
  const [without, large, named] = await Promise.all([
    link(...pair),
    link('--size', 'L', ...pair),
    link('--names', ...pair),
  ])
  const whole = (url: string) => JSON.stringify(opened(url).snapshot)
  for (const url of [without, large]) {
    expect(whole(url)).toMatch(/task \d+ \[1005\] did/)
    expect(whole(url)).not.toContain('fio')
  }
  expect(whole(named)).toContain('fio [1005] did')
})

test('without a trace or a run to compare with there is no link', async () => {
  const [none, baseline] = await Promise.all([
    run(['link', 'tests/fixtures/nowhere']),
    run(['link', '--baseline', '3', ...IDLING]),
  ])
  expect(none).toMatchObject({ status: 1, stdout: '' })
  expect(baseline).toMatchObject({ status: 2, stdout: '', stderr: expect.stringContaining('--baseline') })
})

test('a report contains the app, the largest snapshot and the text of the comparison', async () => {
  const output = join(scratch, 'report.html')
  const [{ status, stderr }, text] = await Promise.all([
    run(['report', '-o', output, '--title', 'a & b', ...IDLING]),
    run(['compare', ...IDLING]),
  ])
  if (!existsSync(join(ROOT, 'dist/seekscope.html'))) {
    expect({ status, stderr }).toMatchObject({ status: 1, stderr: expect.stringContaining('npm run build') })
    return
  }
  expect(status).toBe(0)
  const html = readFileSync(output, 'utf8')
  expect(html).toContain('<title>a &amp; b')
  const packed = /id="seekscope-snapshot">([\w-]+)</.exec(html)?.[1] ?? ''
  const { snapshot } = loadEngine().openSnapshot(packed)
  expect(snapshot.traces[0]?.detail.columns).toBe(1600)
  expect(html).toContain(
    text.stdout.split('\n')[0]?.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
  )
})

test('links of one run have what held it back, and the causes of its slowest requests, in every size; a report has them as text', async () => {
  const path = 'tests/alone/requests-4.tar.xz'
  const output = join(scratch, 'one.html')
  const [links, json, text] = await Promise.all([
    Promise.all([link(path), link('--size', 'M', path), link('--size', 'L', path)]),
    run(['compare', '--json', path]),
    run(['compare', path]),
  ])
  const [explanation] = (JSON.parse(json.stdout) as CompareDocument).alone ?? []
  expect(explanation?.findings.map(f => f.code)).toEqual(['waiting-for-tags'])
  expect(links[0]?.length).toBeLessThanOrEqual(8000)
  for (const { snapshot } of links.map(opened)) {
    expect(snapshot.document?.alone?.[0]?.findings.map(f => [f.code, f.sentence])).toEqual(
      explanation?.findings.map(f => [f.code, f.sentence]),
    )
    const tail = snapshot.traces[0]?.summary.devices[0]?.tail
    expect(tail?.causes.slice(0, 3).map(c => c.cause)).toEqual(explanation?.tail?.causes.slice(0, 3).map(c => c.cause))
    expect([tail?.slowest, tail?.served]).toEqual([[], undefined])
  }
  const report = await run(['report', '-o', output, path])
  if (report.status === 0) {
    const [, words = ''] = /<pre id="seekscope-words">([^<]*)</.exec(readFileSync(output, 'utf8')) ?? []
    // Without process names.
    const lines = (all: string) => all.split('\n').filter(line => !/\[\d+\]/.test(line))
    expect(lines(words.replaceAll('&gt;', '>').replaceAll('&amp;', '&'))).toEqual(lines(text.stdout))
  }
})

test('links above size S and reports contain the checksums of the traces, as sha256sum gives them', async () => {
  const names = ['two-devices', 'dropped'] as const
  const folders = names.map(name => join('tests/fixtures', name))
  const sums = (fragment: string) => new URLSearchParams(fragment).getAll('sum')
  const expected = names.map((name, i) => {
    const files = readdirSync(join(ROOT, 'tests/fixtures', name)).filter(file => file.includes('.blktrace.'))
    const script = 'sha256sum "$@" | cut -c1-64 | LC_ALL=C sort | sha256sum'
    const printed = execFileSync('sh', ['-c', script, 'sh', ...files], {
      cwd: join(ROOT, 'tests/fixtures', name),
      encoding: 'utf8',
    })
    return `${i + 1}:${printed.slice(0, 64)}`
  })
  const [small, medium] = await Promise.all([link(...folders), link('--size', 'M', ...folders)])
  expect(sums(new URL(small).hash.slice(1))).toEqual([])
  expect(sums(new URL(medium).hash.slice(1))).toEqual(expected)
  if (!existsSync(join(ROOT, 'dist/seekscope.html'))) return
  const output = join(scratch, 'sums.html')
  expect((await run(['report', '-o', output, ...folders])).status).toBe(0)
  for (const sum of expected) expect(readFileSync(output, 'utf8')).toContain(sum.slice(2))
})

test('results without a trace are in links and reports, without the names of their files', async () => {
  const page = join(scratch, 'results.html')
  const [url, report] = await Promise.all([
    link('tests/tables/iostest.txt', 'tests/tables/fio-plus.json'),
    run(['report', '-o', page, 'tests/tables/dds.txt']),
  ])
  const { snapshot, problems } = opened(url)
  expect(problems).toEqual([])
  expect(snapshot.traces).toEqual([])
  const tables = snapshot.results?.tables ?? []
  expect(tables.map(table => [table.tool, table.runs.length, table.files])).toEqual([
    ['table', 10, ['text 1']],
    ['tiotest', 10, ['text 1']],
    ['fio', 1, ['text 2']],
  ])
  expect(tables[0]?.runs[9]?.figures[0]?.value).toBe(348_564_000)
  expect(tables[2]?.runs[0]?.distributions?.map(d => d.operation)).toEqual(['read', 'write'])
  if (existsSync(join(ROOT, 'dist/seekscope.html'))) {
    expect(report.status).toBe(0)
    expect(readFileSync(page, 'utf8')).toMatch(/<pre id="seekscope-words">[^<]*2\.6\.18-193/)
  }
})

test('settings that differ are in a snapshot, others are not', async () => {
  const names = ['partitions-deadline-1w', 'partitions-bfq-1w']
  const folders = names.map((name, i) => {
    const folder = join(scratch, `settings-${i}`)
    cpSync(join(ROOT, 'tests/fixtures', name), folder, { recursive: true })
    const scheduler = i === 0 ? '[mq-deadline] bfq none' : 'mq-deadline [bfq] none'
    writeFileSync(
      join(folder, 'queue.txt'),
      `/sys/block/vda/queue/scheduler:${scheduler}\n/sys/block/vda/queue/nr_requests:64\n/sys/block/vda/queue/read_ahead_kb:128\n`,
    )
    return folder
  })
  const { snapshot } = opened(await link(...folders))
  const settings = snapshot.head.runs.map(run => run.settings?.map(({ key, value }) => `${key} ${value}`))
  expect(settings.map(texts => texts?.filter(text => text.startsWith('scheduler')))).toEqual([
    ['scheduler mq-deadline'],
    ['scheduler bfq'],
  ])
  expect(settings[0]?.length).toBeLessThan(3)
})

test('counters are in links of size L; smaller ones contain how many are left out', async () => {
  const counters = 'tests/counters/psync.tar.xz'
  const [small, large] = await Promise.all([link(counters), link('--size', 'L', counters)])
  const trace = (url: string) => opened(url).snapshot.traces[0]
  expect(small.length).toBeLessThanOrEqual(8000)
  const lanesOf = (url: string) => [
    trace(url)?.info.laneSources !== undefined,
    (trace(url)?.info.lanesLeftOut ?? 0) > 0,
  ]
  expect(lanesOf(small)).toEqual([false, true])
  const { sources = [], rows = [] } = trace(large)?.lanes ?? {}
  expect(rows.length).toBe(24)
  expect(rows.find(row => row.name === '%iowait')?.values.length).toBeGreaterThan(3)
  expect(sources.map(source => source.file)).toEqual(sources.map((_, i) => `file ${i + 1}`))
  expect((trace(small)?.info.lanesLeftOut ?? 0) - (trace(large)?.info.lanesLeftOut ?? 0)).toBe(24)
})
