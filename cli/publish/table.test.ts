/** A run is added to a table of many without decoding the groups of rows before it. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DigestRow, ROWS_PER_GROUP } from '../../web/export/digests'
import { openRows, rowsOfTable } from '../fleet/tables'
import { run } from '../testing/run'
import { writeRows } from './measure'
import { newRun, type PublishedRun, RUN_FILES, runFolder } from './runs'
import { TABLE, writeFleet } from './table'

const scratch = mkdtempSync(join(tmpdir(), 'seekscope-publish-table-'))
afterAll(() => rmSync(scratch, { recursive: true }))

const COUNT = 2 * ROWS_PER_GROUP + 7
const nameOf = (i: number) => `run-${String(i).padStart(5, '0')}`
const createRun = (i: number, labels: PublishedRun['labels'] = { build: String(i) }): PublishedRun =>
  newRun({
    run: nameOf(i),
    published: new Date(Date.UTC(2026, 0, 1) + i * 1000).toISOString(),
    labels,
    baseline: [],
    files: [RUN_FILES.digest],
    problems: [],
  })
const rowOf = (template: DigestRow, { run, published, labels }: PublishedRun): DigestRow => ({
  ...template,
  run,
  published,
  ...labels,
})

const runs = Array.from({ length: COUNT }, (_, i) => createRun(i))
let template: DigestRow = {}

beforeAll(async () => {
  const { stdout } = await run(['digest', 'tests/fixtures/sync-fua'])
  template = JSON.parse(stdout.trim().split('\n')[0] ?? '')
})

/** A folder with the table of all runs. Only that of `fresh` has a digest: others cannot be read again. */
async function makeFolder(name: string, fresh: PublishedRun): Promise<string> {
  const into = join(scratch, name)
  mkdirSync(runFolder(into, fresh.run), { recursive: true })
  await writeRows(
    join(into, TABLE),
    runs.map(each => rowOf(template, each)),
    ['build'],
  )
  const digest = join(runFolder(into, fresh.run), RUN_FILES.digest)
  await writeRows(digest, [rowOf(template, fresh)], Object.keys(fresh.labels).sort())
  return into
}

const beginOf = (bytes: Buffer, end: number) => bytes.subarray(0, end).toString('base64')

test('complete groups keep their bytes, and every reader finds all rows', async () => {
  const fresh = createRun(COUNT)
  const into = await makeFolder('many', fresh)
  const path = join(into, TABLE)
  const before = readFileSync(path)
  expect(await writeFleet(into, [...runs, fresh], false)).toEqual([])
  const after = readFileSync(path)
  const table = await openRows(path)
  const [, , third] = table.footer.row_groups
  table.close()
  const end = Number(third?.columns[0]?.meta_data?.data_page_offset)
  expect(end).toBeGreaterThan(before.length / 2)
  // A dictionary of the first column may come before its data.
  expect(beginOf(after, end - 4096)).toBe(beginOf(before, end - 4096))
  const rows = await rowsOfTable(path)
  expect(rows).toEqual(
    [...runs, fresh].map(each => expect.objectContaining({ run: each.run, build: each.labels.build })),
  )
  expect(rows.at(-1)).toEqual({ ...rows[0], run: fresh.run, published: fresh.published, build: fresh.labels.build })

  const connection = await (await DuckDBInstance.create()).connect()
  const ask = async (sql: string) => (await connection.runAndReadAll(sql)).getRowsJson()
  expect(await ask(`SELECT count(*), count(DISTINCT run), min(run), max(run) FROM '${path}'`)).toEqual([
    [String(COUNT + 1), String(COUNT + 1), nameOf(0), nameOf(COUNT)],
  ])
  // Engines skip groups by the least and greatest values that the footer names.
  for (const i of [3, ROWS_PER_GROUP, COUNT])
    expect(await ask(`SELECT build, digest IS NOT NULL FROM '${path}' WHERE run = '${nameOf(i)}'`)).toEqual([
      [String(i), true],
    ])
  connection.closeSync()
  // The next run is added to what was written in this way.
  const next = createRun(COUNT + 1)
  mkdirSync(runFolder(into, next.run))
  cpSync(join(runFolder(into, fresh.run), RUN_FILES.digest), join(runFolder(into, next.run), RUN_FILES.digest))
  expect(await writeFleet(into, [...runs, fresh, next], false)).toEqual([])
  expect((await rowsOfTable(path)).map(row => row.run)).toEqual([...runs, fresh, next].map(each => each.run))
})

test('a run that is gone, or another label, writes the groups again from the rows of the table', async () => {
  const fresh = createRun(COUNT, { build: 'x', board: 'b1' })
  const into = await makeFolder('changed', fresh)
  const left = runs.filter((_, i) => i !== 700)
  expect(await writeFleet(into, [...left, fresh], false)).toEqual([])
  const rows = await rowsOfTable(join(into, TABLE))
  expect(rows.map(row => row.run)).toEqual([...left, fresh].map(each => each.run))
  expect(rows.map(row => row.board)).toEqual([...left.map(() => undefined), 'b1'])
})
