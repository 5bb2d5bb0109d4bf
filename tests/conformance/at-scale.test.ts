/**
 * Files of requests, as a real DuckDB reads them, say what `summary --json` says; and docs/at-scale.md is true to the
 * letter.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SummaryTrace } from '../../web/engine/summary'
import { COLUMNS } from '../../web/export/columns'
import { type Database, formatTable, openDatabase } from './duckdb'
import { FIXTURES, runSeekscope, summary } from './engine'

const DOCUMENT = readFileSync(fileURLToPath(new URL('../../docs/at-scale.md', import.meta.url)), 'utf8')
const scratch = mkdtempSync(join(tmpdir(), 'seekscope-scale-'))
let database: Database
beforeAll(async () => {
  database = await openDatabase()
})
afterAll(() => {
  database.close()
  rmSync(scratch, { recursive: true })
})

/** The single row of an answer, by column name. */
const row = async (sql: string) => {
  const { names, rows } = await database.ask(sql)
  expect(rows).toHaveLength(1)
  return Object.fromEntries(names.map((name, i) => [name, rows[0]?.[i] ?? null]))
}

/** Where the bytes of completions (C) are not those of requests, by device. */
const OTHER_BYTES: Readonly<Record<string, string>> = {
  'dropped 254,0': 'C were recorded whose D was lost: they complete no request that is known',
  'dm-remap 253,1': 'dm cut a bio in two (X): its C names the second part only, its row the whole',
}

const fixtures = readdirSync(FIXTURES, { withFileTypes: true }).flatMap(entry =>
  entry.isDirectory() ? [entry.name] : [],
)

describe.each(fixtures)('%s', fixture => {
  const folder = join(FIXTURES, fixture)
  const file = (format: string) => join(scratch, `${fixture}.${format}`)
  let traces: SummaryTrace[]
  beforeAll(async () => {
    traces = await summary([folder])
    for (const format of ['parquet', 'csv']) await runSeekscope(['requests', folder, '-o', file(format)])
  })

  test('Parquet and CSV hold the same', async () => {
    const types = COLUMNS.map(
      ({ name, type }) =>
        `'${name}': '${{ STRING: 'VARCHAR', INT32: 'INTEGER', INT64: 'BIGINT', BOOLEAN: 'BOOLEAN' }[type]}'`,
    )
    const csv = `(FROM read_csv('${file('csv')}', header = true, columns = {${types.join(', ')}}))`
    const parquet = `(FROM '${file('parquet')}')`
    const { n } = await row(
      `SELECT count(*) AS n FROM ((${csv} EXCEPT ALL ${parquet}) UNION ALL (${parquet} EXCEPT ALL ${csv}))`,
    )
    expect(n).toBe(0)
    expect((await row(`SELECT count(*) AS n FROM ${parquet}`)).n).toBeGreaterThan(0)
    expect((await database.ask(`FROM ${parquet} LIMIT 0`)).names).toEqual(COLUMNS.map(column => column.name))
  })

  test('sums are those of the summary', async () => {
    for (const { dev, bytes, latency_ns, events, sync_share } of traces.flatMap(trace => trace.devices)) {
      const fromClause = `FROM '${file('parquet')}' WHERE dev = '${dev}'`
      const sum = (op: string) =>
        `coalesce(sum(bytes) FILTER (WHERE op = '${op}' AND NOT passthrough AND completed_ns IS NOT NULL), 0)::BIGINT AS ${op}`
      const found = await row(`SELECT ${['read', 'write', 'discard'].map(sum).join(', ')} ${fromClause}`)
      const isSame = ['read', 'write', 'discard'].every(op => found[op] === bytes?.[op as 'read' | 'write' | 'discard'])
      expect(isSame).toBe(!(`${fixture} ${dev}` in OTHER_BYTES))
      for (const [stage, figures] of Object.entries(latency_ns)) {
        const ns = `${stage}_ns`
        const { mean, ...exact } = await row(
          `SELECT count(${ns}) AS n, min(${ns}) AS min, avg(${ns}) AS mean, max(${ns}) AS max,
                  percentile_disc(0.5) WITHIN GROUP (ORDER BY ${ns}) AS p50, percentile_disc(0.99) WITHIN GROUP (ORDER BY ${ns}) AS p99 ${fromClause}`,
        )
        const { n, min, max, p50, p99 } = figures
        expect({ stage, ...exact }).toEqual({ stage, n, min, max, p50, p99 })
        expect(Number(mean) / figures.mean).toBeCloseTo(1, 12)
      }
      if (events.D === 0) expect((await row(`SELECT count(issued_ns) AS n ${fromClause}`)).n).toBe(0)
      if (sync_share !== undefined) {
        const sync = await row(
          `SELECT avg(CASE WHEN rwbs LIKE '%S%' THEN 1.0 ELSE 0.0 END) AS share ${fromClause} AND sectors > 0`,
        )
        expect(sync.share).toBeCloseTo(sync_share, 9)
      }
    }
  })
})

describe('docs/at-scale.md', () => {
  test('names every column', () => {
    const section = DOCUMENT.slice(DOCUMENT.indexOf('## Columns'), DOCUMENT.indexOf('## DuckDB'))
    const names = section
      .split('\n')
      .flatMap(line => [...(/^\| (.*?) \|/.exec(line)?.[1] ?? '').matchAll(/`(\w+)`/g)].map(match => match[1]))
    expect(names).toEqual(COLUMNS.map(column => column.name))
  })

  test('its commands and queries give what it prints', async () => {
    const blocks = [...DOCUMENT.matchAll(/```(\w+)\n(.*?)```/gs)].map(([, kind = '', text = '']) => ({
      kind,
      text: text.trim(),
    }))
    const placed = (text: string) =>
      text.replaceAll(/\b(?:(?:requests|digests|fleet)\.parquet\b|fleet\/(?=\*|$))/gm, name => join(scratch, name))
    let answer: string | undefined
    let compared = 0
    for (const { kind, text } of blocks) {
      if (kind === 'sh')
        await runSeekscope(
          [...placed(text.replace(/^seekscope /, '')).matchAll(/"([^"]*)"|\S+/g)].map(
            ([word, quoted]) => quoted ?? word,
          ),
        )
      else if (kind === 'sql') answer = formatTable(await database.ask(placed(text)))
      else if (kind === 'text') {
        expect(answer).toBe(text)
        compared += 1
      }
    }
    expect(compared).toBe(10)
  })
})
