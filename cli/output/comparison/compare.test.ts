import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { generate } from '../../../bench/lib/generate.mjs'
import type { CompareDocument } from '../../../web/engine/protocol'
import type { SummaryTrace } from '../../../web/engine/summary'
import { escapeMarkdown } from '../../program/markdown'
import { run } from '../../testing/run'

const [A, B] = ['public/samples/idling/a', 'public/samples/idling/b']
const IDLING = ['--label', 'bfq, slice_idle 0', '--label', 'bfq, slice_idle 8 ms', A, B]
const text = run(['compare', '--text', ...IDLING])

async function document(...args: readonly string[]): Promise<CompareDocument> {
  const { status, stdout, stderr } = await run(['compare', '--json', ...args])
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  return JSON.parse(stdout)
}

test('a comparison is plain text for mail: ASCII of 72 columns, which the document agrees with', async () => {
  const [{ status, stdout, stderr }, withoutFlag, json] = await Promise.all([
    text,
    run(['compare', ...IDLING]),
    document(...IDLING),
  ])
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  for (const line of stdout.split('\n')) expect(line).toMatch(/^[ -~]{0,72}$/)
  expect(withoutFlag.stdout).toBe(stdout)
  const words = stdout.replace(/\s+/g, ' ')
  for (const finding of json.findings ?? []) expect(words).toContain(finding.sentence)
  expect(words).toContain(json.verdict)
  const lost = json.lost_ns
  expect(lost && Math.abs(lost.starved + lost.busy_waiting + lost.busy + lost.nobody - lost.total)).toBeLessThan(1e3)
})

test('threads read the same, and report the same, as one after another', async () => {
  const junk = join(mkdtempSync(join(tmpdir(), 'seekscope-threads-')), 'junk.blktrace.0')
  writeFileSync(junk, readFileSync('tests/fixtures/io-errors/trace.blktrace.0').subarray(0, 60))
  const comparison = (threads: string, ...paths: readonly string[]) =>
    run(['compare', '--json', '--threads', threads, ...paths], { env: {} })
  for (const paths of [
    [A, B, 'tests/fixtures/sync-fua'],
    [A, junk, B],
  ]) {
    const [first, second] = await Promise.all([comparison('1', ...paths), comparison('2', ...paths)])
    expect(second).toEqual(first)
    expect(JSON.parse(second.stdout).runs.length).toBeGreaterThan(1)
  }
  rmSync(dirname(junk), { recursive: true })
})

test('sections of one trace, read by several threads, are the trace', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'seekscope-sections-'))
  generate(folder, 800_000, 'null')
  const summary = (threads: string) => run(['summary', '--json', '--threads', threads, folder], { env: {} })
  const [single, three] = [await summary('1'), await summary('3')]
  expect(three).toEqual(single)
  expect(JSON.parse(three.stdout).traces[0].devices[0].events.Q).toBeGreaterThan(100_000)
  rmSync(folder, { recursive: true })
})

test('each trace is a run, in the order of the paths, however these are written', async () => {
  const outline = async (...paths: readonly string[]) => {
    const { runs, findings } = await document(...paths)
    return { events: runs.map(r => r.events), findings: findings?.map(f => f.code) }
  }
  const [plain, dotted, parent, back] = await Promise.all([
    outline(A, B),
    outline(`./${A}/`, `tests/../${B}`),
    outline('./public/samples/idling'),
    outline(`./${B}`, `./${A}`),
  ])
  expect(plain.events).toHaveLength(2)
  expect(dotted).toEqual(plain)
  expect(parent).toEqual(plain)
  expect(back.events).toEqual([...plain.events].reverse())
})

test('more than two sides, and sides without a difference', async () => {
  const { status, stdout } = await run(['compare', 'tests/stories/cgroup-dsync.tar.xz'])
  expect(status).toBe(0)
  for (const line of stdout.split('\n')) expect(line).toMatch(/^[ -~]{0,72}$/)
  expect(stdout.match(/^== [B-D] against A ==$/gm)).toHaveLength(3)
  const text = stdout.replace(/\s+/g, ' ')
  expect(text.match(/\(no-real-difference\)/g)).toHaveLength(1)
  // Whether C and D are faster is unsure: that A idles while requests wait is certain.
  expect(text.match(/more runs of each would tell\./g)).toHaveLength(3)
  expect(text.match(/\(starved-while-waiting\)/g)).toHaveLength(2)
})

test('settings in texts next to the traces are compared, and explain what they can', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'seekscope-settings-'))
  try {
    const [slow, fast] = ['a', 'b'].map(name => join(folder, name)) as [string, string]
    const settings = { [fast]: '0', [slow]: '8' }
    for (const [path, idle] of Object.entries(settings)) {
      cpSync(path === fast ? A : B, path, { recursive: true })
      writeFileSync(
        join(path, 'settings.txt'),
        `/sys/block/vda/queue/iosched/slice_idle:${idle}\n/sys/block/vda/queue/stat:${idle}\n`,
      )
    }
    const { findings } = await document(fast, slow)
    const changed = { name: 'slice_idle', values: ['0', '8'] }
    expect(findings?.map(f => [f.code, f.settings?.map(({ name, values }) => ({ name, values }))])).toEqual([
      ['starved-while-waiting', [changed]],
      ['depth-fell', [changed]],
      ['scheduler-slower', [changed]],
      ['tail-cause', undefined],
      ['setting-changed', [changed]],
    ])
    expect(findings?.[0]?.sentence).toMatch(/ Likely cause: slice_idle 8 \(b: 0\)\.$/)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('devices that one blktrace recorded are one run, though files have no event', async () => {
  const { status, stdout, stderr } = await run(['summary', '--json', 'tests/fixtures/two-devices-idle'])
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  const { traces } = JSON.parse(stdout) as { traces: SummaryTrace[] }
  expect(traces.map(({ devices }) => devices.map(({ dev, events }) => [dev, events.Q ?? 0]))).toEqual([
    [
      ['254,16', 200],
      ['254,0', 0],
    ],
  ])
})

test('a finding names the processes, and the partitions where there are several', async () => {
  const { findings } = await document(...IDLING)
  const who =
    findings
      ?.find(finding => finding.code === 'starved-while-waiting')
      ?.who?.filter(({ kind }) => kind === 'process') ?? []
  expect(who.map(({ kind, name, of: whole }) => [kind, name.replace(/\d+/, 'N'), whole])).toEqual(
    Array(3).fill(['process', 'dd [N]', 'starved']),
  )
  for (const { share } of who) expect(share).toBeCloseTo(0.25, 1)
  const { more } = await document('tests/runs/partitions.tar.xz')
  const two = more
    ?.flatMap(comparison => comparison.findings)
    .find(finding => finding.who?.some(({ kind }) => kind === 'partition'))
  expect(
    two?.who?.filter(({ kind }) => kind === 'partition').map(({ name, share, of: whole }) => [name, share, whole]),
  ).toEqual([
    ['254,1', 0.5, 'bytes'],
    ['254,2', 0.5, 'bytes'],
  ])
})

test('a single run is explained: text of 72 columns, JSON and Markdown with the same findings', async () => {
  const path = 'tests/alone/requests-4.tar.xz'
  const [text, json, markdown] = await Promise.all([
    run(['compare', path]),
    run(['compare', '--json', path]),
    run(['compare', '--markdown', path]),
  ])
  for (const { status, stderr } of [text, json, markdown]) expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  for (const line of text.stdout.split('\n')) expect(line).toMatch(/^[ -~]{0,72}$/)
  const { alone = [], findings }: CompareDocument = JSON.parse(json.stdout)
  expect([alone.length, findings]).toEqual([1, undefined])
  expect(alone[0]?.findings.map(({ code }) => code)).toEqual(['waiting-for-tags'])
  expect(alone[0]?.tail?.causes[0]).toMatchObject({ cause: 'ahead' })
  const [words, marked] = [text, markdown].map(({ stdout }) => stdout.replace(/\s+/g, ' '))
  for (const { sentence, code } of alone[0]?.findings ?? []) {
    expect(words).toContain(`${sentence} (${code})`)
    expect(marked).toContain(`${escapeMarkdown(sentence)} (\`${code}\``)
  }
  for (const { label } of alone[0]?.tail?.causes ?? [])
    for (const text of [words, marked]) expect(text).toContain(label)
})

test.each([['--fail-if', 'slower'], ['--junit', '/dev/null'], ['--matrix']])(
  'a single run has nothing for %s',
  async (...option) => {
    const { status, stdout, stderr } = await run(['compare', ...option, A])
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toMatch(/^seekscope: public\/samples\/idling\/a: one-run: /)
  },
)
