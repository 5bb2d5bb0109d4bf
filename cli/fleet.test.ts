/** A folder of real recordings becomes a table; the command resumes where it was killed, and reads only what changed. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rowsOfTable } from './tables'
import { BUNDLE, FIXTURES, ROOT, run } from './testing'

const scratch = mkdtempSync(join(tmpdir(), 'seekscope-fleet-'))
const folder = join(scratch, 'recordings')
const running: ChildProcess[] = []
const STORIES = ['held', 'sorting', 'split', 'think', 'throttled', 'queue-limit']

beforeAll(() => {
  mkdirSync(join(folder, 'deep/er'), { recursive: true })
  for (const name of STORIES) cpSync(join(ROOT, `tests/stories/${name}.tar.xz`), join(folder, `deep/${name}.tar.xz`))
  cpSync(join(FIXTURES, 'ext4-buffered-6.1'), join(folder, 'deep/er/6.1'), { recursive: true })
  cpSync(join(FIXTURES, 'two-devices'), join(folder, 'two-devices'), { recursive: true })
  writeFileSync(join(folder, 'README'), 'recordings of a lab\n')
  writeFileSync(join(folder, 'broken.tar.gz'), 'this is no archive')
  cpSync(join(folder, 'deep/held.tar.xz'), join(folder, 'cut.tar.xz'))
  truncateSync(join(folder, 'cut.tar.xz'), 100)
})
afterAll(() => {
  for (const child of running) child.kill('SIGKILL')
  rmSync(scratch, { recursive: true })
})

const table = (name: string) => join(scratch, `${name}.parquet`)
/** As a process: its threads are the built ones. */
const fleet = (name: string, from = folder) => run(['fleet', from, '-o', table(name), '--threads', '2'], { env: {} })
const sourcesOf = async (name: string) => [...new Set((await rowsOfTable(table(name))).map(row => String(row.source)))].sort()
/** Without what depends on when it was read. */
const contents = async (name: string) => JSON.stringify(await rowsOfTable(table(name)))

test('one table of all recordings, and one of what could not be read', async () => {
  const { status, stdout, stderr } = await fleet('all')
  expect(status, stderr).toBe(1)
  expect(stdout).toBe('')
  expect(stderr).toContain('10 recordings')
  expect(await sourcesOf('all')).toEqual([...STORIES.map(name => `deep/${name}.tar.xz`), 'deep/er/6.1', 'two-devices'].sort())
  const errors = await rowsOfTable(join(scratch, 'all.errors.parquet'))
  expect(new Set(errors.map(({ source }) => source))).toEqual(new Set(['broken.tar.gz', 'cut.tar.xz']))
  for (const { code, message } of errors) expect(`${code}: ${message}`).toMatch(/^[a-z-]+: .+/)
  expect(existsSync(`${table('all')}.journal`)).toBe(false)

  const alone = join(scratch, 'alone.parquet')
  expect((await run(['digest', join(folder, 'deep/held.tar.xz'), '-o', alone])).status).toBe(0)
  const own = (await rowsOfTable(table('all'))).filter(row => row.source === 'deep/held.tar.xz').map(({ source, source_sha256, ...row }) => row)
  expect(own).toEqual(await rowsOfTable(alone))
  const answer = await run(['compare', '--json', '--digests', table('all'), '--where', "source = 'deep/held.tar.xz'"])
  expect(answer.stdout).toBe((await run(['compare', '--json', join(folder, 'deep/held.tar.xz')])).stdout)
})

test('what has not changed is not read again; what changed is, and what is gone leaves the table', async () => {
  const copy = join(scratch, 'changing')
  cpSync(join(folder, 'deep'), copy, { recursive: true })
  expect((await fleet('changing', copy)).stderr).toContain('7 read, 0 unchanged')
  const before = await contents('changing')
  expect((await fleet('changing', copy)).stderr).toContain('0 read, 7 unchanged')
  expect(await contents('changing')).toBe(before)
  rmSync(join(copy, 'held.tar.xz'))
  cpSync(join(copy, 'split.tar.xz'), join(copy, 'think.tar.xz'))
  writeFileSync(join(copy, 'er/6.1/note.txt'), 'scheduler bfq\n')
  expect((await fleet('changing', copy)).stderr).toContain('6 recordings')
  expect((await fleet('changing', copy)).stderr).toContain('0 read, 6 unchanged')
  expect(await sourcesOf('changing')).not.toContain('held.tar.xz')
  const rows = await rowsOfTable(table('changing'))
  const sums = (source: string) => rows.filter(row => row.source === source).map(row => row.sha256)
  expect(sums('think.tar.xz')).toEqual(sums('split.tar.xz'))
})

test('a command that was killed resumes where it was', async () => {
  const journal = `${table('killed')}.journal`
  const child = spawn(process.execPath, [BUNDLE, 'fleet', folder, '-o', table('killed'), '--threads', '1'], { stdio: 'ignore' })
  running.push(child)
  await expect.poll(() => existsSync(journal) && readFileSync(journal, 'latin1').split('\n').length > 3, { interval: 5, timeout: 60_000 }).toBe(true)
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(existsSync(table('killed'))).toBe(false)
  // As a power failure may leave it.
  truncateSync(journal, readFileSync(journal).length - 7)
  const { stderr } = await fleet('killed')
  const [, read, unchanged] = /(\d+) read, (\d+) unchanged/.exec(stderr) ?? []
  expect(Number(unchanged)).toBeGreaterThanOrEqual(2)
  expect(Number(read) + Number(unchanged)).toBe(10)
  expect(await sourcesOf('killed')).toEqual(await sourcesOf('all'))
  expect(await contents('killed')).toBe(await contents('all'))
})

test('a folder without recordings, one that is absent, and another extension are one line', async () => {
  mkdirSync(join(scratch, 'empty'))
  for (const [from, output, status, word] of [
    ['empty', 'x.parquet', 1, 'no files'],
    ['absent', 'x.parquet', 1, 'not-found'],
    ['empty', 'x.csv', 2, '.parquet'],
    ['recordings', 'none/x.parquet', 1, 'cannot write'],
  ] as const) {
    const finished = await run(['fleet', join(scratch, from), '-o', join(scratch, output)])
    expect(finished.status, finished.stderr).toBe(status)
    expect(finished.stderr).toContain(word)
    expect(finished.stderr).not.toMatch(/\n\s+at /)
  }
})
