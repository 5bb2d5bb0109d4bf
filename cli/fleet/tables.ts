/**
 * Rows of Parquet files, and of folders with a file per partition (`kernel=6.12/device=sda/part.parquet`), as Hive,
 * Spark and DuckDB name them.
 */

import { closeSync, fstatSync, readSync, statSync } from 'node:fs'
import { isEngineError } from '../../web/engine/errors'
import { MAX_ROWS, type TableCell } from '../../web/fleet/table/columns'
import { openParquet, readFooter, type TableFile } from '../../web/fleet/table/parquet'
import { ascii } from '../../web/lib/format'
import { openPlain } from '../input/find/plainFile'
import { systemWords } from '../input/find/system'
import { createWalk, namedPath, type SystemPath } from '../input/find/walk'

export type TableRow = Readonly<Record<string, unknown>>

/** Larger files are for an engine of tables: all rows are held at once. */
export const MAX_BYTES = 1 << 30
/** Maximum number of partitions in one folder. */
const MAX_FILES = 100_000
export function isParquet(file: string): boolean {
  const fd = openPlain(file)
  try {
    const magic = Buffer.alloc(4)
    return readSync(fd, magic) === 4 && magic.toString('latin1') === 'PAR1'
  } finally {
    closeSync(fd)
  }
}

/** A file that is read in parts. */
function tableFile(fd: number, name: string): TableFile {
  return {
    name,
    byteLength: fstatSync(fd).size,
    slice: async (from, to) => {
      const bytes = new Uint8Array(to - from)
      let n = 0
      for (let count = -1; count !== 0 && n < bytes.length; n += count)
        count = readSync(fd, bytes, n, bytes.length - n, from + n)
      return bytes.buffer.slice(0, n)
    },
  }
}

const isAny = (): boolean => true

/** A Parquet file that stays the same file while it is read, also if another one takes its name. */
export interface TableHandle {
  /** Number of rows. */
  readonly count: number
  readonly footer: Awaited<ReturnType<typeof readFooter>>
  /** The rows from an index on, with the columns that `wants` accepts; absent cells have no key. */
  rows(wants?: (column: string) => boolean, from?: number): Promise<readonly TableRow[]>
  /** The first bytes of the file. */
  begin(length: number): Promise<Uint8Array>
  close(): void
}

/** Opens a Parquet file; the caller closes it. This and the methods throw EngineError and system errors. */
export async function openRows(path: string | Buffer, name = String(path)): Promise<TableHandle> {
  const fd = openPlain(path)
  try {
    const file = tableFile(fd, name)
    const { rows: count, columns, read } = await openParquet(file)
    return {
      count,
      footer: await readFooter(file),
      async rows(wants = isAny, from = 0) {
        const rows = Array.from({ length: count - from }, (): Record<string, TableCell> => ({}))
        for (const { name } of columns.filter(({ name }) => wants(name))) {
          const cells = await read(name, from, count)
          for (const [i, row] of rows.entries()) if (cells[i] !== undefined) row[name] = cells[i]
        }
        return rows
      },
      begin: async length => new Uint8Array(await file.slice(0, length)),
      close: () => closeSync(fd),
    }
  } catch (error) {
    closeSync(fd)
    throw error
  }
}

/**
 * Reads all rows of a Parquet file, with the columns that `wants` accepts; absent cells have no key. Throws
 * EngineError and system errors.
 */
export async function rowsOfTable(
  path: string | Buffer,
  wants: (column: string) => boolean = isAny,
  name = String(path),
): Promise<readonly TableRow[]> {
  const table = await openRows(path, name)
  try {
    return await table.rows(wants)
  } finally {
    table.close()
  }
}

/** The name of a folder for an absent value. */
const ABSENT = '__HIVE_DEFAULT_PARTITION__'
/** Characters that Hive escapes in names of folders. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are among them
const ESCAPED = /[\u0000-\u001f"#%'*/:=?\\\u007f{[\]^]/g
/** Names of files have at most 255 bytes. */
const LONGEST = 200

/**
 * `kernel=6.12`, with `%XX` for what a name of a folder cannot have. Texts of others may be longer than a name: these
 * are cut.
 */
export function partitionName(column: string, value: string | undefined): string {
  if (value === undefined || value === '') return `${column}=${ABSENT}`
  const escaped = value.replace(ESCAPED, c => `%${c.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`)
  let cut = escaped.slice(0, LONGEST)
  while (Buffer.byteLength(cut) > LONGEST) cut = cut.slice(0, -1)
  return `${column}=${cut === escaped ? cut : cut.replace(/%.?$|[\ud800-\udbff]$/, '')}`
}

/** Column and value of a folder's name; `undefined` for other folders. */
function partitionOf(name: string): readonly [string, string | undefined] | undefined {
  const equals = name.indexOf('=')
  if (equals <= 0) return undefined
  const value = name.slice(equals + 1)
  return [
    name.slice(0, equals),
    value === ABSENT
      ? undefined
      : value.replace(/%([0-9A-F]{2})/gi, (_, hex) => String.fromCharCode(parseInt(hex, 16))),
  ]
}

/**
 * Parquet files below a folder, by name, with the values that the names of their folders give. Hidden ones are left
 * out. Throws errors that name what cannot be read.
 */
function partitionsIn(
  folder: string,
): readonly { readonly file: string | Buffer; readonly shown: string; readonly values: TableRow }[] {
  const found: { file: string | Buffer; shown: string; values: TableRow }[] = []
  const walk = createWalk(namedPath(folder), ({ code, message, at: place }) => {
    // A missing part would silently be missing from all figures.
    if (code !== 'link-loop' && code !== 'not-a-file') throw new Error(`${place?.file}: ${message}`)
  })
  const inOrder = (path: SystemPath, values: TableRow) =>
    walk
      .entries(path)
      .map(entry => ({ ...entry, name: entry.name.toString(), values }))
      .sort((a, b) => (a.name < b.name ? 1 : -1))
  // A loop, not recursion: folders may be nested deeper than the stack.
  const rest = inOrder(namedPath(folder), {})
  for (let entry = rest.pop(); entry; entry = rest.pop()) {
    const { name, path, isFolder, values } = entry
    if (name.startsWith('_')) continue
    if (isFolder) {
      const [column, value] = partitionOf(name) ?? []
      const inside = column === undefined || value === undefined ? values : { ...values, [column]: value }
      for (const inner of inOrder(path, inside)) rest.push(inner)
    } else if (/(?<!\.errors)\.parquet$/i.test(name)) found.push({ ...path, values })
    if (found.length > MAX_FILES)
      throw new Error(`more than ${MAX_FILES} files. Select rows with DuckDB or Spark first`)
  }
  return found
}

/** Reads all rows of the Parquet files below a folder. Throws errors that name the file. */
export async function rowsOfFolder(folder: string, wants?: (column: string) => boolean): Promise<readonly TableRow[]> {
  const parts = partitionsIn(folder)
  if (parts.length === 0) throw new Error('no Parquet file in this folder')
  if (parts.reduce((sum, { file }) => sum + statSync(file).size, 0) > MAX_BYTES)
    throw new Error('larger than 1 GiB. Select rows with DuckDB or Spark first')
  const rows: TableRow[] = []
  for (const { file, shown, values } of parts) {
    try {
      for (const row of await rowsOfTable(file, wants, shown)) rows.push({ ...row, ...values })
      // Rows without values have no bytes, so the size of the file does not limit their number.
      if (rows.length > MAX_ROWS)
        throw new Error(`more than ${ascii.count(MAX_ROWS)} rows up to here. Select rows with DuckDB or Spark first`)
    } catch (error) {
      throw isEngineError(error) ? error : new Error(`${shown}: ${systemWords(error)}`)
    }
  }
  return rows
}
