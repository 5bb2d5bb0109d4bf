/** Runs from files of `seekscope digest`, for `compare --digests`. */
import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { parquetReadObjects } from 'hyparquet'
import * as v from 'valibot'
import { DIGESTS_SCHEMA, type DigestedRun } from '../web/export/digests'
import { columnsOfDigests } from './digest'
import type { ComparedTrace } from './runs'
import { systemWords } from './system'
import { UsageError } from './usage'
import { parseWhere } from './where'

/** Larger files are for an engine of tables: all bytes are held at once. */
const MOST_BYTES = 1 << 30
/** A digest unpacks to some 30 kB, a page of 500 with many devices to some MB. */
const MOST_UNPACKED = 256 << 20

type Row = Readonly<Record<string, unknown>>

/** Of the rows that a condition applies to. */
const RUN = v.object({
  label: v.string(),
  kernel: v.optional(v.string()),
  group: v.optional(v.string()),
  path: v.string(),
  bench: v.array(v.looseObject({})),
  settings: v.array(v.looseObject({})),
  labelSource: v.looseObject({ label: v.string(), folder: v.string() }),
  trace: v.looseObject({ name: v.string(), devices: v.array(v.looseObject({ dev: v.string(), name: v.string() })) }),
})

const wrong = (file: string, why: string) => new UsageError(`--digests: ${file}: ${why}`)

function parquetBytes(file: string): ArrayBuffer {
  const bytes = readFileSync(file)
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)
}

function isParquet(file: string): boolean {
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
const plain = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).flatMap(([name, value]) =>
      value === null || value === undefined ? [] : [[name, typeof value === 'bigint' ? Number(value) : value]],
    ),
  )

/** All rows of a Parquet file. */
export async function rowsOfTable(file: string): Promise<readonly Row[]> {
  const rows = await parquetReadObjects({ file: parquetBytes(file), compressors: { GZIP: gunzip } })
  return rows.map(plain)
}

/** All rows of a file of digests. Throws UsageError. */
async function rowsOf(file: string): Promise<readonly Row[]> {
  try {
    if (statSync(file).size > MOST_BYTES) throw new Error('larger than 1 GiB. Select rows with DuckDB or Spark first')
    if (isParquet(file)) return await rowsOfTable(file)
    const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
    return lines.map(line => JSON.parse(line))
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) throw wrong(file, systemWords(error))
    const why = error instanceof SyntaxError ? "not a file of 'seekscope digest'" : error instanceof Error ? error.message : String(error)
    throw wrong(file, why)
  }
}

/** Rows of one run are next to each other in no file: an engine may have sorted them. */
function runsIn(rows: readonly Row[]): readonly (readonly Row[])[] {
  const runs = new Map<string, Row[]>()
  for (const row of rows) {
    const key = JSON.stringify([row.sha256, row.trace, row.run, Number(row.position)])
    const known = runs.get(key)
    if (known) known.push(row)
    else runs.set(key, [row])
  }
  return [...runs.values()].sort(([a], [b]) => Number(a?.position) - Number(b?.position))
}

function parsed(file: string, text: unknown): DigestedRun {
  try {
    const run = v.safeParse(RUN, JSON.parse(String(text)))
    if (run.success) return run.output as unknown as DigestedRun
  } catch {}
  throw wrong(file, 'a digest in it is damaged. Make the file again')
}

/** What is compared of a run of which the condition selects only some devices. */
function deviceOf(selected: readonly Row[]): { readonly device?: string } {
  const [first] = selected
  return first === undefined || selected.some(row => row.compared === true) ? {} : { device: String(first.dev) }
}

export interface DigestSelection {
  readonly files: readonly string[]
  /** As `parseWhere` reads it. */
  readonly where?: string
}

/** The runs of files of digests of which a row fulfils the condition, in the order of the files and of the commands that wrote them. Throws UsageError. */
export async function runsFromDigests({ files, where }: DigestSelection): Promise<readonly (ComparedTrace & { readonly device?: string })[]> {
  const found: (ComparedTrace & { readonly device?: string })[] = []
  for (const file of files) {
    const rows = await rowsOf(file)
    const odd = rows.find(row => Number(row.schema) !== DIGESTS_SCHEMA)
    if (odd)
      throw wrong(
        file,
        odd.schema === undefined ? "not a file of 'seekscope digest'" : `schema ${odd.schema}; this Seekscope reads ${DIGESTS_SCHEMA}`,
      )
    // Also those that are absent in all rows.
    const columns = [...new Set([...columnsOfDigests().map(({ name }) => name), ...rows.flatMap(row => Object.keys(row))])]
    const test = where === undefined ? undefined : parseWhere(where, columns)
    for (const run of runsIn(rows)) {
      const selected = test ? run.filter(row => test(row) === true) : run
      if (selected.length === 0) continue
      const text = run.find(row => typeof row.digest === 'string')?.digest
      if (text === undefined) throw wrong(file, `${String(run[0]?.run)} has no digest: select runs by --where, not rows of the file`)
      const { bench = [], settings = [], ...digested } = parsed(file, text)
      found.push({ ...digested, bench, settings, ...deviceOf(selected) })
    }
  }
  return found
}
