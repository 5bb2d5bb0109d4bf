/**
 * Pixels as a PNG file: signature, then chunks of length, type, data and CRC: IHDR, IDAT (rows, each with its filter,
 * deflated), IEND.
 */
import { crc32, deflateSync } from 'node:zlib'

/** Red, green, blue and opacity per pixel, row by row. */
export interface PixelImage {
  readonly w: number
  readonly h: number
  readonly data: Uint8ClampedArray | Uint8Array
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
/** 8 bits per channel, red, green, blue and opacity. */
const DEPTH = 8
const RGBA = 6
/** Each byte less the one above: rows of charts repeat. */
const UP = 2

function chunk(type: string, data: Uint8Array): Buffer {
  const out = Buffer.alloc(12 + data.length)
  out.writeUInt32BE(data.length, 0)
  out.write(type, 4, 'latin1')
  out.set(data, 8)
  out.writeUInt32BE(crc32(out.subarray(4, 8 + data.length)), 8 + data.length)
  return out
}

export function encodePng({ w, h, data }: PixelImage): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(w, 0)
  header.writeUInt32BE(h, 4)
  header.set([DEPTH, RGBA, 0, 0, 0], 8)
  const stride = w * 4
  const rows = Buffer.alloc((stride + 1) * h)
  for (let y = 0; y < h; y += 1) {
    const offset = y * (stride + 1)
    rows[offset] = UP
    for (let i = 0; i < stride; i += 1)
      rows[offset + 1 + i] = ((data[y * stride + i] ?? 0) - (y > 0 ? (data[(y - 1) * stride + i] ?? 0) : 0)) & 0xff
  }
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', new Uint8Array()),
  ])
}
