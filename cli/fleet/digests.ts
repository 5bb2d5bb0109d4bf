/** Runs from files of `seekscope digest`, for `compare --digests`. */
import { statSync } from 'node:fs'
import { isEngineError } from '../../web/engine/errors'
import type { CompareQuery } from '../../web/engine/protocol'
import { DIGESTS_SCHEMA } from '../../web/export/digests'
import { contentsOf, type DigestContents } from '../../web/fleet/stored'
import { BUILD, MARKED, markIn, markOf } from '../../web/fleet/table/marks'
import { readPlainText } from '../input/find/plainFile'
import { systemWords } from '../input/find/system'
import { loadEngine } from '../input/read/engine'
import type { ComparedTrace } from '../input/runs'
import { UsageError } from '../program/usage'
import { columnsOfDigests } from './digest'
import { isParquet, MAX_BYTES, rowsOfFolder, rowsOfTable, type TableRow } from './tables'
import { parseWhere } from './where'

const wrong = (file: string, why: string) => new UsageError(`--digests: ${file}: ${why}`)

/** Whether a column is read. Figures over time are most of a row's size, and comparisons take them from the digest. */
const isUsed = (column: string): boolean => !column.endsWith('_bins')

/** Limit of all JSON lines together: they become one string, which Node limits to 512 MiB. */
const MAX_TEXT_LENGTH = 500 << 20

/** A line of JSON as a row: texts, numbers and flags. Lists are figures over time, and `null` is absent. */
function rowOfLine(line: string): TableRow {
  const row: unknown = JSON.parse(line)
  if (typeof row !== 'object' || row === null || Array.isArray(row)) throw new SyntaxError('no row')
  const cells = Object.entries(row).filter(([, cell]) => cell !== null && !Array.isArray(cell))
  if (cells.some(([, cell]) => typeof cell === 'object')) throw new SyntaxError('no cell')
  return Object.fromEntries(cells)
}

/** Reads all rows of a file of digests. Throws UsageError. */
async function rowsOf(file: string): Promise<readonly TableRow[]> {
  try {
    const stats = statSync(file)
    if (stats.isDirectory()) return await rowsOfFolder(file, isUsed)
    if (stats.size > MAX_BYTES) throw new Error('larger than 1 GiB. Select rows with DuckDB or Spark first')
    if (isParquet(file)) return await rowsOfTable(file, isUsed)
    const larger = 'larger than 500 MiB. Write Parquet instead: seekscope digest ... -o digests.parquet'
    return readPlainText(file, MAX_TEXT_LENGTH, larger).split('\n').filter(Boolean).map(rowOfLine)
  } catch (error) {
    if (isEngineError(error))
      throw new UsageError(`--digests: ${[error.message, error.remedy].filter(Boolean).join(' ')}`)
    if (error instanceof Error && 'syscall' in error) throw wrong(file, systemWords(error))
    const why =
      error instanceof SyntaxError
        ? "not a file of 'seekscope digest'"
        : error instanceof Error
          ? error.message
          : String(error)
    throw wrong(file, why)
  }
}

/** Rows of one run are next to each other in no file: an engine may have sorted them. */
function runsIn(rows: readonly TableRow[]): readonly (readonly TableRow[])[] {
  const runs = new Map<string, TableRow[]>()
  for (const row of rows) {
    const key = JSON.stringify([row.sha256, row.trace, row.run, Number(row.position)])
    const stored = runs.get(key)
    if (stored) stored.push(row)
    else runs.set(key, [row])
  }
  return [...runs.values()].sort(([a], [b]) => Number(a?.position) - Number(b?.position))
}

function parsed(file: string, text: unknown): DigestContents {
  const run = contentsOf(String(text))
  if (run) return run
  throw wrong(file, 'a digest in it is damaged. Make the file again')
}

/** The device to compare, if the condition selects only some devices of a run. */
function deviceOf(selected: readonly TableRow[]): { readonly device?: string } {
  const [first] = selected
  return first === undefined || selected.some(row => row.compared === true) ? {} : { device: String(first.dev) }
}

export interface DigestSelection {
  readonly files: readonly string[]
  /** Condition in the syntax of `parseWhere`. */
  readonly where?: string
}

const BUILD_MARK = markOf(BUILD)

/** The row with the build that its label or a path names. */
function withBuild(row: TableRow): TableRow {
  const build = markIn(
    BUILD_MARK,
    MARKED.map(name => String(row[name] ?? '')),
  )
  return build === undefined ? row : { ...row, [BUILD]: build }
}

/** A run as a comparison takes it. `device`: where only other devices than the compared one were selected. */
export type StoredRun = ComparedTrace & { readonly device?: string }

/** A run of a file of digests. */
export interface SelectedRun {
  /** The selected rows of the run; at least one. */
  readonly rows: readonly TableRow[]
  readonly run: StoredRun
}

/**
 * The runs of files of digests of which a row fulfils the condition, in the order of the files and of the commands that
 * wrote them. Throws UsageError.
 */
export async function* selectedRuns({ files, where }: DigestSelection): AsyncGenerator<SelectedRun> {
  for (const file of files) {
    const rows = await rowsOf(file)
    const odd = rows.find(row => Number(row.schema) !== DIGESTS_SCHEMA)
    if (odd)
      throw wrong(
        file,
        odd.schema === undefined
          ? "not a file of 'seekscope digest'"
          : `schema ${odd.schema}; this Seekscope reads ${DIGESTS_SCHEMA}`,
      )
    // Includes columns that are absent in all rows.
    const columns = new Set(columnsOfDigests().map(({ name }) => name))
    for (const row of rows) for (const name of Object.keys(row)) columns.add(name)
    const hasBuild = [...columns].some(name => name.toLowerCase() === BUILD)
    const condition = where === undefined ? undefined : parseWhere(where, hasBuild ? [...columns] : [...columns, BUILD])
    const test = hasBuild ? condition : condition && ((row: TableRow) => condition(withBuild(row)))
    for (const run of runsIn(rows)) {
      const selected = test ? run.filter(row => test(row) === true) : run
      if (selected.length === 0) continue
      const text = run.find(row => typeof row.digest === 'string')?.digest
      if (text === undefined)
        throw wrong(file, `${String(run[0]?.run)} has no digest: select runs by --where, not rows of the file`)
      const { bench = [], settings = [], ...digested } = parsed(file, text)
      yield { rows: selected, run: { ...digested, bench, settings, ...deviceOf(selected) } }
    }
  }
}

/** The selected runs without their rows. Throws UsageError. */
export async function runsFromDigests(selection: DigestSelection): Promise<readonly StoredRun[]> {
  const found: StoredRun[] = []
  for await (const { run } of selectedRuns(selection)) found.push(run)
  return found
}

/** Throws UsageError for the first digest that the engine does not take; for anything else that was thrown, that. */
export async function blameDigest(thrown: unknown, { files, where }: DigestSelection): Promise<never> {
  if (!isEngineError(thrown) || thrown.code !== 'bad-query') throw thrown
  for (const file of files) {
    for await (const { run } of selectedRuns({ files: [file], ...(where !== undefined && { where }) })) {
      try {
        loadEngine().compare(JSON.stringify({ runs: [run], baseline: 0 } satisfies CompareQuery))
      } catch (error) {
        if (!isEngineError(error)) throw error
        throw wrong(file, `the digest of ${run.label} is damaged. Make the file again`)
      }
    }
  }
  throw thrown
}
