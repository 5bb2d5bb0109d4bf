/**
 * A Parquet file, read in parts: its footer, then only the columns and rows that are asked for. Nothing that it says is
 * believed before it was checked.
 */

import { gunzipSync } from 'fflate'
import { type AsyncBuffer, type FileMetaData, parquetMetadata, parquetRead, snappyUncompress } from 'hyparquet'
import { count } from '../../lib/format'
import { tableError } from '../errors'
import { isColumnName, MAX_ROWS, type TableCell, type TablePart } from './columns'
import { CODECS, checkPages, type PageCodec, PageError } from './pages'
import { ThriftError, walkStruct } from './thrift'

const MAGIC = 'PAR1'
/** 200,000 rows of 250 columns have a footer of 10 MB. */
const MAX_FOOTER_BYTES = 64 << 20
const MAX_COLUMNS = 4096
/** Elements of lists, per row: digests have some 30 bins. */
const MAX_ELEMENTS = 4096
/** Maximum unpacked size of one column in a row group. */
const MAX_CHUNK_BYTES = 512 << 20

/** Bytes of a file that can be read in parts. */
export interface TableFile {
  readonly name: string
  readonly byteLength: number
  slice(from: number, to: number): Promise<ArrayBuffer>
}

const damaged = (file: string, why: string) =>
  tableError(
    'digests-damaged',
    `${file} is damaged: ${why}.`,
    'Copy it again from where it was made, or make it again with seekscope digest or seekscope fleet.',
    file,
  )

function gunzip(bytes: Uint8Array, size: number): Uint8Array {
  const unpacked = gunzipSync(bytes, { out: new Uint8Array(size) })
  if (unpacked.length !== size) throw new PageError('a page unpacks to another size than it says')
  return unpacked
}

function unpack(bytes: Uint8Array, size: number, codec: PageCodec): Uint8Array {
  if (codec === 'GZIP') return gunzip(bytes, size)
  const unpacked = new Uint8Array(size)
  snappyUncompress(bytes, unpacked)
  return unpacked
}

type SchemaElement = FileMetaData['schema'][number]

interface LeafColumn {
  readonly name: string
  readonly type: TablePart['columns'][number]['type']
  /** Index among the columns of a group of rows. */
  readonly leaf: number
  readonly levels: readonly [repeats: number, absent: number]
  readonly isFlag: boolean
}

const isText = ({ converted_type, logical_type, type }: SchemaElement) =>
  type === 'BYTE_ARRAY' &&
  (converted_type === 'UTF8' ||
    converted_type === 'ENUM' ||
    logical_type?.type === 'STRING' ||
    logical_type?.type === 'ENUM')
const isTime = ({ converted_type, logical_type }: SchemaElement) =>
  ['DATE', 'TIMESTAMP_MILLIS', 'TIMESTAMP_MICROS'].includes(converted_type ?? '') ||
  ['DATE', 'TIMESTAMP'].includes(logical_type?.type ?? '')
const isNumber = ({ type }: SchemaElement) =>
  type === 'INT32' || type === 'INT64' || type === 'DOUBLE' || type === 'FLOAT'

/** Columns of texts, numbers, flags and lists of numbers; others are left out. */
function columnsOf(schema: readonly SchemaElement[]): readonly LeafColumn[] {
  const found: LeafColumn[] = []
  let leaf = 0
  /** Walks over an element and those in it; returns the index behind them. */
  const walk = (index: number, path: readonly SchemaElement[]): number => {
    const element = schema[index]
    if (!element || path.length > 8) throw new PageError('its columns do not add up')
    const elements = [...path, element]
    if (element.num_children) {
      let next = index + 1
      for (let i = 0; i < element.num_children; i++) next = walk(next, elements)
      return next
    }
    const repeated = elements.filter(e => e.repetition_type === 'REPEATED').length
    const absent = elements.filter(e => e.repetition_type === 'REPEATED' || e.repetition_type === 'OPTIONAL').length
    const levels = [repeated, absent].map(level => (level === 0 ? 0 : 32 - Math.clz32(level))) as [number, number]
    const isFlag = element.type === 'BOOLEAN'
    const type =
      isText(element) || isTime(element) ? 'text' : isFlag ? 'flag' : isNumber(element) ? 'number' : undefined
    const name = elements[0]?.name ?? ''
    if (!isColumnName(name)) {
      leaf += 1
      return index + 1
    }
    if (type && elements.length === 1) found.push({ name, type, leaf, levels, isFlag })
    else if (type === 'number' && repeated === 1 && elements.length === 3)
      found.push({ name, type: 'list', leaf, levels, isFlag })
    leaf += 1
    return index + 1
  }
  let index = 1
  for (let i = 0; i < (schema[0]?.num_children ?? 0); i++) index = walk(index, [])
  return found
}

async function footerOf(file: TableFile): Promise<FileMetaData> {
  const tail = new Uint8Array(await file.slice(Math.max(0, file.byteLength - 8), file.byteLength))
  const text = String.fromCharCode(...tail.subarray(-4))
  if (file.byteLength < 12 || text !== MAGIC)
    throw damaged(file.name, 'it ends too early: a Parquet file ends with PAR1')
  const length = new DataView(tail.buffer).getUint32(0, true)
  if (length > file.byteLength - 12) throw damaged(file.name, 'its footer is longer than the file')
  if (length > MAX_FOOTER_BYTES)
    throw tableError('digests-too-large', `The footer of ${file.name} has ${length} bytes.`, TOO_MANY, file.name)
  const bytes = await file.slice(file.byteLength - 8 - length, file.byteLength)
  walkStruct({ bytes: new Uint8Array(bytes, 0, length), offset: 0 })
  return parquetMetadata(bytes)
}

const TOO_MANY = 'Select rows with DuckDB or Spark, and open that file: docs/at-scale.md has examples.'

/** Converts whatever the decoder throws on a damaged file into an error that names the file. */
async function guard<T>(file: TableFile, work: () => Promise<T> | T): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Error)) throw error
    const isExplained = error instanceof PageError || error instanceof ThriftError
    throw damaged(
      file.name,
      isExplained ? error.message : `a part of it cannot be decoded (${error.message.slice(0, 100)})`,
    )
  }
}

/** Reads what a file says about its columns and groups of rows. Throws an EngineError. */
export const readFooter = (file: TableFile): Promise<FileMetaData> => guard(file, () => footerOf(file))

/** Opens a file. Throws an EngineError. */
export async function openParquet(file: TableFile): Promise<TablePart> {
  const metadata = await readFooter(file)
  const rows = Number(metadata.num_rows)
  const columns = await guard(file, () => {
    const groups = metadata.row_groups.reduce((sum, group) => sum + Number(group.num_rows), 0)
    if (!(rows >= 0) || groups !== rows || metadata.row_groups.some(group => !(Number(group.num_rows) >= 0)))
      throw new PageError('its groups do not have as many rows as the file')
    if (metadata.schema.length > 3 * MAX_COLUMNS) throw new PageError(`it has more than ${MAX_COLUMNS} columns`)
    return columnsOf(metadata.schema)
  })
  if (rows > MAX_ROWS)
    throw tableError(
      'digests-too-large',
      `${file.name} has ${count(rows)} rows, more than ${count(MAX_ROWS)}.`,
      TOO_MANY,
      file.name,
    )
  const table = { file, metadata, columns }
  return {
    name: file.name,
    rows,
    columns: columns.map(({ name, type }) => ({ name, type })),
    read: (name, from, to) => guard(file, () => readColumn(table, name, from, to)),
  }
}

interface OpenTable {
  readonly file: TableFile
  readonly metadata: FileMetaData
  readonly columns: readonly LeafColumn[]
}

/** The bytes of a column in a group of rows, checked: the decoder trusts what it reads. */
async function readChunk(
  { file, metadata }: OpenTable,
  column: LeafColumn,
  groupIndex: number,
  from: number,
  to: number,
) {
  const group = metadata.row_groups[groupIndex]
  const meta = group?.columns[column.leaf]?.meta_data
  if (!group || !meta) throw new PageError('a column is missing in a group of rows')
  const codec = CODECS.find(codec => codec === meta.codec)
  if (!codec)
    throw tableError(
      'digests-damaged',
      `${file.name} is compressed with ${meta.codec}.`,
      'Write it again with Snappy or gzip.',
      file.name,
    )
  const begin = Number(meta.dictionary_page_offset || meta.data_page_offset)
  const length = Number(meta.total_compressed_size)
  const [groupRows, values] = [Number(group.num_rows), Number(meta.num_values)]
  if (!(begin >= 4 && length >= 0 && begin + length <= file.byteLength))
    throw new PageError('a column is not in the file')
  if (Number(meta.total_uncompressed_size) > MAX_CHUNK_BYTES)
    throw new PageError('a column of a group of rows is too long')
  if (!(values <= groupRows * (column.type === 'list' ? MAX_ELEMENTS : 1)))
    throw new PageError('a column has more values than rows')
  const bytes = await file.slice(begin, begin + length)
  checkPages(
    {
      bytes: new Uint8Array(bytes),
      codec,
      rows: groupRows,
      values,
      levels: column.levels,
      isFlag: column.isFlag,
      from,
      to,
    },
    unpack,
  )
  return { begin, end: begin + length, bytes }
}

async function readColumn(table: OpenTable, name: string, from: number, to: number): Promise<readonly TableCell[]> {
  const { file, metadata, columns } = table
  const column = columns.find(column => column.name === name)
  const cells: TableCell[] = new Array(to - from)
  if (!column) return cells
  const chunks: { readonly begin: number; readonly end: number; readonly bytes: ArrayBuffer }[] = []
  let first = 0
  for (const [groupIndex, group] of metadata.row_groups.entries()) {
    const last = first + Number(group.num_rows)
    if (last > from && first < to)
      chunks.push(await readChunk(table, column, groupIndex, Math.max(0, from - first), Math.min(last, to) - first))
    first = last
  }
  const buffer: AsyncBuffer = {
    byteLength: file.byteLength,
    slice: (begin, end = file.byteLength) => {
      const chunk = chunks.find(part => part.begin <= begin && end <= part.end)
      if (chunk) return chunk.bytes.slice(begin - chunk.begin, end - chunk.begin)
      return file.slice(begin, end)
    },
  }
  await parquetRead({
    file: buffer,
    metadata,
    columns: [name],
    rowStart: from,
    rowEnd: to,
    compressors: { GZIP: gunzip },
    onChunk: ({ columnData, rowStart }) => {
      for (let i = 0; i < columnData.length; i++) {
        const row = rowStart + i - from
        if (row >= 0 && row < cells.length) cells[row] = toCell(columnData[i])
      }
    },
  })
  return cells
}

/**
 * Converts a value to a cell as in JSON: 64-bit integers become numbers, times become texts, NULL becomes
 * `undefined`.
 */
function toCell(value: unknown): TableCell {
  if (value === null || value === undefined) return undefined
  if (typeof value === 'bigint') return Number(value)
  if (value instanceof Date) return value.toISOString().replace('.000Z', 'Z').replace('T00:00:00Z', '')
  if (Array.isArray(value) || ArrayBuffer.isView(value))
    return Array.from(value as readonly unknown[], part =>
      typeof part === 'bigint' ? Number(part) : typeof part === 'number' ? part : null,
    )
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : undefined
}
