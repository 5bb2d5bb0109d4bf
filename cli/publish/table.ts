/** The table of all published runs. Rows of earlier runs are taken from the table that there is. */
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isEngineError } from '../../web/engine/errors'
import type { DigestRow } from '../../web/export/digests'
import { type FleetProblem, isDigestRow } from '../fleet/journal'
import { rowsOfTable, type TableRow } from '../fleet/tables'
import { systemWords } from '../input/find/system'
import { say } from '../output/progress'
import { PUBLISHED } from './labels'
import { addedLabels, writeRows } from './measure'
import { brokenRun, type PublishedRun, RUN_FILES, runFolder, runPath } from './runs'

export const TABLE = 'fleet.parquet'
export const ERRORS = 'fleet.errors.parquet'

/** A run has at most twenty traces, with a row of some 10 kB per device. */
const MAX_DIGEST_BYTES = 64 << 20

/** The run of a row: names have no `/`, and runs of several traces add `/` and the label of the trace. */
const runOf = (row: TableRow): string => String(row.run).split('/', 1)[0] ?? ''
const keyOf = (run: string, published: unknown): string => JSON.stringify([run, published])

/** Rows of the table by run and time; none where there is no table, or a damaged one. */
async function earlierRows(path: string): Promise<ReadonlyMap<string, readonly DigestRow[]>> {
  const rowsByRun = new Map<string, DigestRow[]>()
  if (!existsSync(path)) return rowsByRun
  try {
    for (const row of await rowsOfTable(path)) {
      if (!isDigestRow(row)) continue
      const key = keyOf(runOf(row), row[PUBLISHED])
      const rows = rowsByRun.get(key)
      if (rows) rows.push(row)
      else rowsByRun.set(key, [row])
    }
    return rowsByRun
  } catch (error) {
    say(`${path}: ${isEngineError(error) ? error.message : systemWords(error)} It is made again from the runs.`)
    return new Map()
  }
}

/** Reads the digest of a run. Throws an Error that says why it cannot. */
async function rowsOfRun(into: string, { run, published }: PublishedRun): Promise<readonly DigestRow[]> {
  const path = join(runFolder(into, run), RUN_FILES.digest)
  try {
    if (statSync(path).size > MAX_DIGEST_BYTES) throw new Error('larger than 64 MiB')
    const rows = await rowsOfTable(path)
    const digestRows = rows.filter(isDigestRow)
    if (digestRows.length < rows.length) throw new Error('not a table of digests of this version')
    return digestRows.map(row => ({
      ...row,
      [PUBLISHED]: published,
      // The folder may have been renamed.
      run: `${run}${String(row.run).slice(runOf(row).length)}`,
      // Next to a table is what its rows name: of the run's own one, the recording; of this one, the folders of runs.
      ...(typeof row.source === 'string' && { source: runPath(run, row.source) }),
    }))
  } catch (error) {
    throw new Error(`${RUN_FILES.digest} cannot be read: ${isEngineError(error) ? error.message : systemWords(error)}.`)
  }
}

/**
 * Writes the table of these runs. Returns the runs whose digest cannot be read. `rebuild`: from the digests alone.
 * Throws SetupError.
 */
export async function writeFleet(
  into: string,
  runs: readonly PublishedRun[],
  rebuild: boolean,
): Promise<readonly FleetProblem[]> {
  const path = join(into, TABLE)
  const earlier = rebuild ? new Map<string, readonly DigestRow[]>() : await earlierRows(path)
  const broken: FleetProblem[] = []
  const rows: DigestRow[] = []
  for (const run of runs) {
    if (!run.files.includes(RUN_FILES.digest)) continue
    try {
      rows.push(...(earlier.get(keyOf(run.run, run.published)) ?? (await rowsOfRun(into, run))))
    } catch (error) {
      broken.push(brokenRun(run.run, error instanceof Error ? error.message : String(error)))
    }
  }
  await writeRows(path, rows, addedLabels(runs))
  return broken
}
