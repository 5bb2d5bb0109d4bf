/** Opens the table in a folder's `table.parquet` as the page's worker does, and reads all of it, a column at a time. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { runnerImport } from 'vite'

const path = fileURLToPath(new URL('../../web/fleet/table/table.ts', import.meta.url))
const { module } = await runnerImport(path, { configFile: false, logLevel: 'error' })
const name = 'table.parquet'
try {
  const table = await module.openTable([
    { name, path: name, blob: new Blob([readFileSync(`${process.argv[2]}/${name}`)]) },
  ])
  for (const { name, type } of table.columns) {
    if (type === 'list' || name === 'digest') await table.cells(name, [0, table.rows - 1])
    else await table.column(name)
  }
} catch (error) {
  // Refused; anything but an error for the user is a defect.
  if (error instanceof Error) throw error
  process.stderr.write(`${JSON.stringify(error)}\n`)
}
