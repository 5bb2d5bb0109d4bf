/**
 * A folder of real recordings becomes a table; the command resumes where it was killed, and reads only what changed.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { COLUMNS, parquetOf } from '../../tests/digestTables'
import { type DigestRow, SOURCE_COLUMNS } from '../../web/export/digests'
import { BUNDLE, FIXTURES, ROOT, run, shell, traces } from '../testing/run'
import { partitionName, rowsOfFolder, rowsOfTable, type TableRow } from './tables'

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
const sourcesOf = async (name: string) =>
  [...new Set((await rowsOfTable(table(name))).map(row => String(row.source)))].sort()
/** Without what depends on when it was read. */
const contents = async (name: string) => JSON.stringify(await rowsOfTable(table(name)))

test('one table of all recordings, and one of what could not be read', async () => {
  const { status, stdout, stderr } = await fleet('all')
  expect(status, stderr).toBe(1)
  expect(stdout).toBe('')
  expect(stderr).toContain('10 recordings')
  expect(await sourcesOf('all')).toEqual(
    [...STORIES.map(name => `deep/${name}.tar.xz`), 'deep/er/6.1', 'two-devices'].sort(),
  )
  const errors = await rowsOfTable(join(scratch, 'all.errors.parquet'))
  expect(new Set(errors.map(({ source }) => source))).toEqual(new Set(['broken.tar.gz', 'cut.tar.xz']))
  for (const { code, message } of errors) expect(`${code}: ${message}`).toMatch(/^[a-z-]+: .+/)
  expect(existsSync(`${table('all')}.journal`)).toBe(false)

  const alone = join(scratch, 'alone.parquet')
  expect((await run(['digest', join(folder, 'deep/held.tar.xz'), '-o', alone])).status).toBe(0)
  const rows = (await rowsOfTable(table('all')))
    .filter(row => row.source === 'deep/held.tar.xz')
    .map(({ source, source_sha256, made_by, ...row }) => row)
  expect(rows).toEqual(await rowsOfTable(alone))
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

test('what could not be read is not read again either, and is still named', async () => {
  const errors = join(scratch, 'all.errors.parquet')
  const before = await rowsOfTable(errors)
  const again = await fleet('all')
  expect([again.status, again.stderr]).toEqual([1, expect.stringContaining('0 read, 10 unchanged; 2 with problems')])
  expect(await rowsOfTable(errors)).toEqual(before)
  expect(before.map(({ source }) => source)).toEqual(before.map(({ source }) => String(source)).sort())
})

test('with other options everything is read again', async () => {
  const copy = join(scratch, 'array')
  cpSync(join(FIXTURES, 'raid5-aligned'), join(copy, 'raid5-aligned'), { recursive: true })
  const stripe = ['--stripe', 'unit=256KiB,disks=4,level=raid5']
  const fleetOf = (...options: readonly string[]) => run(['fleet', copy, '-o', table('array'), ...options], { env: {} })
  expect((await fleetOf()).stderr).toContain('1 read, 0 unchanged')
  expect((await fleetOf(...stripe)).stderr).toContain('1 read, 0 unchanged')
  const compared = await run(['digest', ...stripe, join(copy, 'raid5-aligned')])
  const digests = (await rowsOfTable(table('array'))).flatMap(row => row.digest ?? [])
  expect(digests).toEqual(
    compared.stdout
      .trim()
      .split('\n')
      .flatMap(line => JSON.parse(line).digest ?? []),
  )
  expect((await fleetOf(...stripe)).stderr).toContain('0 read, 1 unchanged')
})

test('two commands that write the same table at once are noticed', async () => {
  const journal = `${table('twice')}.journal`
  const child = spawn(process.execPath, [BUNDLE, 'fleet', folder, '-o', table('twice'), '--threads', '1'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  running.push(child)
  let said = ''
  child.stderr.on('data', bytes => (said += bytes))
  await expect
    .poll(() => existsSync(journal) && readFileSync(journal, 'latin1').split('\n').length > 3, {
      interval: 5,
      timeout: 60_000,
    })
    .toBe(true)
  const fd = openSync(journal, 'r+')
  // The first two could not be read: nothing of them is needed again.
  const [first = '', second = ''] = readFileSync(journal, 'latin1').split('\n')
  writeSync(fd, '{"source":"another","rows":[],"problems":[]}\n', first.length + second.length + 2)
  closeSync(fd)
  const [status] = await once(child, 'close')
  expect([status, said]).toEqual([1, expect.stringContaining('does another command write the same table?')])
  expect(existsSync(table('twice'))).toBe(false)
})

test('a sparse file of a terabyte is not hashed, and the others are read', async () => {
  const sparseFolder = join(scratch, 'sparse')
  mkdirSync(sparseFolder)
  cpSync(join(folder, 'deep/held.tar.xz'), join(sparseFolder, 'held.tar.xz'))
  mkdirSync(join(sparseFolder, 'holes'))
  const trace = join(sparseFolder, 'holes/trace.dat')
  writeFileSync(trace, '\x17\x08\x44tracing6\0\0\x08\0\x10\0\0')
  truncateSync(trace, 2 ** 40)
  for (const _ of ['first', 'again']) {
    const { status, stderr } = await fleet('sparse', sparseFolder)
    expect(status, stderr).toBe(1)
    expect(await sourcesOf('sparse')).toEqual(['held.tar.xz'])
    const errors = await rowsOfTable(join(scratch, 'sparse.errors.parquet'))
    expect(errors.map(({ source, code, source_sha256 }) => [source, code, source_sha256])).toEqual([
      ['holes', 'too-large', ''],
    ])
  }
})

test('a command that was killed resumes where it was', async () => {
  const journal = `${table('killed')}.journal`
  const child = spawn(process.execPath, [BUNDLE, 'fleet', folder, '-o', table('killed'), '--threads', '1'], {
    stdio: 'ignore',
  })
  running.push(child)
  await expect
    .poll(() => existsSync(journal) && readFileSync(journal, 'latin1').split('\n').length > 3, {
      interval: 5,
      timeout: 60_000,
    })
    .toBe(true)
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

test('a table or a journal of others: its rows are read again, and a file is left as it is', async () => {
  const alone = join(scratch, 'alone-folder')
  cpSync(join(FIXTURES, 'io-errors'), join(alone, 'good'), { recursive: true })
  expect((await fleet('typed', alone)).stderr).toContain('1 read, 0 unchanged')
  const [row = {}] = await rowsOfTable(table('typed'))
  const typed = COLUMNS.filter(({ name }) => name !== 'run' && name !== 'iops')
  const columns = [
    ...typed,
    ...SOURCE_COLUMNS,
    { name: 'run', type: 'DOUBLE' as const },
    { name: 'iops', type: 'STRING' as const },
  ]
  writeFileSync(table('typed'), await parquetOf([{ ...row, run: 1, iops: 'many' } as DigestRow], columns))
  const again = await fleet('typed', alone)
  expect(again).toMatchObject({ status: 0, stderr: expect.stringContaining('1 read, 0 unchanged') })
  expect(await rowsOfTable(table('typed'))).toEqual([row])
  writeFileSync(join(scratch, 'letter'), 'years of work')
  symlinkSync('letter', `${table('typed')}.journal`)
  expect(await fleet('typed', alone)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('it is a file of others'),
  })
  expect(readFileSync(join(scratch, 'letter'), 'utf8')).toBe('years of work')
})

describe('a folder of tables', () => {
  const folderRows = async (name: string) => [...(await rowsOfFolder(join(scratch, name)))].sort(bySource)
  const bySource = (a: TableRow, b: TableRow) => (identity(a) < identity(b) ? -1 : 1)
  const identity = (row: TableRow) => JSON.stringify([row.source, row.position, row.dev])
  const inFolder = (name: string, from = folder) =>
    run(['fleet', from, '-o', `${join(scratch, name)}/`, '--threads', '2'], { env: {} })

  test('has the rows of one table, by kernel and device, and DuckDB reads it as one', async () => {
    const { status, stderr } = await inFolder('parts')
    expect(status, stderr).toBe(1)
    expect(await folderRows('parts')).toEqual([...(await rowsOfTable(table('all')))].sort(bySource))
    const kernels = readdirSync(join(scratch, 'parts'))
    expect(kernels).toContain('kernel=__HIVE_DEFAULT_PARTITION__')
    expect(kernels.length).toBeGreaterThan(1)
    expect(existsSync(join(scratch, 'parts/kernel=__HIVE_DEFAULT_PARTITION__/device=254,16/part.parquet'))).toBe(true)
    expect(existsSync(join(scratch, 'parts.journal'))).toBe(false)
    expect(new Set((await rowsOfTable(join(scratch, 'parts.errors.parquet'))).map(({ source }) => source))).toEqual(
      new Set(['broken.tar.gz', 'cut.tar.xz']),
    )
    const database = await (await DuckDBInstance.create()).connect()
    const counted = async (from: string) =>
      (
        await database.runAndReadAll(
          `SELECT kernel, device, count(*) AS n, sum(iops) FROM ${from} GROUP BY ALL ORDER BY ALL`,
        )
      ).getRowsJson()
    expect(await counted(`read_parquet('${scratch}/parts/**/*.parquet', hive_partitioning = true)`)).toEqual(
      await counted(`'${table('all')}'`),
    )
  })

  test('is compared as one table is', async () => {
    const compared = (from: string) =>
      run(['compare', '--json', '--digests', from, '--where', "source = 'deep/sorting.tar.xz' and kernel like '6.1.%'"])
    const { status, stdout } = await compared(join(scratch, 'parts'))
    expect(status).toBe(0)
    expect(JSON.parse(stdout).runs.length).toBeGreaterThan(1)
    expect(stdout).toBe((await compared(table('all'))).stdout)
  })

  test('is read again for what changed only, and old partitions leave it', async () => {
    const copy = join(scratch, 'parted')
    cpSync(join(folder, 'deep'), copy, { recursive: true })
    expect((await inFolder('again', copy)).stderr).toContain('7 read, 0 unchanged')
    const before = readdirSync(join(scratch, 'again'))
    rmSync(join(copy, 'sorting.tar.xz'))
    // By the folder that is there, without the slash.
    expect((await run(['fleet', copy, '-o', join(scratch, 'again')], { env: {} })).stderr).toContain(
      '0 read, 6 unchanged',
    )
    expect(readdirSync(join(scratch, 'again')).length).toBeLessThan(before.length)
    expect(readdirSync(scratch).filter(name => name.startsWith('.'))).toEqual([])
  })

  test('is refused where it has files of others, and in the folder that is read', async () => {
    mkdirSync(join(scratch, 'taken/kernel=6.1/device=sda'), { recursive: true })
    writeFileSync(join(scratch, 'taken/kernel=6.1/device=sda/thesis.doc'), 'years of work')
    const taken = await inFolder('taken')
    expect([taken.status, taken.stderr]).toEqual([1, expect.stringContaining('kernel=6.1/device=sda/thesis.doc')])
    expect(readFileSync(join(scratch, 'taken/kernel=6.1/device=sda/thesis.doc'), 'utf8')).toBe('years of work')
    const inside = await inFolder('recordings/out')
    expect([inside.status, inside.stderr]).toEqual([2, expect.stringContaining('in the folder that is read')])
  })

  test('has names that Hive can read, however strange a kernel or device is', () => {
    expect(partitionName('device', "a/b=c d%é'")).toBe('device=a%2Fb%3Dc d%25é%27')
    expect(partitionName('kernel', undefined)).toBe('kernel=__HIVE_DEFAULT_PARTITION__')
    for (const long of ['x'.repeat(1000), '%'.repeat(1000), 'é'.repeat(1000)]) {
      const name = partitionName('kernel', long)
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255)
      expect(name.slice(7).replaceAll('%25', '')).not.toContain('%')
    }
  })
})

test('a folder that was made to be endless: each recording once, and what cannot be read by name', async () => {
  const odd = join(scratch, 'odd')
  cpSync(join(FIXTURES, 'io-errors'), join(odd, 'good'), { recursive: true })
  cpSync(join(FIXTURES, 'io-errors'), join(odd, 'more/kept\x1b[2J'), { recursive: true })
  for (const [to, path] of [
    ['..', 'more/up'],
    ['../..', 'good/back'],
    ['.', 'more/dot'],
    ['good', 'latest'],
    ['self', 'self'],
    ['nowhere', 'gone'],
    ['nowhere', 'gone.tar.xz'],
  ] as const)
    symlinkSync(to, join(odd, path))
  mkdirSync(Buffer.concat([Buffer.from(`${odd}/caf`), Buffer.from([0xe9])]))
  cpSync(join(FIXTURES, 'io-errors/trace.blktrace.0'), join(odd, 'part'))
  renameSync(
    join(odd, 'part'),
    Buffer.concat([Buffer.from(`${odd}/caf`), Buffer.from([0xe9]), Buffer.from('/trace.blktrace.0')]),
  )
  symlinkSync('good', Buffer.concat([Buffer.from(`${odd}/caf`), Buffer.from([0xe8])]))
  spawnSync('mkfifo', [join(odd, 'pipe.tar'), join(odd, 'more/control')])
  const { status, stderr } = await fleet('odd', odd)
  expect(status).toBe(1)
  expect(stderr).toContain('2 read, 0 unchanged')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what must not be there
  expect(stderr).not.toMatch(/[\x00-\x09\x0b-\x1f]|\n\s+at /)
  expect(await sourcesOf('odd')).toEqual(['good', 'more/kept\x1b[2J'])
  const problems = async () =>
    (await rowsOfTable(join(scratch, 'odd.errors.parquet'))).map(({ source, code }) => `${source} ${code}`).sort()
  const expected = [
    'caf\\xe9 unreadable',
    'gone not-found',
    'gone.tar.xz not-found',
    // It is in a recording, which is read without it.
    'good link-loop',
    'more/dot link-loop',
    'more/up link-loop',
    'pipe.tar not-a-file',
    'self link-loop',
  ]
  expect(await problems()).toEqual(expected)
  expect((await fleet('odd', odd)).stderr).toContain('0 read, 2 unchanged')
  expect(await problems()).toEqual(expected)
})

describe('a journal', () => {
  const alone = join(scratch, 'journaled')
  beforeAll(() => {
    for (const name of ['one', 'two']) cpSync(join(FIXTURES, 'io-errors'), join(alone, name), { recursive: true })
  })
  /** Kills the command once the journal has so many lines; returns them. */
  async function journalOf(name: string): Promise<readonly string[]> {
    const journal = `${table(name)}.journal`
    // Of what is written at the end there is none: the folder of the table of errors is a file.
    mkdirSync(join(scratch, `${name}.errors.parquet`))
    expect((await fleet(name, alone)).status).toBe(1)
    rmSync(join(scratch, `${name}.errors.parquet`), { recursive: true })
    return readFileSync(journal, 'utf8').trimEnd().split('\n')
  }

  test.each([
    ['null as a row', (line: string) => line.replace(/"rows":\[.*?\],"problems"/s, '"rows":[null],"problems"')],
    ['a row without a kernel that is a text', (line: string) => line.replace(/"schema":1/, '"schema":1,"kernel":7')],
    ['a number that is no integer', (line: string) => line.replace(/"position":\d+/, '"position":1.5')],
    ['a problem without a code', (line: string) => line.replace('"problems":[]', '"problems":[{"source":"one"}]')],
    ['a problem that is null', (line: string) => line.replace('"problems":[]', '"problems":[null]')],
    ['a hash that is a number', (line: string) => line.replace(/"sha256":"[^"]*"/, '"sha256":5')],
    ['a list of texts', (line: string) => line.replace(/"(\w+_bins)":\[[^\]]*\]/, '"$1":["x"]')],
    ['no JSON', (line: string) => line.slice(0, -5)],
  ])('with %s costs that recording, and says so', async (what, damage) => {
    const name = `damaged-${what.replaceAll(' ', '-')}`
    const [first = '', second = ''] = await journalOf(name)
    const damaged = damage(first)
    expect(damaged).not.toBe(first)
    writeFileSync(`${table(name)}.journal`, `${damaged}\n${second}\n`)
    const { status, stderr } = await fleet(name, alone)
    expect(stderr).toContain('1 damaged line')
    expect([status, stderr]).toEqual([0, expect.stringContaining('1 read, 1 unchanged')])
    expect(await sourcesOf(name)).toEqual(['one', 'two'])
  })

  test.each(['a FIFO', 'a folder', 'a symbolic link'])('that is %s is left as it is', async what => {
    const name = `is-${what.replaceAll(' ', '-')}`
    const journal = `${table(name)}.journal`
    if (what === 'a FIFO') spawnSync('mkfifo', [journal])
    else if (what === 'a folder') mkdirSync(journal)
    else {
      writeFileSync(join(scratch, 'empty-file'), '')
      symlinkSync('empty-file', journal)
    }
    const { status, stderr } = await fleet(name, alone)
    expect([status, stderr]).toEqual([1, expect.stringMatching(/^seekscope: cannot write \S+\.journal: [^\n]+\n$/)])
    expect(existsSync(table(name))).toBe(false)
    if (what === 'a symbolic link') expect(readFileSync(join(scratch, 'empty-file'), 'utf8')).toBe('')
  })

  test.each(['f.parquet', 'F/'])(
    'that does not fit on the disk ends the command, with all threads: %s',
    async output => {
      const into = mkdtempSync(join(scratch, 'full-'))
      const { status, stderr } = await shell(
        `ulimit -f 8; seekscope fleet ${folder} --threads 2 -o ${join(into, output)}`,
      )
      expect([status, stderr]).toEqual([1, expect.stringMatching(/cannot write \S+\.journal: file too large\n$/)])
      expect(readdirSync(into).filter(name => !name.endsWith('.journal'))).toEqual([])
    },
  )
})

test('a text of blkparse beside its files is no second recording, compressed or not', async () => {
  const beside = join(scratch, 'beside')
  for (const [name, file] of [
    ['plain', 'trace.blkparse.txt'],
    ['packed', 'trace.blkparse.txt.gz'],
  ] as const) {
    cpSync(join(FIXTURES, 'io-errors'), join(beside, name), { recursive: true })
    const { stdout } = await run(['blkparse', join(FIXTURES, 'io-errors')])
    const text = Buffer.from(stdout)
    writeFileSync(join(beside, name, file), name === 'plain' ? text : gzipSync(text))
  }
  expect((await fleet('beside', beside)).stderr).toContain('2 runs of 2 recordings')
  expect(await sourcesOf('beside')).toEqual(['packed', 'plain'])
  expect(await rowsOfTable(table('beside'))).toHaveLength(2)
  // As the page does: the engine groups what is in a folder.
  for (const name of ['plain', 'packed']) expect(await traces([join(beside, name)])).toHaveLength(1)
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
