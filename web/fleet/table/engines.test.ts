/** Tables that an engine wrote have the rows that it read. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { describe, expect, test } from 'vitest'
import { COLUMNS, createRows, parquetOf, sourceOf } from '../../../tests/digestTables'
import { openTable } from './table'

describe('a table that DuckDB wrote', () => {
  test.each([1, 7, 100, 300, 1230])('has the same %d rows', async n => {
    const folder = mkdtempSync(join(tmpdir(), 'seekscope-table-'))
    try {
      const rows = createRows(n).map((row, i) => ({
        ...row,
        ...(i % 3 === 0 && { iops_bins: i % 2 === 0 ? undefined : [] }),
      }))
      writeFileSync(join(folder, 'own.parquet'), await parquetOf(rows))
      const database = await (await DuckDBInstance.create()).connect()
      for (const [i, options] of [
        '',
        ', COMPRESSION gzip, ROW_GROUP_SIZE 2048',
        ', COMPRESSION uncompressed',
      ].entries()) {
        const file = join(folder, `${i}.parquet`)
        await database.run(`COPY (FROM '${join(folder, 'own.parquet')}') TO '${file}' (FORMAT parquet${options})`)
        const table = await openTable([sourceOf(Uint8Array.from(readFileSync(file)))])
        for (const { name } of COLUMNS) {
          const cells = await table.cells(
            name,
            rows.map((_, i) => i),
          )
          expect(cells, `${name}${options}`).toEqual(rows.map(row => (row as Readonly<Record<string, unknown>>)[name]))
        }
      }
      database.closeSync()
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
