/**
 * Outputs of `fleet`: one table, or a folder with a file per kernel and device, so that database engines read only
 * what a query needs.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { createTable, type DigestRow, ERROR_COLUMNS, ROWS_PER_GROUP } from '../../web/export/digests'
import { systemCode, systemWords } from '../input/find/system'
import { outputTarget, unfinishedFolder } from '../output/output'
import { SetupError, UsageError } from '../program/usage'
import { type FleetJournal, type FleetProblem, fleetColumns } from './journal'
import { partitionName, rowsOfFolder, rowsOfTable, type TableRow } from './tables'

/** The tables of a fleet: digests, and what could not be read. */
export interface FleetTables {
  readonly path: string
  readonly errors: string
  readonly journal: string
  /** Throws UsageError for a folder that is read, SetupError for one with files of others. */
  check(recordings: string): void
  /** Rows of an earlier command; absent if there are none. */
  earlier(): Promise<readonly TableRow[]> | undefined
  write(journal: FleetJournal): Promise<void>
}

/** Columns whose values are in the names of folders. */
const PARTED = ['kernel', 'device'] as const
const PART = /^part(?:-\d+)?\.parquet$/

/** Writes the table of what could not be read. */
export async function writeErrors(problems: readonly FleetProblem[], path: string): Promise<void> {
  const target = outputTarget(path)
  try {
    const table = createTable(ERROR_COLUMNS, gzipSync, target.write)
    await table.add(problems.map(problem => ({ ...problem })))
    await table.finish()
    target.keep()
  } finally {
    target.drop()
  }
}

function oneTable(path: string): FleetTables {
  const errors = path.replace(/\.parquet$/i, '.errors.parquet')
  return {
    path,
    errors,
    journal: `${path}.journal`,
    check: () => undefined,
    earlier: () => (existsSync(path) ? rowsOfTable(path) : undefined),
    async write(journal) {
      const rows = outputTarget(path)
      try {
        const table = createTable(fleetColumns(), gzipSync, rows.write)
        for (const group of journal.groups(ROWS_PER_GROUP)) await table.add(group)
        await table.finish()
        await writeErrors(journal.problems(), errors)
        rows.keep()
      } finally {
        rows.drop()
      }
    },
  }
}

/** Files of a folder that this program did not write, as paths in it. */
function foreignIn(folder: string): string | undefined {
  const walk = (path: string, names: readonly string[]): string | undefined => {
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      const inner = [...names, entry.name]
      const expected =
        names.length < PARTED.length
          ? entry.isDirectory() && entry.name.startsWith(`${PARTED[names.length]}=`)
          : PART.test(entry.name)
      if (!expected) return inner.join('/')
      const odd = entry.isDirectory() ? walk(join(path, entry.name), inner) : undefined
      if (odd !== undefined) return odd
    }
    return undefined
  }
  return walk(folder, [])
}

/** Rows with the partition that they belong to; those of one partition follow each other. */
function* partitionsOf(
  journal: FleetJournal,
): Generator<{ readonly partition: string; readonly rows: readonly DigestRow[] }> {
  const text = (row: DigestRow, name: string) => (row[name] === undefined ? undefined : String(row[name]))
  for (const group of journal.groups(ROWS_PER_GROUP)) {
    const parts = new Map<string, DigestRow[]>()
    for (const row of group) {
      const partition = PARTED.map(name => partitionName(name, text(row, name))).join('/')
      const partFile = parts.get(partition)
      if (partFile) partFile.push(row)
      else parts.set(partition, [row])
    }
    for (const [partition, rows] of parts) yield { partition, rows }
  }
}

async function writePartitions(journal: FleetJournal, folder: string): Promise<void> {
  const columns = fleetColumns().filter(({ name }) => !PARTED.some(parted => parted === name))
  // A partition may come again after others: two long names may be cut to the same.
  const parts = new Map<string, number>()
  let open:
    | { readonly partition: string; add(rows: readonly DigestRow[]): Promise<void>; finish(): Promise<void> }
    | undefined
  const begin = (partition: string) => {
    const number = (parts.get(partition) ?? 0) + 1
    parts.set(partition, number)
    mkdirSync(join(folder, partition), { recursive: true })
    const target = outputTarget(join(folder, partition, number === 1 ? 'part.parquet' : `part-${number}.parquet`))
    const table = createTable(columns, gzipSync, target.write)
    return {
      partition,
      add: table.add,
      async finish() {
        try {
          await table.finish()
          target.keep()
        } finally {
          target.drop()
        }
      },
    }
  }
  for (const { partition, rows } of partitionsOf(journal)) {
    if (open?.partition !== partition) {
      await open?.finish()
      open = begin(partition)
    }
    await open.add(rows)
  }
  await open?.finish()
}

function partitioned(path: string): FleetTables {
  const folder = resolve(path)
  const errors = `${path.replace(/\/+$/, '')}.errors.parquet`
  const refuse = (error: unknown): never => {
    if (systemCode(error) === undefined) throw error
    throw new SetupError(`cannot write ${path}: ${systemWords(error)}`)
  }
  return {
    path,
    errors,
    journal: `${path.replace(/\/+$/, '')}.journal`,
    check(recordings) {
      if (`${folder}/`.startsWith(`${resolve(recordings)}/`))
        throw new UsageError(`-o: ${path} is in the folder that is read: write to another one`)
      try {
        const odd = existsSync(folder) ? foreignIn(folder) : undefined
        if (odd !== undefined)
          throw new SetupError(
            `cannot write ${path}: it has a file of others (${odd}). Choose an empty or a new folder`,
          )
      } catch (error) {
        refuse(error)
      }
    },
    earlier: () => (existsSync(folder) && readdirSync(folder).length > 0 ? rowsOfFolder(folder) : undefined),
    async write(journal) {
      const mark = randomBytes(6).toString('hex')
      const [fresh, old] = ['part', 'old'].map(end => join(dirname(folder), `.${basename(folder)}.${mark}.${end}`)) as [
        string,
        string,
      ]
      const unfinished = unfinishedFolder(fresh)
      try {
        mkdirSync(fresh)
        await writePartitions(journal, fresh)
        await writeErrors(journal.problems(), errors)
        const replaces = existsSync(folder)
        if (replaces) renameSync(folder, old)
        renameSync(fresh, folder)
        if (replaces) rmSync(old, { recursive: true })
      } catch (error) {
        if (existsSync(old) && !existsSync(folder)) renameSync(old, folder)
        refuse(error)
      } finally {
        unfinished()
      }
    },
  }
}

/** A folder by its name, `fleet/`, or because there is one. */
export function isFolderOutput(path: string): boolean {
  return path.endsWith('/') || (statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false)
}

export const fleetTables = (path: string): FleetTables => (isFolderOutput(path) ? partitioned(path) : oneTable(path))
