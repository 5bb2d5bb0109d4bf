/** The table of all published runs. Rows of earlier runs are taken from the table that there is. */
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isEngineError } from '../../web/engine/errors'
import { completePrefix, type DigestRow } from '../../web/export/digests'
import { type FleetProblem, isDigestRow } from '../fleet/journal'
import { openRows, rowsOfTable, type TableRow } from '../fleet/tables'
import { systemWords } from '../input/find/system'
import { say } from '../output/progress'
import { PUBLISHED } from './labels'
import { addedLabels, publishedColumns, type WrittenPrefix, writeRows } from './measure'
import { brokenRun, type PublishedRun, RUN_FILES, runFolder, runPath } from './runs'

export const TABLE = 'fleet.parquet'
export const ERRORS = 'fleet.errors.parquet'

/** A run has at most twenty traces, with a row of some 10 kB per device. */
const MAX_DIGEST_BYTES = 64 << 20

/** The run of a row: names have no `/`, and runs of several traces add `/` and the label of the trace. */
const runOf = (row: TableRow): string => String(row.run).split('/', 1)[0] ?? ''
const keyOf = (run: string, published: unknown): string => JSON.stringify([run, published])

/** What is taken from the table that there is. */
interface EarlierTable {
  /** Groups of rows that stay as they are, and the number of runs that begin in them. */
  readonly prefix?: WrittenPrefix
  readonly prefixRuns: number
  /** The rows after those, by run and time. */
  readonly rows: ReadonlyMap<string, readonly DigestRow[]>
}

const NOTHING: EarlierTable = { prefixRuns: 0, rows: new Map() }

/** Rows by run and time, in their order. */
function byRun<T extends TableRow>(rows: readonly T[]): Map<string, T[]> {
  const found = new Map<string, T[]>()
  for (const row of rows) {
    const key = keyOf(runOf(row), row[PUBLISHED])
    const group = found.get(key)
    if (group) group.push(row)
    else found.set(key, [row])
  }
  return found
}

/**
 * Rows of earlier runs. Runs are added at the end, so groups of rows before the first difference to the wanted runs are
 * not decoded: the time per added run does not grow with the number of runs.
 */
async function readEarlier(
  path: string,
  wanted: readonly string[],
  labelNames: readonly string[],
): Promise<EarlierTable> {
  if (!existsSync(path)) return NOTHING
  try {
    const table = await openRows(path)
    try {
      const runs = [...byRun(await table.rows(column => column === 'run' || column === PUBLISHED))]
      let [commonRuns, commonRows] = [0, 0]
      for (; commonRuns < runs.length && runs[commonRuns]?.[0] === wanted[commonRuns]; commonRuns++)
        commonRows += runs[commonRuns]?.[1].length ?? 0
      const prefix = completePrefix(table.footer, publishedColumns(labelNames), commonRows)
      const rows = byRun((await table.rows(undefined, prefix?.rows)).filter(isDigestRow))
      if (!prefix) return { prefixRuns: 0, rows }
      let [prefixRuns, count] = [0, 0]
      for (; count + (runs[prefixRuns]?.[1].length ?? 0) <= prefix.rows && prefixRuns < commonRuns; prefixRuns++)
        count += runs[prefixRuns]?.[1].length ?? 0
      return { prefix: { ...prefix, bytes: await table.begin(prefix.end) }, prefixRuns, rows }
    } finally {
      table.close()
    }
  } catch (error) {
    say(`${path}: ${isEngineError(error) ? error.message : systemWords(error)} It is made again from the runs.`)
    return NOTHING
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
  const measured = runs.filter(({ files }) => files.includes(RUN_FILES.digest))
  const labelNames = addedLabels(runs)
  const wanted = measured.map(({ run, published }) => keyOf(run, published))
  const earlier = rebuild ? NOTHING : await readEarlier(path, wanted, labelNames)
  const broken: FleetProblem[] = []
  const rows: DigestRow[] = []
  for (const run of measured.slice(earlier.prefixRuns)) {
    try {
      rows.push(...(earlier.rows.get(keyOf(run.run, run.published)) ?? (await rowsOfRun(into, run))))
    } catch (error) {
      broken.push(brokenRun(run.run, error instanceof Error ? error.message : String(error)))
    }
  }
  await writeRows(path, rows, labelNames, earlier.prefix)
  return broken
}
