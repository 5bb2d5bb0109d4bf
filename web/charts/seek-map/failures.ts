/** Failed requests on the map: where and when they ended. Pure. */
import type { FailureMarks, Query, Range } from '../../engine/protocol'
import type { Shown } from '../shared/answers/shown'
import type { Tip } from '../shared/frame/tips'
import {
  drawFailureMarks,
  FAILURE_CELL,
  failureAt,
  failureTip,
  insideEdge,
  type PlaceFailure,
} from '../shared/paint/failures'
import { GLYPH_REACH } from '../shared/paint/glyph'
import type { Palette } from '../shared/paint/palette'
import type { Surface } from '../shared/paint/surface'
import { xOf } from '../shared/paint/viewport'
import { type AxisPart, inCells, yWithin } from './axis/bands'

/** The query for a map of this size, px. */
export const failuresAsk = (
  { filter }: Pick<Shown, 'filter'>,
  range: Range,
  parts: readonly AxisPart[],
  width: number,
  height: number,
): Query<'failures'> => ({
  filter,
  range,
  bands: inCells(parts, FAILURE_CELL),
  w: Math.max(1, Math.round(width / FAILURE_CELL)),
  h: Math.max(1, Math.ceil(height / FAILURE_CELL)),
})

export interface FailureScene {
  readonly range: Range
  readonly width: number
  readonly parts: readonly AxisPart[]
}

/** Marks without a sector (flushes) are at the top; those whose sector is cut out of the axis are nowhere. */
const places =
  (marks: FailureMarks, { range, width, parts }: FailureScene): PlaceFailure =>
  i => {
    const exact = xOf(range, width)(marks.at[i] ?? 0)
    if (exact < 0 || exact > width) return undefined
    const x = insideEdge(exact, 0, width)
    const [sector, sectors] = [marks.sector[i] ?? Number.NaN, marks.sectors[i] ?? 0]
    if (Number.isNaN(sector)) return { x, y: GLYPH_REACH }
    const part = parts.find(p => sector < p.lba1 && sector + sectors > p.lba0)
    if (part === undefined) return undefined
    const y = yWithin(part, Math.max(part.lba0, Math.min(part.lba1, sector + sectors / 2)))
    return { x, y: insideEdge(y, part.top, part.bottom) }
  }

export const drawFailures = (surface: Surface, marks: FailureMarks, scene: FailureScene, palette: Palette): void =>
  drawFailureMarks(surface, marks.at.length, places(marks, scene), palette)

/** The tip of the mark at a point. */
export function mapFailureTip(
  marks: FailureMarks | undefined,
  scene: FailureScene,
  x: number,
  y: number,
  run: Pick<Shown, 'letter' | 'moved'>,
): Tip | undefined {
  const i = marks && failureAt(marks.at.length, places(marks, scene), x, y)
  return marks && i !== undefined ? failureTip(marks, i, run, 'completed') : undefined
}
