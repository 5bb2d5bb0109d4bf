/**
 * DELTA_BINARY_PACKED of Parquet: blocks of 128 differences, each in four miniblocks of 32 with a width of their
 * own. All in plain numbers, exact below 2^51: with BigInt a million requests take ten seconds.
 */
import { ByteWriter } from 'hyparquet-writer'

const BLOCK = 128
const MINIBLOCK = 32
/** Number of bits written at once: together with 7 pending bits they fit into a 32-bit integer. */
const MAX_BITS_AT_ONCE = 24
/** Limit of values: beyond it, differences of differences are not exact in a double. */
export const MAX_EXACT = 2 ** 51

/** Writes an unsigned varint; the value may have more than 32 bits. */
function writeVarint(writer: ByteWriter, value: number): void {
  let rest = value
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) writer.appendUint8((rest % 0x80) + 0x80)
  writer.appendUint8(rest)
}

const writeZigzag = (writer: ByteWriter, value: number): void =>
  writeVarint(writer, value < 0 ? -value * 2 - 1 : value * 2)

const widthOf = (max: number): number =>
  max < 2 ** 32 ? 32 - Math.clz32(max) : 64 - Math.clz32(Math.floor(max / 2 ** 32))

/** 32 values of `width` bits each: 4 bytes per bit. */
function pack(values: Float64Array, from: number, width: number): Uint8Array {
  const bytes = new Uint8Array(width * 4)
  let [index, pending, bits] = [0, 0, 0]
  for (let i = from; i < from + MINIBLOCK; i += 1) {
    let value = values[i] as number
    for (let left = width; left > 0; left -= MAX_BITS_AT_ONCE) {
      const low = left > MAX_BITS_AT_ONCE ? value % 2 ** MAX_BITS_AT_ONCE : value
      pending |= low << bits
      bits += Math.min(left, MAX_BITS_AT_ONCE)
      for (; bits >= 8; bits -= 8) {
        bytes[index++] = pending & 0xff
        pending >>>= 8
      }
      value = (value - low) / 2 ** MAX_BITS_AT_ONCE
    }
  }
  return bytes
}

/** Encodes the first `n` values: integers of at most `MAX_EXACT` in size. */
export function deltaPacked(values: Float64Array, n: number): Uint8Array {
  const writer = new ByteWriter(1024 + n * 3)
  writeVarint(writer, BLOCK)
  writeVarint(writer, BLOCK / MINIBLOCK)
  writeVarint(writer, n)
  writeZigzag(writer, n === 0 ? 0 : (values[0] as number))
  const deltas = new Float64Array(BLOCK)
  const widths = new Uint8Array(BLOCK / MINIBLOCK)
  for (let from = 1; from < n; from += BLOCK) {
    const size = Math.min(BLOCK, n - from)
    let min = Number.POSITIVE_INFINITY
    for (let i = 0; i < size; i += 1) {
      const delta = (values[from + i] as number) - (values[from + i - 1] as number)
      deltas[i] = delta
      if (delta < min) min = delta
    }
    // An incomplete block is filled with zeros, which readers skip.
    for (let i = 0; i < BLOCK; i += 1) deltas[i] = i < size ? (deltas[i] as number) - min : 0
    for (let mini = 0; mini < widths.length; mini += 1) {
      let max = 0
      for (let i = mini * MINIBLOCK; i < (mini + 1) * MINIBLOCK; i += 1)
        if ((deltas[i] as number) > max) max = deltas[i] as number
      widths[mini] = widthOf(max)
    }
    writeZigzag(writer, min)
    writer.appendBytes(widths)
    widths.forEach((width, mini) => {
      if (width > 0) writer.appendBytes(pack(deltas, mini * MINIBLOCK, width))
    })
  }
  return writer.getBytes()
}
