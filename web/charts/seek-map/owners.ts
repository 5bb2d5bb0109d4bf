/** Who owns the sectors beside a map that is coloured by objects: one colour per row of pixels. Pure. */
import type { Grid, Marks, Query } from '../../engine/protocol'
import { OBJECT_TOKENS } from '../shared/paint/palette'
import type { AxisStrip } from '../shared/spec'
import { type AxisPart, inPixels, yWithin } from './axis/bands'
import { CELL } from './scene'

/** Rows of one class, px from the top. */
export interface OwnedRows {
  readonly top: number
  readonly bottom: number
  readonly cls: number
}

type MapReply = { readonly answer?: Marks | Grid; readonly ask?: Query<'seekMap'> }

/** Calls `add` for each row that a request touches, with the class of the request and its number of requests. */
function eachRow({ answer, ask }: MapReply, parts: readonly AxisPart[], add: Add): void {
  if (answer?.kind === 'marks')
    for (let i = 0; i < answer.n; i += 1) {
      const [lba, sectors] = [answer.lba[i] ?? 0, answer.sectors[i] ?? 0]
      const part = sectors === 0 ? undefined : parts.find(p => lba < p.lba1 && lba + sectors > p.lba0)
      if (part === undefined) continue
      const [low, high] = [Math.max(lba, part.lba0), Math.min(lba + sectors, part.lba1)]
      add(yWithin(part, high), Math.max(yWithin(part, low), yWithin(part, high) + 1), answer.cls[i] ?? 0, 1)
    }
  if (answer?.kind !== 'grid' || ask === undefined) return
  for (const band of inPixels(ask.bands, CELL))
    for (let y = band.y0 / CELL; y < band.y1 / CELL; y += 1)
      for (let x = 0; x < answer.w; x += 1) {
        const n = answer.counts[x * answer.h + y] ?? 0
        if (n > 0) add(y * CELL, (y + 1) * CELL, answer.cls[x * answer.h + y] ?? 0, n)
      }
}
type Add = (top: number, bottom: number, cls: number, n: number) => void

/** The owner of each row that requests touch: of several, the one with the most requests. */
export function ownedRows(reply: MapReply, parts: readonly AxisPart[], height: number): readonly OwnedRows[] {
  const counts = Array.from({ length: Math.ceil(height) }, (): Map<number, number> => new Map())
  eachRow(reply, parts, (top, bottom, cls, n) => {
    for (let y = Math.max(0, Math.floor(top)); y < Math.min(height, Math.ceil(bottom)); y += 1)
      counts[y]?.set(cls, (counts[y]?.get(cls) ?? 0) + n)
  })
  const rows: { top: number; bottom: number; cls: number }[] = []
  counts.forEach((classes, y) => {
    const [most] = [...classes].toSorted(([, a], [, b]) => b - a)
    if (most === undefined) return
    const last = rows.at(-1)
    if (last?.cls === most[0] && last.bottom === y) last.bottom = y + 1
    else rows.push({ top: y, bottom: y + 1, cls: most[0] })
  })
  return rows
}

/** The strip of a run, with the parts of the axis as its ground. */
export const ownerStrip = (reply: MapReply, parts: readonly AxisPart[], height: number): AxisStrip => ({
  ground: parts,
  rows: ownedRows(reply, parts, height).map(({ top, bottom, cls }) => ({
    ...{ top, bottom },
    token: OBJECT_TOKENS[cls] ?? 'ob-none',
  })),
})
