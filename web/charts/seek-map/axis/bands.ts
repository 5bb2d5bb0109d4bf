/** The LBA axis with gaps cut out: the parts of the disk with requests, the same for all runs. */
import type { Band } from '../../../engine/protocol'
import { type Sector, sector } from '../../../lib/units'

/**
 * One part of the axis. `top..bottom` is its ground, `y0..y1` (inside it) the rows that sectors map to; px from the
 * plot's top.
 */
export interface AxisPart extends Band {
  readonly top: number
  readonly bottom: number
}

type SectorSpan = readonly [number, number]

/** Height of the cut between two parts, which has the colour of the page, px. */
const CUT = 8
/** Free rows above and below the marks of a part, px. */
const PAD = 3
/** No part is lower than this, px. */
const MIN_PART_HEIGHT = 22
export const MAX_PARTS = 6
/** Parts closer than this share of the LBA range are joined. */
export const GAP_SHARE = 0.02

const gapBefore = (spans: readonly SectorSpan[], i: number): number => (spans[i]?.[0] ?? 0) - (spans[i - 1]?.[1] ?? 0)

/** Ascending, with overlapping and near neighbours joined, and at most `most` of them: the smallest gaps go first. */
export function unionOf(
  lists: readonly (readonly SectorSpan[])[],
  gapShare = GAP_SHARE,
  most = MAX_PARTS,
): SectorSpan[] {
  const all = lists.flat().sort((a, b) => a[0] - b[0])
  const first = all[0]
  if (first === undefined) return []
  const whole = Math.max(...all.map(s => s[1])) - first[0]
  const joined: [number, number][] = []
  for (const [low, high] of all) {
    const last = joined.at(-1)
    if (last !== undefined && low - last[1] <= whole * gapShare) last[1] = Math.max(last[1], high)
    else joined.push([low, high])
  }
  while (joined.length > most) {
    let least = 1
    for (let i = 2; i < joined.length; i += 1) if (gapBefore(joined, i) < gapBefore(joined, least)) least = i
    const [gone] = joined.splice(least, 1)
    const previous = joined[least - 1]
    if (gone !== undefined && previous !== undefined) previous[1] = Math.max(previous[1], gone[1])
  }
  return joined
}

/** Heights in proportion to the sectors, with a minimum; the highest sectors on top. */
export function layOut(spans: readonly SectorSpan[], height: number): readonly AxisPart[] {
  const room = height - CUT * (spans.length - 1)
  const least = Math.min(MIN_PART_HEIGHT, room / Math.max(1, spans.length))
  const sizes = spans.map(([low, high]) => Math.max(1, high - low))
  const total = sizes.reduce((a, b) => a + b, 0)
  const small = sizes.map(size => (size / total) * room < least)
  const left = room - least * small.filter(Boolean).length
  const large = sizes.reduce((sum, size, i) => (small[i] ? sum : sum + size), 0)
  const parts: AxisPart[] = []
  let bottom = height
  spans.forEach(([low, high], i) => {
    const size = sizes[i] ?? 1
    const tall = small[i] ? least : large > 0 ? (size / large) * left : room / spans.length
    const top = i === spans.length - 1 ? 0 : Math.max(0, Math.round(bottom - tall))
    parts.push({
      lba0: sector(low),
      lba1: sector(Math.max(high, low + 1)),
      y0: top + PAD,
      y1: Math.max(top + PAD + 1, bottom - PAD),
      top,
      bottom,
    })
    bottom = top - CUT
  })
  return parts
}

/** y of any sector on the scale of one part. */
export function yWithin(part: Band, lba: number): number {
  return part.y1 - ((lba - part.lba0) / (part.lba1 - part.lba0)) * (part.y1 - part.y0)
}

/** The part at a y, and the sector there, kept inside the part. */
export function lbaAt(
  parts: readonly AxisPart[],
  y: number,
): { readonly part: AxisPart; readonly lba: Sector } | undefined {
  let nearest: AxisPart | undefined
  let away = Number.POSITIVE_INFINITY
  for (const part of parts) {
    const distance = y < part.top ? part.top - y : y > part.bottom ? y - part.bottom : 0
    if (distance < away) [nearest, away] = [part, distance]
  }
  if (nearest === undefined) return undefined
  const share = Math.min(1, Math.max(0, (nearest.y1 - y) / (nearest.y1 - nearest.y0)))
  return { part: nearest, lba: sector(Math.round(nearest.lba0 + share * (nearest.lba1 - nearest.lba0))) }
}

/** y of a sector; undefined where the axis is cut or zoomed elsewhere. */
export function sectorY(parts: readonly AxisPart[], lba: number): number | undefined {
  const part = parts.find(({ lba0, lba1 }) => lba >= lba0 && lba < lba1)
  return part && yWithin(part, lba)
}

/** Sectors per px of a part. */
export const sectorsPerPx = (part: Band): number => (part.lba1 - part.lba0) / (part.y1 - part.y0)

/** The parts in rows of `cell` px, as the engine is asked for them: each has one row at least. */
export const inCells = (parts: readonly AxisPart[], cell: number): readonly Band[] =>
  parts.map(({ lba0, lba1, y0, y1 }) => {
    const first = Math.round(y0 / cell)
    return { lba0, lba1, y0: first, y1: Math.max(first + 1, Math.round(y1 / cell)) }
  })

/** Bands in rows of `cell` px back in px. */
export const inPixels = (bands: readonly Band[], cell: number): readonly Band[] =>
  bands.map(b => ({ ...b, y0: b.y0 * cell, y1: b.y1 * cell }))
