import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { ReadResults, ResultsDocument, ResultsReading } from '../../../web/engine/protocol'
import { run } from '../../testing/run'

const scratch = mkdtempSync(join(tmpdir(), 'seekscope-results-'))
afterAll(() => rmSync(scratch, { recursive: true }))

/** A file for a test; its path. */
function text(name: string, contents: string): string {
  const path = join(scratch, name)
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, contents)
  return path
}

async function document(
  ...args: readonly string[]
): Promise<{ results: ResultsDocument; traces?: readonly unknown[]; runs?: readonly unknown[] }> {
  const { status, stdout, stderr } = await run(args)
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  return JSON.parse(stdout)
}

test('tables of a mail without a trace are matrices, as text of 72 columns and as a document', async () => {
  const [text, { results, runs }] = await Promise.all([
    run(['compare', 'tests/tables/iostest.txt']),
    document('compare', '--json', 'tests/tables/iostest.txt'),
  ])
  expect({ status: text.status, stderr: text.stderr }).toEqual({ status: 0, stderr: '' })
  for (const line of text.stdout.split('\n')) expect(line).toMatch(/^[ -~]{0,72}$/)
  expect(text.stdout).toMatch(/^noop +126 +-7% +185 +\+49% +225 +\+69% +285 +x2\.20 +349 +x2\.68$/m)
  expect(runs).toEqual([])
  expect(results.tables.map(table => table.runs.length)).toEqual([10, 10])
  const [bandwidth] = results.tables[0]?.figures ?? []
  expect(bandwidth).toMatchObject({
    unit: 'bytes/s',
    good: 'more',
    application: true,
    sweeps: [{ cells: 5, more: 4, less: 1, verdict: 'unsure' }],
  })
  expect(bandwidth?.sweeps?.[0]).not.toHaveProperty('p')
})

test('reports of fio without a trace are compared, and a text without results is still refused', async () => {
  const [{ results, traces }, bad] = await Promise.all([
    document('summary', '--json', 'tests/tables/fio.json', 'tests/tables/fio-plus.json'),
    run(['summary', 'tests/tables/fio.json', 'tests/notes/mkfs.txt']),
  ])
  expect(traces).toEqual([])
  expect(results.tables.map(({ tool, runs }) => [tool, runs.map(r => r.label)])).toEqual([['fio', ['fio', 'fio-plus']]])
  expect(results.tables[0]?.runs[1]?.distributions?.map(d => d.operation)).toEqual(['read', 'write'])
  expect(bad.status).toBe(1)
  expect(bad.stderr).toMatch(/^seekscope: tests\/notes\/mkfs\.txt: not-a-trace: /)
  expect(bad.stdout).toContain('read rate, MB/s')
})

test('what of large texts and of many texts is not read is said', async () => {
  const table = 'kernel  MB/s\n6.1     101.5\n6.12    112.5\n'
  const blank = `${' '.repeat(180)}\n`.repeat(50_000)
  const [large, prose] = [text('large/mail.txt', table + blank), text('large/prose.txt', `hello\n${blank}`)]
  const many = join(scratch, 'many')
  for (let i = 0; i < 502; i++) text(`many/${String(i).padStart(3, '0')}.txt`, i === 0 ? table : `word ${i}\n`)
  const [shown, { results }, refused, some] = await Promise.all([
    run(['compare', large]),
    document('compare', '--json', large),
    run(['compare', prose]),
    run(['compare', many]),
  ])
  const unread = `Only the first 8 MiB of ${large} were read.`
  expect(shown.stdout.replaceAll('\n', ' ')).toContain(unread)
  expect((results as Partial<ReadResults>).reading?.unread).toBe(unread)
  expect(refused.stderr).toContain('no table of results in its first 8 MiB.')
  expect(some.stdout.replaceAll('\n', ' ')).toContain('2 more texts were not read: there are too many.')
})

test('a mail with events and tables gives both', async () => {
  const events = [
    '  8,0    0        1     0.000000000   100  Q  WS 2048 + 8 [dd]',
    '  8,0    0        2     0.000010000   100  D  WS 2048 + 8 [dd]',
  ]
  const mail = [
    ...events,
    '  8,0    0        3     0.000500000     0  C  WS 2048 + 8 [0]',
    '',
    'threads, KB, MB/s',
    '1, 4, 23.5',
    '2, 4, 19.25',
    '',
  ].join('\n')
  const { status, stdout } = await run(['summary', '--json', '-'], { input: new TextEncoder().encode(mail) })
  expect(status).toBe(0)
  const { traces, results } = JSON.parse(stdout) as { traces: readonly unknown[]; results: ResultsDocument }
  expect(traces).toHaveLength(1)
  expect(results.tables.map(table => table.runs.map(r => r.figures[0]?.value))).toEqual([[23.5e6, 19.25e6]])
})

test('next to a trace, texts stay notes', async () => {
  const { status, stdout } = await run(['summary', '--json', 'tests/fixtures/sync-fua', 'tests/tables/fio.json'])
  expect(status).toBe(0)
  expect(JSON.parse(stdout)).not.toHaveProperty('results')
})

const dd = (heading: string, seconds: string, rate: number) =>
  `Results for ${heading}:\n1048576000 bytes (1.0 GB, 1000 MiB) copied, ${seconds} s, ${rate} MB/s\n\n`
const BOTH = `Hello,\n\n${dd('BFQ', '9.31', 113)}${dd('mq-deadline', '6.02', 174)}`

interface PrintedDocument {
  readonly results: ResultsDocument & { readonly reading: ResultsReading }
}

async function printed(...args: readonly string[]): Promise<PrintedDocument['results']> {
  const { status, stdout, stderr } = await run([...args, '--json'])
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  return (JSON.parse(stdout) as PrintedDocument).results
}

test('one line above the matrix says how a text was read, and how else it can be', async () => {
  const mail = text('mail.txt', BOTH)
  const alone = await run(['compare', mail])
  const flat = (output: string) => output.split('\n\n')[0]?.replaceAll('\n', ' ') ?? ''
  expect(flat(alone.stdout)).toMatch(
    /^Read as two runs, by the headings 'BFQ' and 'mq-deadline'; \d+ of \d+ numbers not used\.$/,
  )
  const pair = [text('two/a.txt', BOTH), text('two/b.txt', BOTH), text('two/c.txt', BOTH)]
  const several = await run(['summary', ...pair])
  expect(flat(several.stdout)).toMatch(/ Or by the \w+( \w+)?: --sides (heading|file)\.$/)
  for (const line of several.stdout.split('\n')) expect(line).toMatch(/^[ -~]{0,72}$/)
})

test('--sides chooses by what sides are told apart, in compare and summary', async () => {
  const pair = [text('by/a.txt', BOTH), text('by/b.txt', BOTH), text('by/c.txt', BOTH)]
  for (const command of ['compare', 'summary']) {
    const byHeading = await printed(command, '--sides', 'heading', ...pair)
    expect(byHeading.reading.tables[0]).toMatchObject({ by: 'heading', sides: ['BFQ', 'mq-deadline'] })
    const byFile = await printed(command, '--sides', 'file', ...pair)
    expect(byFile.reading.tables[0]).toMatchObject({ by: 'file', sides: ['a', 'b', 'c'] })
    // Headings still tell the figures of one file apart.
    expect(byFile.tables[0]?.runs).toHaveLength(6)
    expect(byFile.tables[0]?.cells.every(cell => cell.length === 1)).toBe(true)
  }
  const table = text('by/table.txt', 'IOPS\n\nthreads  none  bfq\n1        120   100\n4        310   250\n')
  const byColumn = await printed('compare', '--sides', 'column:threads', table)
  expect(byColumn.reading.tables[0]).toMatchObject({ by: 'column:threads', sides: ['1', '4'] })
})

test('a text that is wrong in part is read, with a warning that has its line', async () => {
  const operation = (iops: number) => `{"bw_bytes": 4096000, "iops": ${iops}, "total_ios": 10}`
  const jobs = `"jobs": [\n{"jobname": "a", "read": ${operation(-5)}, "write": ${operation(1000)}}`
  const json = text('wrong.json', `{"fio version": "fio-3.33",\n${jobs}`)
  const { reading, tables } = await printed('summary', json)
  expect(reading.warnings).toEqual([
    expect.objectContaining({ code: 'negative-figure', file: json, line: 3 }),
    expect.objectContaining({ code: 'cut-json', file: json, line: 3 }),
  ])
  expect(tables[0]?.runs[0]?.figures).toHaveLength(3)
  const { stdout } = await run(['summary', json])
  expect(stdout.replaceAll('\n', ' ')).toContain('line 3: cut-json: ')
})

test('sides that the texts do not have are refused with those that are possible', async () => {
  const mail = text('refused/mail.txt', BOTH)
  const cases = [
    [['compare', '--sides', 'column:threads', mail], 2, /by column:threads here: give heading$/m],
    [['summary', '--sides', 'folder', mail], 2, /give heading$/m],
    [['compare', '--sides', 'scheduler', mail], 2, /scheduler is not heading, file, folder or column:NAME/],
    [['compare', '--sides', 'file', 'tests/fixtures/sync-fua'], 2, /none of the inputs has results without a trace/],
  ] as const
  for (const [args, status, message] of cases) {
    const refused = await run(args)
    expect({ args, status: refused.status, stdout: refused.stdout }).toEqual({ args, status, stdout: '' })
    expect(refused.stderr).toMatch(message)
  }
})

test('each figure of --json has its file, line and columns, which lead to its digits', async () => {
  const mail = text('places/mail.txt', BOTH)
  const lines = readFileSync(mail, 'utf8').split('\n')
  const { tables } = await printed('compare', mail)
  const figures = tables.flatMap(table => table.runs.flatMap(run => run.figures))
  expect(figures.length).toBeGreaterThan(3)
  const digits = figures.map(({ place }) => {
    expect(Object.keys(place ?? {}).toSorted()).toEqual(['columns', 'file', 'line'])
    expect(place?.file).toBe(mail)
    const [start = 0, end = 0] = place?.columns ?? []
    return lines[(place?.line ?? 0) - 1]?.slice(start - 1, end - 1)
  })
  expect(digits.toSorted()).toEqual(['113', '174', '6.02', '9.31'])
})
