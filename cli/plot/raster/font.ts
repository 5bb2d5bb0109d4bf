/**
 * Outlines of letters for PNG: the tables of a TrueType font that are needed to draw text, in a WOFF file.
 *
 * WOFF: 44 bytes of header (number of tables at 12), then 20 bytes per table: tag, offset, length compressed,
 * length, checksum
 * head  18 units per em, 50 format of loca        hhea  4 ascender, 34 number of metrics        hmtx  4 bytes per
 * metric: advance, bearing
 * cmap  format 4: segments of code points         loca  where each glyph begins in glyf         glyf  contours of
 * quadratic curves
 */
import { inflateSync } from 'node:zlib'

/** A contour: points, of which some are on the curve. */
export interface OutlinePoint {
  readonly x: number
  readonly y: number
  readonly on: boolean
}

type Outline = readonly (readonly OutlinePoint[])[]

export interface Font {
  /** All lengths below are in these. */
  readonly unitsPerEm: number
  /** From the baseline to the top of a line. */
  readonly ascender: number
  /** A character that the font lacks is glyph 0, a box. */
  glyphOf(codePoint: number): number
  advance(glyph: number): number
  /** y upwards. */
  outline(glyph: number): Outline
}

const HEADER = 44
const ENTRY = 20

function tablesOf(file: Buffer): ReadonlyMap<string, Buffer> {
  const tables = new Map<string, Buffer>()
  for (let i = 0; i < file.readUInt16BE(12); i += 1) {
    const entry = HEADER + i * ENTRY
    const [offset, packed, length] = [
      file.readUInt32BE(entry + 4),
      file.readUInt32BE(entry + 8),
      file.readUInt32BE(entry + 12),
    ]
    const bytes = file.subarray(offset, offset + packed)
    tables.set(file.toString('latin1', entry, entry + 4), packed < length ? inflateSync(bytes) : bytes)
  }
  return tables
}

/** Glyphs by code point: the subtable for Unicode (platform 3, encoding 1), format 4. */
function charactersOf(cmap: Buffer): (codePoint: number) => number {
  let from = 0
  for (let i = 0; i < cmap.readUInt16BE(2); i += 1) {
    const entry = 4 + i * 8
    if (cmap.readUInt16BE(entry) === 3 && cmap.readUInt16BE(entry + 2) === 1) from = cmap.readUInt32BE(entry + 4)
  }
  const count = cmap.readUInt16BE(from + 6) / 2
  const [ends, begins] = [from + 14, from + 16 + count * 2]
  const [deltas, ranges] = [begins + count * 2, begins + count * 4]
  return codePoint => {
    for (let i = 0; i < count; i += 1) {
      if (codePoint > cmap.readUInt16BE(ends + i * 2)) continue
      const begin = cmap.readUInt16BE(begins + i * 2)
      if (codePoint < begin) return 0
      const [delta, range] = [cmap.readUInt16BE(deltas + i * 2), cmap.readUInt16BE(ranges + i * 2)]
      if (range === 0) return (codePoint + delta) & 0xffff
      const glyph = cmap.readUInt16BE(ranges + i * 2 + range + (codePoint - begin) * 2)
      return glyph === 0 ? 0 : (glyph + delta) & 0xffff
    }
    return 0
  }
}

/** Flags of points: on the curve, one byte of x or y, repeated, and the sign of that byte or "as before". */
const POINT = { on: 1, shortX: 2, shortY: 4, repeat: 8, sameX: 16, sameY: 32 } as const

function simpleOutline(glyf: Buffer, start: number, contours: number): Outline {
  let offset = start + 10
  const ends = Array.from({ length: contours }, (_, i) => glyf.readUInt16BE(offset + i * 2))
  offset += contours * 2
  offset += 2 + glyf.readUInt16BE(offset)
  const n = (ends.at(-1) ?? -1) + 1
  const flags: number[] = []
  while (flags.length < n) {
    const flag = glyf.readUInt8(offset++)
    const times = flag & POINT.repeat ? glyf.readUInt8(offset++) : 0
    for (let i = 0; i <= times; i += 1) flags.push(flag)
  }
  const coordinates = (short: number, same: number): number[] => {
    let value = 0
    return flags.map(flag => {
      if (flag & short) value += (flag & same ? 1 : -1) * glyf.readUInt8(offset++)
      else if (!(flag & same)) {
        value += glyf.readInt16BE(offset)
        offset += 2
      }
      return value
    })
  }
  const xs = coordinates(POINT.shortX, POINT.sameX)
  const ys = coordinates(POINT.shortY, POINT.sameY)
  return ends.map((end, c) => {
    const first = c === 0 ? 0 : (ends[c - 1] ?? 0) + 1
    return Array.from({ length: end - first + 1 }, (_, i) => ({
      x: xs[first + i] ?? 0,
      y: ys[first + i] ?? 0,
      on: ((flags[first + i] ?? 0) & POINT.on) !== 0,
    }))
  })
}

/**
 * Flags of a part of a composed glyph: arguments of two bytes, arguments are offsets, more parts, and how it is scaled.
 */
const PART = { words: 1, offsets: 2, scale: 8, more: 32, scales: 64, matrix: 128 } as const

/** Composed glyphs of this font only move their parts; deeper ones than this are damaged. */
const DEEPEST = 4

export function readFont(file: Buffer): Font {
  const tables = tablesOf(file)
  const table = (name: string): Buffer => {
    const found = tables.get(name)
    if (!found) throw new Error(`the font has no table ${name}`)
    return found
  }
  const [head, hhea, hmtx, loca, glyf] = [table('head'), table('hhea'), table('hmtx'), table('loca'), table('glyf')]
  const long = head.readInt16BE(50) === 1
  const metrics = hhea.readUInt16BE(34)
  const place = (glyph: number): number => (long ? loca.readUInt32BE(glyph * 4) : loca.readUInt16BE(glyph * 2) * 2)
  const outline = (glyph: number, depth = 0): Outline => {
    const start = place(glyph)
    if (start === place(glyph + 1) || depth > DEEPEST) return []
    const contours = glyf.readInt16BE(start)
    if (contours >= 0) return simpleOutline(glyf, start, contours)
    const parts: Outline[] = []
    let offset = start + 10
    let flags: number = PART.more
    while (flags & PART.more) {
      flags = glyf.readUInt16BE(offset)
      const part = outline(glyf.readUInt16BE(offset + 2), depth + 1)
      offset += 4
      const wide = flags & PART.words
      const [dx, dy] = wide
        ? [glyf.readInt16BE(offset), glyf.readInt16BE(offset + 2)]
        : [glyf.readInt8(offset), glyf.readInt8(offset + 1)]
      offset += wide ? 4 : 2
      offset += flags & PART.scale ? 2 : flags & PART.scales ? 4 : flags & PART.matrix ? 8 : 0
      const moves = flags & PART.offsets
      parts.push(
        part.map(contour => contour.map(({ x, y, on }) => ({ x: x + (moves ? dx : 0), y: y + (moves ? dy : 0), on }))),
      )
    }
    return parts.flat()
  }
  return {
    unitsPerEm: head.readUInt16BE(18),
    ascender: hhea.readInt16BE(4),
    glyphOf: charactersOf(table('cmap')),
    advance: glyph => hmtx.readUInt16BE(Math.min(glyph, metrics - 1) * 4),
    outline: glyph => outline(glyph),
  }
}
