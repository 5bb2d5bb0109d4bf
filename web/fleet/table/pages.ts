/**
 * Checks the pages of a column before they are decoded: what a page says of its size must be true. A file of a few
 * bytes could otherwise take all memory.
 *
 * A data page of version 1, unpacked: per kind of levels (first how values repeat in lists, then what is absent) 4
 * bytes length and runs; then the values. Of version 2 the levels are not packed, and the header has their lengths.
 * Numbers of a dictionary are 1 byte width and runs.
 *
 * A run begins with a number of 7 bits per byte: `count << 1` and one value, or `groups << 1 | 1` and eight values per group, in as many bits as the width.
 */
import { type ThriftNumbers, type ThriftPlace, walkStruct } from './thrift'

export const CODECS = ['UNCOMPRESSED', 'SNAPPY', 'GZIP'] as const
export type PageCodec = (typeof CODECS)[number]

/** A column of a group of rows in the file. */
export interface ColumnChunk {
  readonly bytes: Uint8Array
  readonly codec: PageCodec
  /** Rows of the group. */
  readonly rows: number
  /** Maximum number of values: rows, or elements of lists. */
  readonly values: number
  /** Bits of the levels that say how values repeat, and what is absent. */
  readonly levels: readonly [repeats: number, absent: number]
  readonly isFlag: boolean
  /** Rows that will be decoded. */
  readonly from: number
  readonly to: number
}

export type Unpack = (bytes: Uint8Array, size: number, codec: PageCodec) => Uint8Array

/** Maximum unpacked size of a page. */
const MAX_PAGE_BYTES = 64 << 20

const PAGE = { data: 0, index: 1, dictionary: 2, data2: 3 } as const
/** Numbers of encodings in the Parquet format. */
const ENCODING = { plain: 0, oldDictionary: 2, runs: 3, dictionary: 8 } as const

export class PageError extends Error {}

const numberAt = (numbers: ThriftNumbers | undefined, field: number): number => {
  const found = numbers?.get(field)
  if (typeof found !== 'number') throw new PageError('a page lacks its size')
  return found
}
const structAt = (numbers: ThriftNumbers, field: number): ThriftNumbers | undefined => {
  const found = numbers.get(field)
  return typeof found === 'object' ? found : undefined
}

/** Values that may follow the last one, in groups of eight: DuckDB fills its blocks of 256, others the last group. */
const MAX_PADDING = 255

/** Walks over runs: they have exactly the values that the page has, up to the rest of a block. */
function checkRuns(bytes: Uint8Array, width: number, values: number) {
  let [offset, decoded] = [0, 0]
  while (decoded < values) {
    let [head, factor] = [0, 1]
    for (;;) {
      const byte = bytes[offset++]
      if (byte === undefined || factor > 2 ** 28) throw new PageError('runs end too early')
      head += (byte & 127) * factor
      if (byte < 128) break
      factor *= 128
    }
    const grouped = head % 2 === 1
    const count = grouped ? ((head - 1) / 2) * 8 : head / 2
    offset += grouped ? ((head - 1) / 2) * width : Math.ceil(width / 8)
    if (count === 0 || decoded + count > values + (grouped ? MAX_PADDING : 0))
      throw new PageError('a run has more values than its page')
    decoded += count
  }
  // The last group may have fewer than eight values.
  if (offset > bytes.length + width) throw new PageError('runs are longer than their page')
}

/** Levels with their length in front. Returns what follows. */
function checkLevels(page: Uint8Array, bits: number, values: number): Uint8Array {
  if (bits === 0) return page
  if (page.length < 4) throw new PageError('a page ends too early')
  const length = new DataView(page.buffer, page.byteOffset).getUint32(0, true)
  if (length > page.length - 4) throw new PageError('levels are longer than their page')
  checkRuns(page.subarray(4, 4 + length), bits, values)
  return page.subarray(4 + length)
}

function checkValues(page: Uint8Array, encoding: number, values: number, isFlag: boolean) {
  if (encoding === ENCODING.plain) return
  if (encoding === ENCODING.dictionary || encoding === ENCODING.oldDictionary) {
    // Some writers omit the width if a page has no values. With width 0, all values are the first of the dictionary.
    const width = page[0] ?? 0
    if (width > 32) throw new PageError('numbers of a dictionary are too wide')
    // Absent values are not stored, so there may be fewer values than rows.
    if (width > 0) checkRunsUpTo(page.subarray(1), width, values)
    return
  }
  if (encoding === ENCODING.runs && isFlag) return checkRunsUpTo(page.subarray(4), 1, values)
  throw new PageError(
    `values in encoding ${encoding}: write the file with PLAIN and dictionary encoding (data pages of version 1, the default of DuckDB, Spark and pyarrow)`,
  )
}

/** Checks runs of at most `maxValues` values. */
function checkRunsUpTo(bytes: Uint8Array, width: number, maxValues: number) {
  let [offset, decoded] = [0, 0]
  while (offset < bytes.length && decoded < maxValues) {
    let [head, factor] = [0, 1]
    for (;;) {
      const byte = bytes[offset++]
      if (byte === undefined || factor > 2 ** 28) return
      head += (byte & 127) * factor
      if (byte < 128) break
      factor *= 128
    }
    const grouped = head % 2 === 1
    const count = grouped ? ((head - 1) / 2) * 8 : head / 2
    if (count > maxValues + MAX_PADDING) throw new PageError('a run has more values than its page')
    offset += grouped ? ((head - 1) / 2) * width : Math.ceil(width / 8)
    decoded += count
  }
}

/** The head of a page: its kind, its sizes, and the fields of a page with data. */
function readHead(place: ThriftPlace) {
  const head = walkStruct(place)
  const [kind, unpacked, packed] = [1, 2, 3].map(field => numberAt(head, field)) as [number, number, number]
  if (packed < 0 || packed > place.bytes.length - place.offset) throw new PageError('a page is longer than its column')
  if (unpacked < 0 || unpacked > MAX_PAGE_BYTES)
    throw new PageError(`a page unpacks to more than ${MAX_PAGE_BYTES >> 20} MiB`)
  const fields = { [PAGE.dictionary]: 7, [PAGE.data]: 5, [PAGE.data2]: 8 }[kind]
  const info = fields === undefined ? undefined : structAt(head, fields)
  if (kind === PAGE.dictionary) {
    const entries = numberAt(info, 1)
    // A text takes four bytes at least, a number four.
    if (entries < 0 || entries * 4 > unpacked) throw new PageError('a dictionary has more values than bytes')
  } else if (!info) throw new PageError('a page of unknown kind')
  return { kind, unpacked, packed, info }
}

/**
 * Checks all pages of a column before the decoder sees them: damaged headers could make it allocate or loop without
 * limit. Throws PageError or ThriftError.
 */
export function checkPages(chunk: ColumnChunk, unpack: Unpack): void {
  const { bytes, values: mostValues, levels, from, to } = chunk
  const place: ThriftPlace = { bytes, offset: 0 }
  let checked = 0
  while (checked < mostValues && place.offset < bytes.length) {
    const page = readHead(place)
    const packed = bytes.subarray(place.offset, place.offset + page.packed)
    place.offset += page.packed
    if (page.kind === PAGE.dictionary) continue
    const values = numberAt(page.info, 1)
    if (values < 0 || values > mostValues - checked) throw new PageError('a page has more values than its column')
    // Only decoded pages need the check. With lists, rows cannot be counted from values, so all pages are checked.
    const isDecoded = levels[0] > 0 || (checked + values >= from && checked <= to)
    checked += values
    if (isDecoded && values > 0) checkPage(chunk, unpack, page, packed, values)
  }
}

/** The levels and values of a page. Pages of version 2 have their levels outside of what is packed. */
function checkPage(
  { codec, rows, levels: [repeats, absent], isFlag }: ColumnChunk,
  unpack: Unpack,
  { kind, unpacked, info }: ReturnType<typeof readHead>,
  packed: Uint8Array,
  values: number,
): void {
  const open = (part: Uint8Array, size: number) => (codec === 'UNCOMPRESSED' ? part : unpack(part, size, codec))
  if (kind === PAGE.data) {
    const levels = checkLevels(checkLevels(open(packed, unpacked), repeats, values), absent, values)
    checkValues(levels, numberAt(info, 2), values, isFlag)
    return
  }
  const [rowsHere, absentBytes, repeatBytes] = [3, 5, 6].map(field => numberAt(info, field)) as [number, number, number]
  if (rowsHere > rows || rowsHere < 0) throw new PageError('a page has more rows than its group')
  const length = absentBytes + repeatBytes
  if (absentBytes < 0 || repeatBytes < 0 || length > packed.length)
    throw new PageError('levels are longer than their page')
  if (repeats > 0) checkRuns(packed.subarray(0, repeatBytes), repeats, values)
  if (absent > 0) checkRuns(packed.subarray(repeatBytes, length), absent, values)
  checkValues(open(packed.subarray(length), unpacked - length), numberAt(info, 4), values, isFlag)
}
