/**
 * One column of a row group as Parquet: a dictionary where few values repeat, else differences. hyparquet-writer has
 * the headers and the footer; its own columns turn every integer into a BigInt, which takes most of the time of an
 * export. Nothing is compressed: what is left does not repeat.
 */
import type { ColumnChunk, Encoding } from 'hyparquet'
import { ByteWriter } from 'hyparquet-writer'
import { writePageHeader } from 'hyparquet-writer/src/datapage.js'
import { writeRleBitPackedHybrid } from 'hyparquet-writer/src/encoding.js'
import type { ExportCell, ExportColumn } from './columns'
import { deltaPacked, MAX_EXACT } from './delta'

/** Integers with more values than this, or that hardly repeat, are stored as differences. */
const MAX_WORDS = 4096

const encoder = new TextEncoder()

/** The cells of a column, without the NULLs. */
interface ColumnCells {
  readonly rows: number
  /** 1 where a cell is not NULL. */
  readonly present: Uint8Array
  /** Number of cells that are not NULL. */
  readonly n: number
  /** Values of the cells, or their indices in `words`. */
  readonly values: Float64Array
  readonly words: readonly ExportCell[] | undefined
}

/** Collects the cells of a column. Strings always get a dictionary; integers only if few values repeat. */
function cellsOf(rows: number, cell: (row: number) => ExportCell, strings: boolean): ColumnCells {
  const present = new Uint8Array(rows)
  const indices = new Float64Array(rows)
  const values = new Float64Array(strings ? 0 : rows)
  const indexOfValue = new Map<ExportCell, number>()
  let [n, few] = [0, true]
  let [last, lastIndex]: [ExportCell, number] = [undefined, 0]
  for (let row = 0; row < rows; row += 1) {
    const value = cell(row)
    if (value === undefined) continue
    present[row] = 1
    if (!strings) values[n] = Number(value)
    if (few) {
      if (value !== last) {
        last = value
        lastIndex = indexOfValue.get(value) ?? indexOfValue.size
        if (lastIndex === indexOfValue.size) {
          indexOfValue.set(value, lastIndex)
          few = strings || indexOfValue.size <= MAX_WORDS
        }
      }
      indices[n] = lastIndex
    }
    n += 1
  }
  // A value of a dictionary costs 8 bytes, a difference about 3.
  const repeat = few && (strings || indexOfValue.size * 4 <= n)
  return repeat
    ? { rows, present, n, values: indices, words: [...indexOfValue.keys()] }
    : { rows, present, n, values, words: undefined }
}

/** Whether `a` precedes `b` by UTF-8 bytes, the order that Parquet defines for statistics of strings. */
function isBefore(a: Uint8Array, b: Uint8Array): boolean {
  for (let i = 0; i < Math.min(a.length, b.length); i += 1) if (a[i] !== b[i]) return (a[i] ?? 0) < (b[i] ?? 0)
  return a.length < b.length
}

/** Dictionary values as Parquet's PLAIN. */
function encodePlain(words: readonly ExportCell[], type: ExportColumn['type']): Uint8Array {
  const writer = new ByteWriter()
  for (const word of words) {
    if (type === 'STRING') {
      const bytes = encoder.encode(String(word))
      writer.appendUint32(bytes.length)
      writer.appendBytes(bytes)
    } else if (type === 'INT32') writer.appendInt32(Number(word))
    else writer.appendInt64(BigInt(Number(word)))
  }
  return writer.getBytes()
}

function encodeHybrid(values: Float64Array | Uint8Array, width: number): Uint8Array {
  const writer = new ByteWriter()
  writeRleBitPackedHybrid(writer, values as never, width)
  return writer.getBytes()
}

/** The values of a data page and their encoding. */
function encodeValues({ n, values, words }: ColumnCells, type: ExportColumn['type']): readonly [Encoding, Uint8Array] {
  const presentValues = values.subarray(0, n)
  if (n === 0) return ['PLAIN', new Uint8Array()]
  if (type === 'BOOLEAN') {
    const bits = encodeHybrid(
      presentValues.map(i => Number(words?.[i])),
      1,
    )
    const writer = new ByteWriter()
    writer.appendUint32(bits.length)
    writer.appendBytes(bits)
    return ['RLE', writer.getBytes()]
  }
  if (words !== undefined) {
    const width = 32 - Math.clz32(Math.max(0, words.length - 1))
    const writer = new ByteWriter()
    writer.appendUint8(width)
    writer.appendBytes(encodeHybrid(presentValues, width))
    return ['RLE_DICTIONARY', writer.getBytes()]
  }
  if (presentValues.every(value => Math.abs(value) <= MAX_EXACT)) return ['DELTA_BINARY_PACKED', deltaPacked(values, n)]
  return ['PLAIN', encodePlain([...presentValues], type)]
}

/** Minimum and maximum for the statistics of the column, by which engines skip row groups. */
function rangeOf({ n, values, words }: ColumnCells, type: ExportColumn['type']) {
  if (n === 0 || type === 'BOOLEAN') return {}
  if (type === 'STRING') {
    const sorted = (words ?? [])
      .map(word => ({ word: String(word), bytes: encoder.encode(String(word)) }))
      .sort((a, b) => (isBefore(a.bytes, b.bytes) ? -1 : 1))
    return { min_value: sorted[0]?.word ?? '', max_value: sorted.at(-1)?.word ?? '' }
  }
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  const add = (value: number) => {
    if (value < min) min = value
    if (value > max) max = value
  }
  if (words) for (const word of words) add(Number(word))
  else for (let i = 0; i < n; i += 1) add(values[i] as number)
  return type === 'INT64' ? { min_value: BigInt(min), max_value: BigInt(max) } : { min_value: min, max_value: max }
}

/** Writes the cells of a column. */
export function writeChunk(
  writer: ByteWriter,
  { name, type }: ExportColumn,
  rows: number,
  cell: (row: number) => ExportCell,
): ColumnChunk {
  const start = writer.offset
  const cells = cellsOf(rows, cell, type === 'STRING' || type === 'BOOLEAN')
  const [encoding, page] = encodeValues(cells, type)
  const dictionary =
    encoding === 'RLE_DICTIONARY' && cells.words !== undefined ? encodePlain(cells.words, type) : undefined
  if (dictionary !== undefined) {
    const size = dictionary.length
    writePageHeader(writer, {
      type: 'DICTIONARY_PAGE',
      uncompressed_page_size: size,
      compressed_page_size: size,
      dictionary_page_header: { num_values: cells.words?.length ?? 0, encoding: 'PLAIN' },
    })
    writer.appendBytes(dictionary)
  }
  const data = writer.offset
  const levels = encodeHybrid(cells.present, 1)
  const size = levels.length + page.length
  writePageHeader(writer, {
    type: 'DATA_PAGE_V2',
    uncompressed_page_size: size,
    compressed_page_size: size,
    data_page_header_v2: {
      num_values: rows,
      num_nulls: rows - cells.n,
      num_rows: rows,
      encoding,
      definition_levels_byte_length: levels.length,
      repetition_levels_byte_length: 0,
      is_compressed: false,
    },
  })
  writer.appendBytes(levels)
  writer.appendBytes(page)
  const bytes = BigInt(writer.offset - start)
  return {
    file_offset: BigInt(start),
    meta_data: {
      type: type === 'STRING' ? 'BYTE_ARRAY' : type,
      encodings: dictionary === undefined ? [encoding] : ['PLAIN', encoding],
      path_in_schema: [name],
      codec: 'UNCOMPRESSED',
      num_values: BigInt(rows),
      total_compressed_size: bytes,
      total_uncompressed_size: bytes,
      data_page_offset: BigInt(data),
      ...(dictionary !== undefined && { dictionary_page_offset: BigInt(start) }),
      statistics: { ...rangeOf(cells, type), null_count: BigInt(rows - cells.n) },
    },
  }
}
