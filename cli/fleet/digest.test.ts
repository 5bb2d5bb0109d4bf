/**
 * Digests of real recordings: a comparison from them is that of their traces, to the last digit, and a real database
 * reads the table.
 */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../tests/conformance/duckdb'
import type { DigestFigure } from '../../web/engine/protocol'
import type { SummaryTrace } from '../../web/engine/summary'
import { columnOf, createTable, digestColumns } from '../../web/export/digests'
import { loadEngine } from '../input/read/engine'
import { FIXTURES, ROOT, run } from '../testing/run'
import { columnsOfDigests } from './digest'
import { rowsOfFolder, rowsOfTable } from './tables'

const scratch = mkdtempSync(join(tmpdir(), 'seekscope-digest-'))
afterAll(() => rmSync(scratch, { recursive: true }))
const scratched = (name: string) => join(scratch, name)

/** Runs a command that must succeed. */
async function succeed(...args: readonly string[]): Promise<string> {
  const { status, stdout, stderr } = await run(args)
  expect(status, stderr).toBe(0)
  return stdout
}

const STORIES = join(ROOT, 'tests/stories')
const stories = [
  ...['idling', 'osync', 'raid5'].map(name => join(ROOT, 'public/samples', name)),
  ...readdirSync(STORIES).map(name => join(STORIES, name)),
]

describe('a comparison from digests is that of the traces', () => {
  test.each(stories)('%s', async story => {
    const file = scratched('story.parquet')
    await succeed('digest', story, '-o', file)
    for (const format of ['--json', '--text', '--markdown']) {
      const traces = await succeed('compare', format, story)
      expect(await succeed('compare', format, '--digests', file), format).toBe(traces)
    }
  })

  test('with groups, a geometry, another device and a matrix', async () => {
    const raid = ['raid5-aligned', 'raid5-misaligned'].map(name => join(FIXTURES, name))
    const file = scratched('raid.jsonl')
    const stripe = ['--stripe', 'unit=256KiB,disks=4,level=raid5']
    writeFileSync(file, await succeed('digest', ...stripe, ...raid))
    for (const options of [['--label', 'x', '--label', 'y'], ['--device', 'md0'], ['--baseline', '2'], ['--matrix']]) {
      const args = ['compare', ...options]
      expect(await succeed(...args, '--digests', file), options.join(' ')).toBe(
        await succeed(...args, ...stripe, ...raid),
      )
    }
  })

  test('every other form', async () => {
    const story = join(STORIES, 'repeat.tar.xz')
    const [file, noise] = [scratched('forms.parquet'), scratched('noise.json')]
    await succeed('digest', story, '-o', file)
    writeFileSync(noise, await succeed('noise', '--json', story))
    const forms = [
      ['--matrix'],
      ['--matrix', '--json'],
      ['--matrix', '--markdown', '--figure', 'iops'],
      ['--noise', noise],
      ['--json', '--baseline', '2'],
      ['--fail-if', 'slower,device-slower'],
    ]
    for (const form of forms) {
      const [traces, digests] = [
        await run(['compare', ...form, story]),
        await run(['compare', ...form, '--digests', file]),
      ]
      expect([digests.status, digests.stdout, digests.stderr], form.join(' ')).toEqual([
        traces.status,
        traces.stdout,
        traces.stderr,
      ])
    }
    const reports = ['traces.xml', 'digests.xml'].map(scratched) as [string, string]
    await run(['compare', '--junit', reports[0], '--fail-if', 'slower', story])
    await run(['compare', '--junit', reports[1], '--fail-if', 'slower', '--digests', file])
    expect(readFileSync(reports[1], 'utf8')).toBe(readFileSync(reports[0], 'utf8'))
  })

  test('repeats that the recorder noted are groups', async () => {
    const folder = scratched('recorded')
    const repeats = {
      'old-r1': 'partitions-deadline-1w',
      'old-r2': 'partitions-deadline-1w',
      'new-r1': 'partitions-bfq-1w',
      'new-r2': 'partitions-bfq-1w',
    }
    for (const [name, trace] of Object.entries(repeats))
      cpSync(join(FIXTURES, trace), join(folder, name), { recursive: true })
    const lines = Object.keys(repeats).map(name => `repeats\t${name}\t${name.slice(0, 3)}\t-\t-`)
    writeFileSync(join(folder, 'MANIFEST.tsv'), ['item\tcommand\texit\tbegin\tend', ...lines, ''].join('\n'))
    const file = scratched('recorded.parquet')
    await succeed('digest', folder, '-o', file)
    expect((await rowsOfTable(file)).map(row => row.repeat_group).sort()).toEqual(['new', 'new', 'old', 'old'])
    expect(await succeed('compare', folder)).toContain('the first run of each group')
    for (const format of ['--json', '--text'])
      expect(await succeed('compare', format, '--digests', file)).toBe(await succeed('compare', format, folder))
  })

  test('runs of traces follow those of digests', async () => {
    const [a = '', b = ''] = ['partitions-deadline-1w', 'partitions-bfq-1w'].map(name => join(FIXTURES, name))
    const file = scratched('first.parquet')
    await succeed('digest', a, '-o', file)
    expect(await succeed('compare', '--json', '--digests', file, b)).toBe(await succeed('compare', '--json', a, b))
  })
})

describe('--where', () => {
  const file = scratched('where.parquet')
  const names = ['partitions-deadline-1w', 'partitions-bfq-1w', 'two-devices']
  const labels = async (where: string) =>
    JSON.parse(await succeed('compare', '--json', '--digests', file, '--where', where)).runs.map(
      ({ label, device }: { label: string; device: string }) => `${label} ${device}`,
    )

  test('selects runs, and another device of a run', async () => {
    await succeed('digest', ...names.map(name => join(FIXTURES, name)), '-o', file)
    expect(await labels("run like 'partitions-%'")).toHaveLength(2)
    expect(await labels("run = 'partitions-bfq-1w' and iops > 0")).toHaveLength(1)
    const devices = JSON.parse(await succeed('summary', '--json', join(FIXTURES, 'two-devices'))).traces[0]
      .devices as SummaryTrace['devices']
    expect(devices.length).toBeGreaterThan(1)
    for (const { dev } of devices)
      expect(await labels(`run = 'two-devices' and dev = '${dev}'`)).toEqual([expect.stringContaining('two-devices')])
    const shown = await Promise.all(devices.map(({ dev }) => labels(`run = 'two-devices' and dev = '${dev}'`)))
    expect(new Set(shown.flat()).size).toBe(devices.length)
  })

  test('selects builds that labels or paths name', async () => {
    const folder = scratched('builds')
    for (const [i, name] of names.entries())
      cpSync(join(FIXTURES, name), join(folder, `build-${9 + i}`), { recursive: true })
    const table = scratched('builds.parquet')
    await succeed('digest', folder, '-o', table)
    const selected = async (where: string) =>
      JSON.parse(await succeed('compare', '--json', '--digests', table, '--where', where)).runs.map(
        ({ label }: { label: string }) => label,
      )
    expect(await selected('build >= 10')).toEqual(['build-10', 'build-11'])
    expect(await selected("build in ('9', '11')")).toEqual(['build-9', 'build-11'])
  })

  test('no run, a wrong column, and nothing to select from are said', async () => {
    const none = await run(['compare', '--digests', file, '--where', "kernel = 'none'"])
    expect(none.status).toBe(1)
    expect(none.stderr).toContain('one-run')
    const wrong = await run(['compare', '--digests', file, '--where', 'nothing = 1'])
    expect(wrong).toMatchObject({ status: 2, stderr: expect.stringContaining('no column nothing') })
    expect((await run(['compare', '--where', 'iops > 1', join(FIXTURES, 'two-devices')])).stderr).toContain(
      '--where needs --digests',
    )
    expect((await run(['compare'])).stderr).toContain('missing PATH')
  })
})

describe('files that are no digests', () => {
  test.each([
    ['absent.parquet', undefined, 'no such file'],
    ['text.parquet', 'hello\n', "not a file of 'seekscope digest'"],
    ['empty.parquet', '', 'one-run'],
    ['cut.parquet', 'PAR1 and so on', 'cut.parquet'],
    ['newer.jsonl', '{"schema":2,"run":"a"}\n', 'schema 2'],
    ['other.jsonl', '{"run":"a"}\n', "not a file of 'seekscope digest'"],
    ['list.jsonl', '[1]\nnull\n', "not a file of 'seekscope digest'"],
    ['null.jsonl', 'null\n', "not a file of 'seekscope digest'"],
    ['object.jsonl', '{"schema":{"toString":1,"valueOf":1}}\n', "not a file of 'seekscope digest'"],
    ['no-digest.jsonl', '{"schema":1,"run":"a"}\n', 'no digest'],
    ['damaged.jsonl', '{"schema":1,"run":"a","digest":"{\\"label\\":\\"a\\"}"}\n', 'damaged'],
    [
      'wrong-type.jsonl',
      `${JSON.stringify({ schema: 1, run: 'a', digest: JSON.stringify({ label: 'a', path: 'p', bench: [], settings: [], labelSource: { label: 'a', folder: '' }, trace: { name: 't', devices: [{ dev: '8,0', name: 'sda', figures: 7 }] } }) })}\n`,
      'a digest in it is damaged',
    ],
  ])('%s', async (name, content, message) => {
    if (content !== undefined) writeFileSync(scratched(name), content)
    const { status, stdout, stderr } = await run(['compare', '--digests', scratched(name)])
    expect(status).not.toBe(0)
    expect(stdout).toBe('')
    expect(stderr).toContain(message)
    expect(stderr).toContain(name)
    expect(stderr).not.toMatch(/\n\s+at /)
    const { stdout: none, stderr: said } = await run(['builds', '--digests', scratched(name)])
    expect(none).toBe('')
    expect(said).toContain(name)
    expect(said).not.toMatch(/\n\s+at /)
  })

  test('a file cut anywhere is an error of one line', async () => {
    const file = scratched('whole.parquet')
    await succeed('digest', join(FIXTURES, 'partitions-bfq-1w'), '-o', file)
    const bytes = readFileSync(file)
    for (let i = 1; i < 12; i += 1) {
      const cut = scratched('part.parquet')
      writeFileSync(cut, bytes.subarray(0, Math.floor((bytes.length * i) / 12)))
      const { status, stderr } = await run(['compare', '--digests', cut])
      expect(status).toBe(2)
      expect(stderr.trim().split('\n').length).toBeLessThanOrEqual(2)
    }
  })
})

test('a folder of tables that links lead back into is read once', async () => {
  const folder = scratched('linked')
  mkdirSync(join(folder, 'kernel=6.1'), { recursive: true })
  await succeed('digest', join(FIXTURES, 'partitions-bfq-1w'), '-o', join(folder, 'kernel=6.1/part.parquet'))
  for (let i = 0; i < 12; i++) symlinkSync('.', join(folder, `back${i}`))
  expect(await rowsOfFolder(folder)).toHaveLength((await rowsOfTable(join(folder, 'kernel=6.1/part.parquet'))).length)
  symlinkSync('nowhere', join(folder, 'kernel=6.1/gone.parquet'))
  const { status, stderr } = await run(['compare', '--digests', folder])
  expect({ status, stderr }).toEqual({
    status: 2,
    stderr: expect.stringContaining('gone.parquet: A symbolic link to a file that does not exist'),
  })
})

test('DuckDB reads the table, and its figures are those of the summary', async () => {
  const file = scratched('table.parquet')
  const folders = ['ext4-buffered-6.1', 'ext4-buffered-6.12', 'two-devices'].map(name => join(FIXTURES, name))
  await succeed('digest', ...folders, '-o', file)
  const { traces }: { traces: readonly SummaryTrace[] } = JSON.parse(await succeed('summary', '--json', ...folders))
  const database = await openDatabase()
  try {
    const { rows } = await database.ask(
      `SELECT dev, iops, q2c_p99, len(iops_bins) > 0, events FROM '${file}' ORDER BY position, dev`,
    )
    const expected = traces.flatMap(({ devices, files }) =>
      [...devices]
        .sort((a, b) => (a.dev < b.dev ? -1 : 1))
        .map(device => [
          device.dev,
          device.throughput?.iops ?? null,
          device.latency_ns?.q2c?.p99 ?? null,
          files.length > 0,
        ]),
    )
    expect(rows.map(row => row.slice(0, 4))).toEqual(expected)
    const described = await database.ask(`DESCRIBE SELECT * FROM '${file}'`)
    const figures: readonly DigestFigure[] = loadEngine().knownFigures()
    expect(described.rows.map(([name]) => name)).toEqual(digestColumns(figures).map(({ name }) => name))
    const packed = await database.ask(
      `SELECT max(len(digest)) < 100000, count(digest) = ${folders.length} FROM '${file}'`,
    )
    expect(packed.rows).toEqual([[true, true]])
  } finally {
    database.close()
  }
})

test('numbers that a column cannot hold exactly are absent', async () => {
  const pieces: Uint8Array[] = []
  const table = createTable([{ name: 'n', type: 'INT64' }], gzipSync, bytes => void pieces.push(bytes))
  await table.add([{ n: 7 }, { n: 2 ** 63 }, {}])
  await table.finish()
  writeFileSync(scratched('numbers.parquet'), Buffer.concat(pieces))
  expect(await rowsOfTable(scratched('numbers.parquet'))).toEqual([{ n: 7 }, {}, {}])
})

test('the job of examples/spark has the types of the columns', () => {
  const job = readFileSync(join(ROOT, 'examples/spark/fleet.py'), 'utf8')
  const setOf = (name: string) =>
    [...(new RegExp(`^${name} = set\\(([^)]*?)\\.split`, 'm').exec(job)?.[1] ?? '').matchAll(/\w+/g)].map(
      ([word]) => word,
    )
  const columnsOf = (...types: readonly string[]) =>
    columnsOfDigests().flatMap(({ name, type }) => (types.includes(type) ? [name] : []))
  expect(setOf('TEXTS').sort()).toEqual([...columnsOf('STRING'), 'source'].sort())
  expect(setOf('INTEGERS').sort()).toEqual(columnsOf('INT32', 'INT64').sort())
})

test('a disk has the model that texts next to its trace name', async () => {
  const folder = join(scratch, 'model')
  cpSync(join(FIXTURES, 'ext4-buffered-6.1'), folder, { recursive: true })
  const disks = {
    blockdevices: [
      { name: 'vda', 'maj:min': '254:0', type: 'disk', model: 'QEMU HARDDISK' },
      { name: 'sdb', 'maj:min': '8:16', model: 'OTHER' },
    ],
  }
  writeFileSync(join(folder, 'lsblk.json'), JSON.stringify(disks))
  const rows = (await succeed('digest', folder))
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  expect(rows.map(({ model }) => model)).toEqual(['QEMU HARDDISK'])
  expect(rows[0].tail_requests).toBeGreaterThan(0)
  const causes = Object.entries(rows[0]).flatMap(([name, value]) =>
    /^tail_(?!ns|requests|threshold)/.test(name) ? [Number(value)] : [],
  )
  expect(causes.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 9)
})

test('names of columns are one per figure', () => {
  const figures: readonly DigestFigure[] = loadEngine().knownFigures()
  const names = digestColumns(figures).map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  expect(names).toContain(columnOf('q2c.p99'))
})
