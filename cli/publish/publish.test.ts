/** A run is published with its files, the index has all runs, and nothing that is broken breaks it. */

import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { rowsOfTable } from '../fleet/tables'
import { BUNDLE, FIXTURES, ROOT, run, runProcess } from '../testing/run'
import { runNames } from './runs'

const scratch = mkdtempSync(join(tmpdir(), 'seekscope-publish-'))
afterAll(() => rmSync(scratch, { recursive: true }))

/** A hosted page: without it, each folder would get a copy of the built one. */
const BASE = 'https://seekscope.example/app/'
const FUA = 'tests/fixtures/sync-fua'
const NO_FUA = 'tests/fixtures/sync-no-fua'

let count = 0
const newFolder = () => join(scratch, `runs-${++count}`)
const args = (into: string, ...more: readonly string[]) => ['publish', '--into', into, '--base', BASE, ...more]
/** Publishes, and expects that it is done without a complaint. */
async function publish(into: string, ...more: readonly string[]) {
  const answer = await run(args(into, ...more))
  expect(answer.status, answer.stderr).toBe(0)
  return answer
}
const read = (into: string, ...names: readonly string[]) => readFileSync(join(into, ...names), 'utf8')
const facts = (into: string, name: string) => JSON.parse(read(into, 'runs', name, 'run.json'))
const table = (into: string) => rowsOfTable(join(into, 'fleet.parquet'))
const errors = (into: string) => rowsOfTable(join(into, 'fleet.errors.parquet'))
const tableRuns = async (into: string) => [...new Set((await table(into)).map(row => row.run))]

test('a run has the files that other commands print', async () => {
  const into = newFolder()
  await publish(into, '--run', 'old', '--label', 'build=41', FUA)
  expect(read(into, 'runs/old/report.txt')).toBe((await run(['summary', FUA])).stdout)
  expect(read(into, 'runs/old/summary.json')).toBe((await run(['summary', '--json', FUA])).stdout)
  expect(read(into, 'runs/old/link.txt')).toMatch(/^https:\/\/seekscope\.example\/app\/#v=1&.{500,1900}\n$/)
  expect(facts(into, 'old')).toMatchObject({ labels: { build: '41' }, baseline: [], problems: [] })

  await publish(into, '--run', 'new', '--label', 'build=42', '--baseline', 'old', NO_FUA)
  const labels = ['--label', 'old', '--label', 'new']
  expect(read(into, 'runs/new/report.txt')).toBe((await run(['compare', ...labels, FUA, NO_FUA])).stdout)
  const junit = join(scratch, 'junit.xml')
  await run(['compare', ...labels, '--junit', junit, FUA, NO_FUA])
  expect(read(into, 'runs/new/junit.xml')).toBe(readFileSync(junit, 'utf8'))
  expect(facts(into, 'new')).toMatchObject({ baseline: ['old'], outcome: expect.stringMatching(/^\w+$/) })
  const { length } = read(into, 'runs/new/link.txt')
  expect(length).toBeGreaterThan(1000)
  expect(length).toBeLessThanOrEqual(8001)

  const rows = await table(into)
  expect(rows.map(({ run, build }) => [run, build])).toEqual([
    ['old', '41'],
    ['new', '42'],
  ])
  for (const { source, source_sha256: sum } of rows) {
    const bytes = readFileSync(join(into, String(source)))
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(sum)
  }
  // What the page fetches is the recording.
  const compared = await run(['compare', '--json', ...labels, ...rows.map(({ source }) => join(into, String(source)))])
  const { figures } = JSON.parse(compared.stdout)
  expect(figures).toEqual(JSON.parse((await run(['compare', '--json', FUA, NO_FUA])).stdout).figures)
})

test('a recording of one file is the same file; none is kept where none is wanted', async () => {
  const into = newFolder()
  const archive = join(scratch, 'held.tar.xz')
  cpSync(join(ROOT, 'tests/stories/held.tar.xz'), archive)
  await publish(into, archive)
  expect(statSync(join(into, 'runs/held/recording/held.tar.xz')).ino).toBe(statSync(archive).ino)
  await publish(into, '--run', 'bare', '--no-recording', archive)
  expect(readdirSync(join(into, 'runs/bare'))).not.toContain('recording')
  expect((await table(into)).filter(({ run }) => run === 'bare').every(({ source }) => source === undefined)).toBe(true)
})

test('without a baseline the tests are what is wrong with the run itself', async () => {
  const into = newFolder()
  for (const name of ['io-errors', 'dropped', 'sync-fua']) await run(args(into, '--run', name, join(FIXTURES, name)))
  const failed = (name: string) =>
    [...read(into, 'runs', name, 'junit.xml').matchAll(/name="([\w-]+)">\s*<failure message="([^"]+)/g)].map(
      ([, test]) => test,
    )
  expect(failed('io-errors')).toEqual(['requests-failed'])
  expect(failed('dropped')).toContain('events-missing')
  expect(failed('sync-fua')).toEqual([])
  expect(read(into, 'runs/sync-fua/junit.xml')).toContain('tests="3" failures="0"')
})

test('the baseline is a run, or the runs with labels; several are one side', async () => {
  const into = newFolder()
  const labels = (kernel: string, test: string, result: string) =>
    [`kernel=${kernel}`, `test=${test}`, `result=${result}`].flatMap(label => ['--label', label])
  for (const name of ['a1', 'a2']) await publish(into, '--run', name, ...labels('6.1', 'dd', 'pass'), FUA)
  await publish(into, '--run', 'other', ...labels('6.1', 'fsync', 'pass'), FUA)
  await publish(into, '--run', 'b', ...labels('6.12', 'dd', 'pass'), '--baseline', 'kernel=6.1', NO_FUA)
  expect(facts(into, 'b').baseline).toEqual(['a1', 'a2'])
  expect(read(into, 'runs/b/report.txt')).toContain('B: a2 (of kernel=6.1) [baseline]')
  const failed = ['--run', 'c', ...labels('6.12', 'dd', 'fail')]
  const { stderr } = await publish(into, ...failed, '--baseline', 'kernel=6.1', NO_FUA)
  expect(stderr).toContain('not compared')
  expect(facts(into, 'c').baseline).toEqual([])
  await publish(into, ...failed, '--run', 'd', '--baseline', 'kernel=6.1,test', NO_FUA)
  expect(facts(into, 'd').baseline).toEqual(['a1', 'a2'])
  expect((await table(into)).map(({ run, kernel }) => `${run} ${kernel}`)).toContain('d 6.12')
})

test('a broken run of the baseline is left out', async () => {
  const into = newFolder()
  for (const name of ['a1', 'a2']) await publish(into, '--run', name, '--label', 'kernel=6.1', FUA)
  const digest = join(into, 'runs/a1/digest.parquet')
  writeFileSync(digest, readFileSync(digest).subarray(0, 4000))
  const more = ['--label', 'kernel=6.12', '--baseline', 'kernel=6.1', NO_FUA]
  expect((await publish(into, '--run', 'b', ...more)).stderr).toContain('--baseline: a1 is left out: ')
  expect(facts(into, 'b').baseline).toEqual(['a2'])
})

test('--fail-if sets the exit status of a run that is published', async () => {
  const into = newFolder()
  await publish(into, '--run', 'before', FUA)
  const code = 'flushes-appeared'
  const answer = await run(args(into, '--run', 'after', '--baseline', 'before', '--fail-if', `slower,${code}`, NO_FUA))
  expect([answer.status, answer.stderr]).toEqual([3, expect.stringContaining(`--fail-if: after: ${code}`)])
  expect(await tableRuns(into)).toEqual(['before', 'after'])
  expect(read(into, 'runs/after/junit.xml')).toContain(`name="${code}">\n      <failure`)
})

test('broken runs are named, and the others stay', async () => {
  const into = newFolder()
  await publish(into, '--run', 'good', FUA)
  for (const name of ['empty', 'garbage', 'future', 'cut']) mkdirSync(join(into, 'runs', name))
  writeFileSync(join(into, 'runs/garbage/run.json'), '{"schema":')
  writeFileSync(join(into, 'runs/future/run.json'), JSON.stringify({ ...facts(into, 'good'), schema: 2 }))
  cpSync(join(into, 'runs/good'), join(into, 'runs/cut'), { recursive: true })
  writeFileSync(
    join(into, 'runs/cut/digest.parquet'),
    readFileSync(join(into, 'runs/good/digest.parquet')).subarray(0, 5000),
  )
  writeFileSync(join(into, 'runs/a file'), 'of somebody else')
  const { stderr } = await publish(into, '--run', 'next', NO_FUA)
  expect(stderr).toContain('4 incomplete: see fleet.errors.parquet')
  expect(await tableRuns(into)).toEqual(['good', 'next'])
  const broken = await errors(into)
  expect(broken.map(({ source, code }) => `${source} ${code}`).sort()).toEqual(
    ['cut', 'empty', 'future', 'garbage'].map(name => `runs/${name} incomplete-run`),
  )
  for (const { message } of broken)
    expect(message).toMatch(/^[\w.]+ .+\. Remove the folder, or publish the run again\.$|^It has no run\.json\. /)
  // The page shows both tables.
  expect(read(into, 'index.html')).toContain('["fleet.parquet","fleet.errors.parquet"]')
})

test('a damaged table is made again, and removed runs leave it', async () => {
  const into = newFolder()
  for (const name of ['one', 'two', 'three']) await publish(into, '--run', name, '--label', `test=${name}`, FUA)
  const rows = await table(into)
  writeFileSync(join(into, 'fleet.parquet'), readFileSync(join(into, 'fleet.parquet')).subarray(0, 9000))
  rmSync(join(into, 'runs/two'), { recursive: true })
  const { stderr } = await publish(into, '--run', 'four', FUA)
  expect(stderr).toContain('is damaged')
  expect(await tableRuns(into)).toEqual(['one', 'three', 'four'])
  rmSync(join(into, 'runs/four'), { recursive: true })
  await publish(into, '--reindex')
  expect(await table(into)).toEqual(rows.filter(({ run }) => run !== 'two'))
  expect(read(into, 'index.html')).not.toContain('four')
})

test('a run that takes the place of a removed one replaces its rows', async () => {
  const into = newFolder()
  await publish(into, '--run', 'same', '--label', 'build=1', FUA)
  const [first] = await table(into)
  rmSync(join(into, 'runs/same'), { recursive: true })
  await publish(into, '--run', 'same', '--label', 'build=2', NO_FUA)
  const rows = await table(into)
  expect(rows.map(({ build }) => build)).toEqual(['2'])
  expect(rows[0]?.sha256).not.toBe(first?.sha256)
})

test('runs that are published at once are all in the index', async () => {
  const into = newFolder()
  const names = ['a', 'b', 'c', 'd', 'e']
  const answers = await Promise.all(names.map(name => runProcess(args(into, '--run', name, FUA))))
  expect(answers.map(({ status }) => status)).toEqual(names.map(() => 0))
  expect((await tableRuns(into)).sort()).toEqual(names)
  for (const name of names) expect(read(into, 'index.html')).toContain(`runs/${name}/report.txt`)
  const left = readdirSync(into).concat(readdirSync(join(into, 'runs')))
  expect(left.filter(name => name.startsWith('.'))).toEqual([])
  const twice = await Promise.all([1, 2].map(() => runProcess(args(into, '--run', 'twice', FUA))))
  expect(twice.map(({ status }) => status).sort()).toEqual([0, 1])
})

test('what a killed command left is no run, and goes after a week', async () => {
  const into = newFolder()
  await publish(into, '--run', 'first', FUA)
  const [old, young] = ['.old.0123.part', '.young.0123.part'].map(name => join(into, 'runs', name)) as [string, string]
  for (const path of [old, young]) cpSync(join(into, 'runs/first'), path, { recursive: true })
  const output = join(into, '.fleet.parquet.0123.part')
  writeFileSync(output, 'half of a table')
  const week = Date.now() / 1000 - 8 * 24 * 3600
  for (const path of [old, output]) utimesSync(path, week, week)
  await publish(into, '--run', 'second', FUA)
  expect([old, output, young].map(existsSync)).toEqual([false, false, true])
  expect(runNames(into)).toEqual(['first', 'second'])
  expect(await errors(into)).toEqual([])
})

test('names and labels are text in the index', async () => {
  const into = newFolder()
  const name = `<img src=x onerror="alert('1')">&amp;`
  await publish(into, '--run', name, '--label', 'note=</script><script>alert(2)</script>', FUA)
  const html = read(into, 'index.html')
  expect(html).not.toMatch(/<img|<script>alert/)
  expect(html).toContain('&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;amp;')
  const [, href = ''] = /href="(runs\/[^"]+\/report\.txt)"/.exec(html) ?? []
  expect(existsSync(join(into, decodeURIComponent(href.replaceAll('&#39;', "'"))))).toBe(true)
  expect(html.match(/<script>/g)).toHaveLength(1)
  expect(html).toMatch(/script-src 'sha256-[\w+/=]{44}'; style-src 'sha256-/)
})

test('a recording that cannot be read is published with its problems', async () => {
  const into = newFolder()
  const file = join(scratch, 'broken.tar.gz')
  writeFileSync(file, 'this is no archive')
  const answer = await run(args(into, '--run', 'broken', file))
  expect(answer.status).toBe(1)
  expect(facts(into, 'broken').problems).toHaveLength(1)
  expect(read(into, 'runs/broken/junit.xml')).toContain('name="recording">\n      <failure')
  const [problem] = await errors(into)
  expect(problem).toMatchObject({ source: 'runs/broken', code: expect.stringMatching(/^[a-z-]+$/) })
  expect(await table(into)).toEqual([])
  expect(read(into, 'index.html')).toContain('1 problem')
})

const WRONG: readonly (readonly [words: RegExp, status: number, more: readonly string[]])[] = [
  [/must not contain \//, 2, ['--run', 'out/../..', FUA]],
  [/begin with a dot/, 2, ['--run', '.hidden', FUA]],
  [/control characters/, 2, ['--run', 'a\u202eb', FUA]],
  [/at most 200 bytes/, 2, ['--run', 'x'.repeat(201), FUA]],
  [/not KEY=VALUE/, 2, ['--label', 'kernel', FUA]],
  [/not KEY=VALUE/, 2, ['--label', 'Kernel=6.1', FUA]],
  [/is a column of the table/, 2, ['--label', 'iops=3', FUA]],
  [/is a column of the table/, 2, ['--label', 'source=x', FUA]],
  [/given twice/, 2, ['--label', 'a=1', '--label', 'a=2', FUA]],
  [/at most 32 labels/, 2, [...Array.from({ length: 33 }, (_, i) => ['--label', `l${i}=1`]).flat(), FUA]],
  [/1 to 200 characters/, 2, ['--label', `a=${'x'.repeat(201)}`, FUA]],
  [/there is no run nobody/, 2, ['--baseline', 'nobody', FUA]],
  [/this run has no label test/, 2, ['--baseline', 'kernel=6.1,test', FUA]],
  [/There is no recording/, 1, ['no/such/path']],
  [/save the recording first/, 2, ['-']],
  [/missing PATH/, 2, []],
  [/--reindex takes no PATH/, 2, ['--reindex', FUA]],
  [/choose --reindex or --run/, 2, ['--reindex', '--run', 'x']],
]

test.each(WRONG)('refuses with %s', async (words, status, more) => {
  const into = newFolder()
  const answer = await run(args(into, ...more))
  expect(answer.stderr).toMatch(words)
  expect(answer.status).toBe(status)
  expect(runNames(into)).toEqual([])
})

test('a name that is taken, and a folder that is in its own recording, are refused', async () => {
  const into = newFolder()
  await publish(into, '--run', 'taken', FUA)
  const again = await run(args(into, '--run', 'taken', NO_FUA))
  expect([again.status, again.stderr]).toEqual([1, expect.stringContaining('exists. Choose another name with --run')])
  const inside = await run(args(join(into, 'runs/taken/more'), into))
  expect([inside.status, inside.stderr]).toEqual([2, expect.stringContaining('is in the recording')])
})

test('the program finds its parts when it is run from the bundle', async () => {
  expect(existsSync(BUNDLE)).toBe(true)
  const into = newFolder()
  expect((await runProcess(args(into, '--run', 'x', FUA))).stderr).toContain(`1 run in ${into}/index.html`)
})
