/**
 * The table of `seekscope digest`: one row per run and device, with all that a comparison needs. Documented in
 * docs/at-scale.md, whose columns a test compares with these.
 */
import type { FileMetaData } from 'hyparquet'
import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import { type DeviceDigest, type DigestFigure, TAIL_CAUSES } from '../engine/protocol'
import type { DigestContents } from '../fleet/stored'

/** Version of the table. Adding columns does not change it; changing or removing one does. */
export const DIGESTS_SCHEMA = 1

/** A run that was just measured. */
export interface RunToDigest {
  readonly run: DigestContents
  /** SHA-256 of the trace's files. */
  readonly sha256: string
  /** Index among the runs of the command. */
  readonly position: number
  /** Index of the device that is compared. */
  readonly compared: number | undefined
  /** Models of disks by their names and numbers, from texts next to the trace. */
  readonly models: ReadonlyMap<string, string>
  /** Codes of what the run shows by itself, the most important first. */
  readonly findings: readonly string[]
}

type DigestCell = string | number | boolean | readonly (number | null)[] | undefined
export type DigestRow = Readonly<Record<string, DigestCell>>

interface DigestColumn {
  readonly name: string
  readonly type: 'STRING' | 'BOOLEAN' | 'INT32' | 'INT64' | 'DOUBLE' | 'LIST'
  /** Returns the cell of a device, by its index. */
  readonly cell: (measured: RunToDigest, index: number) => DigestCell
}

const deviceOf = ({ run }: RunToDigest, index: number) => run.trace.devices[index] as DeviceDigest

/** The run as a comparison needs it, as JSON, which reproduces all numbers exactly. */
function comparedText({
  run: { label, kernel, group, path, bench = [], settings = [], labelSource, trace },
}: RunToDigest): string {
  return JSON.stringify({
    label,
    ...(kernel !== undefined && { kernel }),
    ...(group !== undefined && { group }),
    path,
    bench,
    settings,
    labelSource,
    trace,
  } satisfies DigestContents)
}

const listText = (list: readonly unknown[] | undefined): string | undefined =>
  list && list.length > 0 ? JSON.stringify(list) : undefined

const modelOf = (measured: RunToDigest, index: number): string | undefined => {
  const { name, dev } = deviceOf(measured, index)
  return measured.models.get(dev) ?? measured.models.get(name)
}

const ABOUT: readonly DigestColumn[] = [
  { name: 'schema', type: 'INT32', cell: () => DIGESTS_SCHEMA },
  { name: 'run', type: 'STRING', cell: ({ run }) => run.label },
  { name: 'trace', type: 'STRING', cell: ({ run }) => run.path.replace(/\.blktrace\.\d+$/, '') },
  { name: 'sha256', type: 'STRING', cell: ({ sha256 }) => sha256 },
  { name: 'position', type: 'INT32', cell: ({ position }) => position },
  { name: 'kernel', type: 'STRING', cell: ({ run }) => run.kernel },
  { name: 'scheduler', type: 'STRING', cell: ({ run }) => run.labelSource.scheduler },
  { name: 'workload', type: 'STRING', cell: ({ run }) => run.labelSource.workload },
  { name: 'repeat_group', type: 'STRING', cell: ({ run }) => run.group },
  { name: 'folder', type: 'STRING', cell: ({ run }) => run.labelSource.folder },
  {
    name: 'device',
    type: 'STRING',
    cell: (measured, index) => deviceOf(measured, index).name || deviceOf(measured, index).dev,
  },
  { name: 'dev', type: 'STRING', cell: (measured, index) => deviceOf(measured, index).dev },
  { name: 'role', type: 'STRING', cell: (measured, index) => deviceOf(measured, index).role },
  { name: 'model', type: 'STRING', cell: modelOf },
  { name: 'compared', type: 'BOOLEAN', cell: ({ compared }, index) => index === compared },
  {
    name: 'findings',
    type: 'STRING',
    cell: ({ compared, findings }, index) =>
      index === compared && findings.length > 0 ? findings.join(',') : undefined,
  },
  { name: 'events', type: 'INT64', cell: ({ run }) => run.trace.events },
  { name: 'lost_events', type: 'INT64', cell: ({ run }) => run.trace.quality.lost_events },
  { name: 'truncated_bytes', type: 'INT64', cell: ({ run }) => run.trace.quality.truncated_bytes },
  { name: 'window_from_ns', type: 'INT64', cell: ({ run }) => run.trace.window?.from_ns },
  { name: 'window_to_ns', type: 'INT64', cell: ({ run }) => run.trace.window?.to_ns },
  { name: 'first_queued_ns', type: 'INT64', cell: (measured, index) => deviceOf(measured, index).active[0] },
  { name: 'last_completed_ns', type: 'INT64', cell: (measured, index) => deviceOf(measured, index).active[1] },
  { name: 'settings', type: 'STRING', cell: ({ run }) => listText(run.settings) },
  { name: 'bench', type: 'STRING', cell: ({ run }) => listText(run.bench) },
  { name: 'sizes', type: 'STRING', cell: (measured, index) => JSON.stringify(deviceOf(measured, index).sizes) },
  { name: 'bin_ns', type: 'INT64', cell: (measured, index) => deviceOf(measured, index).bins.width || undefined },
]

/** `q2c.p99` as a name that SQL needs no quotes for. */
export const columnOf = (key: string): string => key.replaceAll('.', '_')

/** The figure, its 95 % interval, and its parts over time. */
function columnsOfFigure({ key, sampled, interval }: DigestFigure): readonly DigestColumn[] {
  const name = columnOf(key)
  const limits = (measured: RunToDigest, index: number) => deviceOf(measured, index).bins.intervals?.[key]
  const figure: DigestColumn = {
    name,
    type: 'DOUBLE',
    cell: (measured, index) => deviceOf(measured, index).figures[key],
  }
  const low: DigestColumn = {
    name: `${name}_low`,
    type: 'DOUBLE',
    cell: (measured, index) => limits(measured, index)?.[0],
  }
  const high: DigestColumn = {
    name: `${name}_high`,
    type: 'DOUBLE',
    cell: (measured, index) => limits(measured, index)?.[1] ?? undefined,
  }
  const bins: DigestColumn = {
    name: `${name}_bins`,
    type: 'LIST',
    cell: (measured, index) =>
      deviceOf(measured, index).bins.sums[key]?.map(([part, total]) => (total === 0 ? null : part / total)),
  }
  return [figure, ...(interval ? [low, high] : []), ...(sampled ? [bins] : [])]
}

/** The slowest percent of the requests, and the causes of their latency. */
const TAIL: readonly DigestColumn[] = [
  { name: 'tail_threshold_ns', type: 'INT64', cell: (measured, index) => deviceOf(measured, index).tail?.threshold },
  { name: 'tail_requests', type: 'INT64', cell: (measured, index) => deviceOf(measured, index).tail?.requests },
  { name: 'tail_ns', type: 'DOUBLE', cell: (measured, index) => deviceOf(measured, index).tail?.ns },
  ...TAIL_CAUSES.map(
    (cause): DigestColumn => ({
      name: `tail_${cause.replace('-', '_')}`,
      type: 'DOUBLE',
      cell: (measured, index) => deviceOf(measured, index).tail?.shares[cause],
    }),
  ),
]

const DIGEST: DigestColumn = {
  name: 'digest',
  type: 'STRING',
  cell: (measured, index) => (index === (measured.compared ?? 0) ? comparedText(measured) : undefined),
}

export const digestColumns = (figures: readonly DigestFigure[]): readonly DigestColumn[] => [
  ...ABOUT,
  ...figures.flatMap(columnsOfFigure),
  ...TAIL,
  DIGEST,
]

/** One row per device of the run. Absent cells have no field. */
export function digestRows(columns: readonly DigestColumn[], measured: RunToDigest): readonly DigestRow[] {
  return measured.run.trace.devices.map((_, index) =>
    Object.fromEntries(
      columns.flatMap(({ name, cell }) => {
        const value = cell(measured, index)
        return value === undefined ? [] : [[name, value]]
      }),
    ),
  )
}

/**
 * Kernel, device, trace and position: sorted by these, engines skip the groups of rows whose least and greatest values
 * do not match.
 */
export type RowOrder = readonly [string, string, string, number]

export const orderOf = ({ kernel = '', device = '', trace = '', position = 0 }: DigestRow): RowOrder => [
  String(kernel),
  String(device),
  String(trace),
  Number(position),
]

export function byOrder(a: RowOrder, b: RowOrder): number {
  for (const i of [0, 1, 2, 3] as const) if (a[i] !== b[i]) return a[i] < b[i] ? -1 : 1
  return 0
}

/** Field types of hyparquet-writer. */
type ParquetSchema = ConstructorParameters<typeof ParquetWriter>[0]['schema']
type ParquetColumns = Parameters<ParquetWriter['write']>[0]['columnData']

function schemaOf(columns: readonly ParquetColumn[]): ParquetSchema {
  const optional = { repetition_type: 'OPTIONAL' } as const
  const elements = columns.flatMap(({ name, type }): ParquetSchema => {
    if (type === 'STRING') return [{ name, type: 'BYTE_ARRAY', converted_type: 'UTF8', ...optional }]
    if (type !== 'LIST') return [{ name, type, ...optional }]
    return [
      { name, num_children: 1, converted_type: 'LIST', ...optional },
      { name: 'list', num_children: 1, repetition_type: 'REPEATED' },
      { name: 'element', type: 'DOUBLE', ...optional },
    ]
  })
  return [{ name: 'root', num_children: columns.length }, ...elements]
}

/**
 * The value for a typed column. A damaged recording may have numbers that the type cannot store exactly: the column
 * is then NULL, while the digest keeps the number.
 */
function storedValue(type: DigestColumn['type'], cell: DigestCell): unknown {
  if (type === 'INT64') return Number.isSafeInteger(cell) ? BigInt(cell as number) : null
  return cell ?? null
}

/** Rows per group, the unit in which engines read and skip. */
export const ROWS_PER_GROUP = 500

type ParquetColumn = Pick<DigestColumn, 'name' | 'type'>

const KNOWN_BY: readonly ParquetColumn[] = [
  { name: 'source_sha256', type: 'STRING' },
  { name: 'made_by', type: 'STRING' },
]

/**
 * Rows of a fleet also name the recording that they are of: its path in the folder, the SHA-256 of its bytes, and what
 * read it with which options.
 */
export const SOURCE_COLUMNS: readonly ParquetColumn[] = [{ name: 'source', type: 'STRING' }, ...KNOWN_BY]

/** Columns of the table of files that could not be read. */
export const ERROR_COLUMNS: readonly ParquetColumn[] = [
  { name: 'source', type: 'STRING' },
  { name: 'file', type: 'STRING' },
  { name: 'code', type: 'STRING' },
  { name: 'message', type: 'STRING' },
  ...KNOWN_BY,
]

export interface TableWriter {
  /** Writes a group of rows; groups follow each other in the order of the file. */
  add(rows: readonly DigestRow[]): Promise<void>
  finish(): Promise<void>
}

/** Groups of rows at the begin of a file that stay as they are. */
export interface TablePrefix {
  readonly groups: FileMetaData['row_groups']
  readonly rows: number
  /** Bytes of the file up to their end. */
  readonly end: number
}

const outlineOf = (schema: ParquetSchema): string =>
  JSON.stringify(schema.map(({ name, type, num_children = 0 }) => [name, type ?? '', num_children]))

/**
 * The complete groups among the first `rows` rows of a file, which new rows can be added to without writing these
 * again; undefined where there are none, or the file has other columns.
 */
export function completePrefix(
  { schema, row_groups }: FileMetaData,
  columns: readonly ParquetColumn[],
  rows: number,
): TablePrefix | undefined {
  if (outlineOf(schema) !== outlineOf(schemaOf(columns))) return undefined
  const count = row_groups.findIndex(
    (group, i) => Number(group.num_rows) !== ROWS_PER_GROUP || (i + 1) * ROWS_PER_GROUP > rows,
  )
  const groups = row_groups.slice(0, count < 0 ? undefined : count)
  if (groups.length === 0) return undefined
  // Indexes of pages are at the end of the file, which is written again.
  const withoutIndexes = groups.map(group => ({
    ...group,
    columns: group.columns.map(({ file_path, file_offset, meta_data }) => ({
      ...(file_path !== undefined && { file_path }),
      file_offset,
      ...(meta_data && { meta_data }),
    })),
  }))
  const ends = groups.flatMap(group =>
    group.columns.map(({ meta_data }) =>
      meta_data
        ? Number(meta_data.dictionary_page_offset || meta_data.data_page_offset) +
          Number(meta_data.total_compressed_size)
        : 0,
    ),
  )
  return { groups: withoutIndexes, rows: groups.length * ROWS_PER_GROUP, end: Math.max(...ends) }
}

/**
 * Rows as a Parquet file, written a group at a time. `gzip` packs digests, which are most of it, three times as well as
 * Snappy. `prefix`: the rows that come before, whose bytes the caller has written.
 */
export function createTable(
  columns: readonly ParquetColumn[],
  gzip: (bytes: Uint8Array) => Uint8Array,
  write: (bytes: Uint8Array) => void | Promise<void>,
  prefix?: TablePrefix,
): TableWriter {
  const writer = new ByteWriter()
  const parquet = new ParquetWriter({
    writer,
    schema: schemaOf(columns),
    createdBy: 'seekscope',
    compressors: { GZIP: gzip },
  })
  if (prefix) {
    parquet.row_groups.push(...prefix.groups)
    parquet.num_rows += BigInt(prefix.rows)
    // The magic bytes that it has begun with are among those of the prefix.
    writer.index = 0
    writer.offset = prefix.end
  }
  const flush = async () => {
    const bytes = writer.getBytes().slice()
    writer.index = 0
    await write(bytes)
  }
  return {
    async add(rows) {
      const columnData: ParquetColumns = columns.map(({ name, type }) => ({
        name,
        data: rows.map(row => storedValue(type, row[name])),
        ...((name === DIGEST.name || type === 'LIST') && { codec: 'GZIP' as const, statistics: false }),
      }))
      await parquet.write({ columnData, rowGroupSize: ROWS_PER_GROUP })
      await flush()
    },
    async finish() {
      await parquet.finish()
      await flush()
    },
  }
}
