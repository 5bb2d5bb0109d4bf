/**
 * Walks over structures of Thrift's compact protocol, in which Parquet keeps its footer and its page headers, before
 * a reader believes what they say: a list may not have more elements than bytes are left, and nothing is nested
 * deeper than Parquet's own structures.
 */

/** Compact types: the low half of the byte before a field or an element. */
const TYPE = {
  stop: 0,
  yes: 1,
  no: 2,
  byte: 3,
  i16: 4,
  i32: 5,
  i64: 6,
  double: 7,
  binary: 8,
  list: 9,
  set: 10,
  map: 11,
  struct: 12,
} as const

const DEEPEST = 16

export interface ThriftPlace {
  readonly bytes: Uint8Array
  offset: number
}

export class ThriftError extends Error {}

function varint(place: ThriftPlace): number {
  let [value, factor] = [0, 1]
  for (let i = 0; i < 10; i++) {
    const byte = place.bytes[place.offset++]
    if (byte === undefined) throw new ThriftError('it ends within a number')
    value += (byte & 127) * factor
    if (byte < 128) return value
    factor *= 128
  }
  throw new ThriftError('a number has more than 64 bits')
}

const zigzag = (n: number): number => (n % 2 === 0 ? n / 2 : -(n + 1) / 2)

function skip(place: ThriftPlace, bytes: number) {
  if (!(bytes <= place.bytes.length - place.offset)) throw new ThriftError('it ends too early')
  place.offset += bytes
}

/** Numbers of a structure and of those in it, by field; what else it has is walked over. */
export type ThriftNumbers = ReadonlyMap<number, number | ThriftNumbers>

function value(place: ThriftPlace, type: number, depth: number): number | ThriftNumbers | undefined {
  switch (type) {
    case TYPE.yes:
    case TYPE.no:
      return undefined
    case TYPE.byte:
      return skip(place, 1) as undefined
    case TYPE.i16:
    case TYPE.i32:
    case TYPE.i64:
      return zigzag(varint(place))
    case TYPE.double:
      return skip(place, 8) as undefined
    case TYPE.binary:
      return skip(place, varint(place)) as undefined
    case TYPE.list:
    case TYPE.set:
      return list(place, depth) as undefined
    case TYPE.struct:
      return walkStruct(place, depth + 1)
    default:
      throw new ThriftError('a field has an unknown type')
  }
}

function list(place: ThriftPlace, depth: number) {
  const head = place.bytes[place.offset++] ?? 0
  const n = head >> 4 === 15 ? varint(place) : head >> 4
  const type = head & 15
  if (n > place.bytes.length - place.offset) throw new ThriftError('a list has more elements than bytes')
  // Booleans take a byte each in a list, but some readers take none: Parquet has no such list.
  if (type === TYPE.yes || type === TYPE.no) throw new ThriftError('a list of flags')
  for (let i = 0; i < n; i++) value(place, type, depth + 1)
}

/** Walks over a structure. Throws ThriftError; afterwards `place` is behind it. */
export function walkStruct(place: ThriftPlace, depth = 0): ThriftNumbers {
  if (depth > DEEPEST) throw new ThriftError('nested too deeply')
  const numbers = new Map<number, number | ThriftNumbers>()
  let field = 0
  for (;;) {
    const head = place.bytes[place.offset++]
    if (head === undefined) throw new ThriftError('it ends too early')
    const type = head & 15
    if (type === TYPE.stop) return numbers
    field = head >> 4 === 0 ? zigzag(varint(place)) : field + (head >> 4)
    const found = value(place, type, depth)
    if (found !== undefined) numbers.set(field, found)
  }
}
