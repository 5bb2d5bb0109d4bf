/**
 * DELTA_BINARY_PACKED of Parquet: blocks of 128 differences, each in four miniblocks of 32 with a width of their
 * own. All in plain numbers, exact below 2^51: with BigInt a million requests take ten seconds.
 */
import { ByteWriter } from 'hyparquet-writer'

const BLOCK = 128
const MINI = 32
/** Bits that are written at once: with 7 pending ones they fit a 32-bit integer. */
const PIECE = 24
/** Differences of differences of greater values are not exact. */
export const EXACT = 2 ** 51

/** A varint of a number beyond 32 bits. */
function varint(out: ByteWriter, value: number): void {
  let rest = value
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) out.appendUint8((rest % 0x80) + 0x80)
  out.appendUint8(rest)
}

const zigzag = (out: ByteWriter, value: number): void => varint(out, value < 0 ? -value * 2 - 1 : value * 2)

const widthOf = (most: number): number =>
  most < 2 ** 32 ? 32 - Math.clz32(most) : 64 - Math.clz32(Math.floor(most / 2 ** 32))

/** 32 values of `width` bits each: 4 bytes per bit. */
function pack(values: Float64Array, from: number, width: number): Uint8Array {
  const bytes = new Uint8Array(width * 4)
  let [at, pending, bits] = [0, 0, 0]
  for (let i = from; i < from + MINI; i += 1) {
    let value = values[i] as number
    for (let left = width; left > 0; left -= PIECE) {
      const low = left > PIECE ? value % 2 ** PIECE : value
      pending |= low << bits
      bits += Math.min(left, PIECE)
      for (; bits >= 8; bits -= 8) {
        bytes[at++] = pending & 0xff
        pending >>>= 8
      }
      value = (value - low) / 2 ** PIECE
    }
  }
  return bytes
}

/** The first `n` of the values: integers of at most EXACT in size. */
export function deltaPacked(values: Float64Array, n: number): Uint8Array {
  const out = new ByteWriter(1024 + n * 3)
  varint(out, BLOCK)
  varint(out, BLOCK / MINI)
  varint(out, n)
  zigzag(out, n === 0 ? 0 : (values[0] as number))
  const deltas = new Float64Array(BLOCK)
  const widths = new Uint8Array(BLOCK / MINI)
  for (let from = 1; from < n; from += BLOCK) {
    const size = Math.min(BLOCK, n - from)
    let least = Number.POSITIVE_INFINITY
    for (let i = 0; i < size; i += 1) {
      const delta = (values[from + i] as number) - (values[from + i - 1] as number)
      deltas[i] = delta
      if (delta < least) least = delta
    }
    // A block that is not full is filled with zeros, which readers skip.
    for (let i = 0; i < BLOCK; i += 1) deltas[i] = i < size ? (deltas[i] as number) - least : 0
    for (let mini = 0; mini < widths.length; mini += 1) {
      let most = 0
      for (let i = mini * MINI; i < (mini + 1) * MINI; i += 1)
        if ((deltas[i] as number) > most) most = deltas[i] as number
      widths[mini] = widthOf(most)
    }
    zigzag(out, least)
    out.appendBytes(widths)
    widths.forEach((width, mini) => {
      if (width > 0) out.appendBytes(pack(deltas, mini * MINI, width))
    })
  }
  return out.getBytes()
}
