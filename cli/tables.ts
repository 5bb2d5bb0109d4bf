/** Rows of Parquet files, and of folders with a file per partition (`kernel=6.12/device=sda/part.parquet`), as Hive, Spark and DuckDB name them. */
import { closeSync, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import { systemWords } from './system'

export type TableRow = Readonly<Record<string, unknown>>

/** Larger files are for an engine of tables: all bytes are held at once. */
export const MOST_BYTES = 1 << 30
/** A digest unpacks to some 30 kB, a page of 500 with many devices to some MB. */
const MOST_UNPACKED = 256 << 20
/** Partitions in one folder. */
const MOST_FILES = 100_000
/** Deeper folders are not looked into: a link may lead back. */
const DEEPEST = 8

function parquetBytes(file: string): ArrayBuffer {
  const bytes = readFileSync(file)
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)
}

export function isParquet(file: string): boolean {
  const fd = openSync(file, 'r')
  try {
    const magic = Buffer.alloc(4)
    return readSync(fd, magic) === 4 && magic.toString('latin1') === 'PAR1'
  } finally {
    closeSync(fd)
  }
}

function gunzip(bytes: Uint8Array, size: number): Uint8Array {
  if (size > MOST_UNPACKED) throw new Error('a page unpacks to more than 256 MiB')
  return gunzipSync(bytes, { maxOutputLength: Math.max(1, size) })
}

/** The row without what is absent; integers of 64 bits as numbers. */
const plain = (row: TableRow): TableRow =>
  Object.fromEntries(
    Object.entries(row).flatMap(([name, value]) =>
      value === null || value === undefined ? [] : [[name, typeof value === 'bigint' ? Number(value) : value]],
    ),
  )

/** All rows of a Parquet file, of the columns whose names pass. */
export async function rowsOfTable(path: string, wants: (column: string) => boolean = () => true): Promise<readonly TableRow[]> {
  const file = parquetBytes(path)
  const metadata = parquetMetadata(file)
  const columns = columnsIn(metadata.schema).filter(wants)
  const rows = await parquetReadObjects({ file, metadata, columns, compressors: { GZIP: gunzip } })
  return rows.map(plain)
}

/** Names of the columns, without what is nested in them. */
function columnsIn([root, ...elements]: readonly { readonly name: string; readonly num_children?: number }[]): string[] {
  const names: string[] = []
  const skip = (at: number): number => {
    let next = at + 1
    for (let i = 0; i < (elements[at]?.num_children ?? 0); i++) next = skip(next)
    return next
  }
  for (let at = 0; names.length < (root?.num_children ?? 0) && at < elements.length; at = skip(at)) names.push(elements[at]?.name ?? '')
  return names
}

/** The name of a folder for an absent value. */
const ABSENT = '__HIVE_DEFAULT_PARTITION__'
/** Characters that Hive escapes in names of folders. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are among them
const ESCAPED = /[\u0000-\u001f"#%'*/:=?\\\u007f{[\]^]/g
/** Names of files have at most 255 bytes. */
const LONGEST = 200

/** `kernel=6.12`, with `%XX` for what a name of a folder cannot have. Texts of others may be longer than a name: these are cut. */
export function partitionName(column: string, value: string | undefined): string {
  if (value === undefined || value === '') return `${column}=${ABSENT}`
  const escaped = value.replace(ESCAPED, c => `%${c.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`)
  let cut = escaped.slice(0, LONGEST)
  while (Buffer.byteLength(cut) > LONGEST) cut = cut.slice(0, -1)
  return `${column}=${cut === escaped ? cut : cut.replace(/%.?$|[\ud800-\udbff]$/, '')}`
}

/** Column and value of a folder's name; `undefined` for other folders. */
function partitionOf(name: string): readonly [string, string | undefined] | undefined {
  const at = name.indexOf('=')
  if (at <= 0) return undefined
  const value = name.slice(at + 1)
  return [name.slice(0, at), value === ABSENT ? undefined : value.replace(/%([0-9A-F]{2})/gi, (_, hex) => String.fromCharCode(parseInt(hex, 16)))]
}

/** Parquet files below a folder, by name, with the values that the names of their folders give. Hidden ones are left out. Throws errors of the system. */
function partitionsIn(folder: string): readonly { readonly file: string; readonly values: TableRow }[] {
  const found: { file: string; values: TableRow }[] = []
  const walk = (path: string, values: TableRow, depth: number) => {
    for (const name of readdirSync(path).sort()) {
      if (/^[._]/.test(name)) continue
      const inner = join(path, name)
      const stats = statSync(inner, { throwIfNoEntry: false })
      if (stats?.isDirectory() && depth < DEEPEST) {
        const [column, value] = partitionOf(name) ?? []
        walk(inner, column === undefined || value === undefined ? values : { ...values, [column]: value }, depth + 1)
      } else if (stats?.isFile() && /(?<!\.errors)\.parquet$/i.test(name)) found.push({ file: inner, values })
      if (found.length > MOST_FILES) throw new Error(`more than ${MOST_FILES} files. Select rows with DuckDB or Spark first`)
    }
  }
  walk(folder, {}, 0)
  return found
}

/** All rows of the Parquet files below a folder. Throws errors that name the file. */
export async function rowsOfFolder(folder: string, wants?: (column: string) => boolean): Promise<readonly TableRow[]> {
  const parts = partitionsIn(folder)
  if (parts.length === 0) throw new Error('no Parquet file in this folder')
  if (parts.reduce((sum, { file }) => sum + statSync(file).size, 0) > MOST_BYTES)
    throw new Error('larger than 1 GiB. Select rows with DuckDB or Spark first')
  const rows: TableRow[] = []
  for (const { file, values } of parts) {
    try {
      for (const row of await rowsOfTable(file, wants)) rows.push({ ...row, ...values })
    } catch (error) {
      throw new Error(`${file}: ${systemWords(error)}`)
    }
  }
  return rows
}
