/** Failed requests on the map: where and when they ended, drawn on top of everything. Pure. */
import type { FailureMarks, Query, Range } from '../../engine/protocol'
import { count, counted, sectorSize } from '../../lib/format'
import type { LegendEntry } from '../shared/legendEntry'
import type { Shown } from '../shared/shown'
import type { Surface } from '../shared/surface'
import type { Tip } from '../shared/tips'
import { xOf } from '../shared/viewport'
import { type AxisPart, inCells, yWithin } from './bands'
import { drawGlyph, GLYPH_REACH, type Glyph } from './zoneGlyphs'

/** A warning triangle: no symbol of a zone has its shape and colour. */
const FAILED: Glyph = {
  filled: [
    [
      [0, -1],
      [1, 0.8],
      [-1, 0.8],
    ],
  ],
}

/** Side of a cell with one mark, px: smaller ones would overlap. */
export const FAILURE_CELL = 6
/** Reach of the pointer, px. */
const REACH = 8
/** Errors that a sentence names. */
const MAX_ERRORS = 3

const errorOf = ({ errors }: FailureMarks, errno: number): string => errors[errno] ?? `error ${errno}`

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

export interface FailureColours {
  readonly mark: string
  readonly halo: string
}

export interface FailureScene {
  readonly range: Range
  readonly width: number
  readonly parts: readonly AxisPart[]
}

/** Place of a mark; without a sector (flushes) at the top. `undefined` where its sector is cut out of the axis. */
function placeOf(
  marks: FailureMarks,
  i: number,
  { range, width, parts }: FailureScene,
): { readonly x: number; readonly y: number } | undefined {
  const exact = xOf(range, width)(marks.at[i] ?? 0)
  if (exact < 0 || exact > width) return undefined
  // The last completion of a run is often at the edge, which would cut its mark in half.
  const x = Math.min(Math.max(exact, GLYPH_REACH), width - GLYPH_REACH)
  const [sector, sectors] = [marks.sector[i] ?? Number.NaN, marks.sectors[i] ?? 0]
  if (Number.isNaN(sector)) return { x, y: GLYPH_REACH }
  const part = parts.find(p => sector < p.lba1 && sector + sectors > p.lba0)
  if (part === undefined) return undefined
  const y = yWithin(part, Math.max(part.lba0, Math.min(part.lba1, sector + sectors / 2)))
  return { x, y: Math.min(Math.max(y, part.top + GLYPH_REACH), part.bottom - GLYPH_REACH) }
}

export function drawFailures(
  surface: Surface,
  marks: FailureMarks,
  scene: FailureScene,
  { mark, halo }: FailureColours,
): void {
  for (let i = 0; i < marks.at.length; i += 1) {
    const at = placeOf(marks, i, scene)
    if (at !== undefined) drawGlyph(surface, FAILED, at.x, at.y, mark, halo)
  }
}

/** The tip of the mark at a point: what failed, when, and why. */
export function failureTip(
  marks: FailureMarks | undefined,
  scene: FailureScene,
  x: number,
  y: number,
  { letter, moved }: Pick<Shown, 'letter' | 'moved'>,
): Tip | undefined {
  if (marks === undefined) return undefined
  let [best, away]: [number | undefined, number] = [undefined, REACH]
  for (let i = 0; i < marks.at.length; i += 1) {
    const at = placeOf(marks, i, scene)
    const distance = at === undefined ? REACH : Math.hypot(at.x - x, at.y - y)
    if (distance < away) [best, away] = [i, distance]
  }
  if (best === undefined) return undefined
  const [n, sectors] = [marks.count[best] ?? 1, marks.sectors[best] ?? 0]
  return {
    title: n === 1 ? 'failed request' : counted(n, 'failed request'),
    rows: [
      [letter, n === 1 ? 'completed' : 'first completed', `${(((marks.at[best] ?? 0) - moved) / 1e9).toFixed(6)} s`],
      ['', 'error', errorOf(marks, marks.errno[best] ?? 0)],
      ...(sectors > 0
        ? [
            ['', 'sector', count(marks.sector[best] ?? 0)],
            ['', 'size', sectorSize(sectors)],
          ]
        : []),
    ],
  }
}

/** A sentence about failed requests; starts with a space. Empty without any. */
export function failureWords(marks: FailureMarks | undefined): string {
  if (marks === undefined || marks.n === 0) return ''
  const errors = [...new Set(marks.errno)].slice(0, MAX_ERRORS).map(errno => errorOf(marks, errno))
  return ` ${counted(marks.n, 'request')} failed: ${errors.join(', ')}.`
}

/** Entries of the legend: how many failed in each run. */
export function failureEntries(
  marks: readonly (FailureMarks | undefined)[],
  letters: readonly string[],
): readonly LegendEntry[] {
  const counts = marks.map(of => of?.n ?? 0)
  if (counts.every(n => n === 0)) return []
  const numbers =
    counts.length === 1 ? count(counts[0] ?? 0) : counts.map((n, i) => `${letters[i]} ${count(n)}`).join(', ')
  return [{ label: `failed ${numbers}`, token: 'bad', shape: 'triangle' }]
}
