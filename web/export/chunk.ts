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
import { deltaPacked, EXACT } from './delta'

/** Integers with more values than this, or that hardly repeat, are stored as differences. */
const MAX_WORDS = 4096

const encoder = new TextEncoder()

/** The cells of a column that are not NULL, and which are. */
interface ColumnCells {
  readonly rows: number
  /** 1 where a cell is not NULL. */
  readonly present: Uint8Array
  /** How many. */
  readonly n: number
  /** Their values, or indices of `words`. */
  readonly values: Float64Array
  readonly words: readonly ExportCell[] | undefined
}

/** Strings always have a dictionary, integers if they have few values. */
function cellsOf(rows: number, cell: (row: number) => ExportCell, strings: boolean): ColumnCells {
  const present = new Uint8Array(rows)
  const indices = new Float64Array(rows)
  const values = new Float64Array(strings ? 0 : rows)
  const known = new Map<ExportCell, number>()
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
        lastIndex = known.get(value) ?? known.size
        if (lastIndex === known.size) {
          known.set(value, lastIndex)
          few = strings || known.size <= MAX_WORDS
        }
      }
      indices[n] = lastIndex
    }
    n += 1
  }
  // A value of a dictionary costs 8 bytes, a difference about 3.
  const repeat = few && (strings || known.size * 4 <= n)
  return repeat
    ? { rows, present, n, values: indices, words: [...known.keys()] }
    : { rows, present, n, values, words: undefined }
}

/** Order of UTF-8 bytes. */
function before(a: Uint8Array, b: Uint8Array): boolean {
  for (let i = 0; i < Math.min(a.length, b.length); i += 1) if (a[i] !== b[i]) return (a[i] ?? 0) < (b[i] ?? 0)
  return a.length < b.length
}

/** Dictionary values as Parquet's PLAIN. */
function plain(words: readonly ExportCell[], type: ExportColumn['type']): Uint8Array {
  const out = new ByteWriter()
  for (const word of words) {
    if (type === 'STRING') {
      const bytes = encoder.encode(String(word))
      out.appendUint32(bytes.length)
      out.appendBytes(bytes)
    } else if (type === 'INT32') out.appendInt32(Number(word))
    else out.appendInt64(BigInt(Number(word)))
  }
  return out.getBytes()
}

function hybrid(values: Float64Array | Uint8Array, width: number): Uint8Array {
  const out = new ByteWriter()
  writeRleBitPackedHybrid(out, values as never, width)
  return out.getBytes()
}

/** The values of a data page and their encoding. */
function encoded({ n, values, words }: ColumnCells, type: ExportColumn['type']): readonly [Encoding, Uint8Array] {
  const given = values.subarray(0, n)
  if (n === 0) return ['PLAIN', new Uint8Array()]
  if (type === 'BOOLEAN') {
    const bits = hybrid(
      given.map(i => Number(words?.[i])),
      1,
    )
    const out = new ByteWriter()
    out.appendUint32(bits.length)
    out.appendBytes(bits)
    return ['RLE', out.getBytes()]
  }
  if (words !== undefined) {
    const width = 32 - Math.clz32(Math.max(0, words.length - 1))
    const out = new ByteWriter()
    out.appendUint8(width)
    out.appendBytes(hybrid(given, width))
    return ['RLE_DICTIONARY', out.getBytes()]
  }
  if (given.every(value => Math.abs(value) <= EXACT)) return ['DELTA_BINARY_PACKED', deltaPacked(values, n)]
  return ['PLAIN', plain([...given], type)]
}

/** Least and greatest value. */
function reach({ n, values, words }: ColumnCells, type: ExportColumn['type']) {
  if (n === 0 || type === 'BOOLEAN') return {}
  if (type === 'STRING') {
    const sorted = (words ?? [])
      .map(word => ({ word: String(word), bytes: encoder.encode(String(word)) }))
      .sort((a, b) => (before(a.bytes, b.bytes) ? -1 : 1))
    return { min_value: sorted[0]?.word ?? '', max_value: sorted.at(-1)?.word ?? '' }
  }
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  const add = (value: number) => {
    if (value < least) least = value
    if (value > most) most = value
  }
  if (words) for (const word of words) add(Number(word))
  else for (let i = 0; i < n; i += 1) add(values[i] as number)
  return type === 'INT64'
    ? { min_value: BigInt(least), max_value: BigInt(most) }
    : { min_value: least, max_value: most }
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
  const [encoding, page] = encoded(cells, type)
  const dictionary = encoding === 'RLE_DICTIONARY' && cells.words !== undefined ? plain(cells.words, type) : undefined
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
  const levels = hybrid(cells.present, 1)
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
      statistics: { ...reach(cells, type), null_count: BigInt(rows - cells.n) },
    },
  }
}
