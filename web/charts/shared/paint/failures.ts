/** Marks of failed requests, drawn on top of everything: their symbol, tip, words and legend. Pure. */
import type { FailureMarks } from '../../../engine/protocol'
import { count, counted, seconds, sectorSize } from '../../../lib/format'
import type { Shown } from '../answers/shown'
import type { Tip } from '../frame/tips'
import { drawGlyph, GLYPH_REACH, type Glyph, type GlyphLine } from './glyph'
import type { LegendEntry } from './legendEntry'
import type { Palette } from './palette'
import type { Surface } from './surface'

const TRIANGLE: GlyphLine = [
  [0, -1],
  [1, 0.8],
  [-1, 0.8],
]
/** A warning triangle: no symbol of a zone has its shape and colour. Hollow where the axis has no value of it. */
const FILLED: Glyph = { filled: [TRIANGLE] }
const HOLLOW: Glyph = { hollow: [TRIANGLE] }

/** Side of a cell with one mark, px: smaller ones would overlap. */
export const FAILURE_CELL = 6
/** Reach of the pointer, px. */
const REACH = 8
/** Number of errors that a sentence names. */
const MAX_ERRORS = 3
const TOKEN = 'bad'

interface FailurePlace {
  readonly x: number
  readonly y: number
  readonly hollow?: boolean
}

/** Place of a mark; `undefined`: it is not on the axes. */
export type PlaceFailure = (i: number) => FailurePlace | undefined

/** The last mark of a run is often at the edge, which would cut it in half. */
export const insideEdge = (position: number, from: number, to: number): number =>
  Math.min(Math.max(position, from + GLYPH_REACH), to - GLYPH_REACH)

const errorOf = ({ errors }: FailureMarks, errno: number): string => errors[errno] ?? `error ${errno}`

export function drawFailureMarks(surface: Surface, n: number, place: PlaceFailure, palette: Palette): void {
  const [mark, halo] = [palette(TOKEN), palette('surface')]
  for (let i = 0; i < n; i += 1) {
    const position = place(i)
    if (position !== undefined)
      drawGlyph(surface, position.hollow ? HOLLOW : FILLED, position.x, position.y, mark, halo)
  }
}

/** The mark at a point. */
export function failureAt(n: number, place: PlaceFailure, x: number, y: number): number | undefined {
  let [best, distance]: [number | undefined, number] = [undefined, REACH]
  for (let i = 0; i < n; i += 1) {
    const position = place(i)
    const away = position === undefined ? REACH : Math.hypot(position.x - x, position.y - y)
    if (away < distance) [best, distance] = [i, away]
  }
  return best
}

const FAILED_REQUEST = 'failed request'

/** What failed, when (`event`: what happened at the time of the mark) and why; `more` follows the time. */
export function failureTip(
  marks: FailureMarks,
  i: number,
  { letter, moved }: Pick<Shown, 'letter' | 'moved'>,
  event: string,
  more: readonly (readonly string[])[] = [],
): Tip {
  const [n, sectors] = [marks.count[i] ?? 1, marks.sectors[i] ?? 0]
  return {
    title: n === 1 ? FAILED_REQUEST : counted(n, FAILED_REQUEST),
    rows: [
      [letter, n === 1 ? event : `first ${event}`, `${seconds((marks.at[i] ?? 0) - moved, 6)} s`],
      ...more,
      ['', 'error', errorOf(marks, marks.errno[i] ?? 0)],
      ...(sectors > 0
        ? [
            ['', 'sector', count(marks.sector[i] ?? 0)],
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

/** An entry of the legend with a number per run; none where all are 0. */
export function countEntries(
  label: string,
  counts: readonly number[],
  letters: readonly string[],
  shape: NonNullable<LegendEntry['shape']>,
): readonly LegendEntry[] {
  if (counts.every(n => n === 0)) return []
  const numbers =
    counts.length === 1 ? count(counts[0] ?? 0) : counts.map((n, i) => `${letters[i]} ${count(n)}`).join(', ')
  return [{ label: `${label} ${numbers}`, token: TOKEN, shape }]
}

/** Entries of the legend: how many failed in each run. */
export const failureEntries = (
  marks: readonly (FailureMarks | undefined)[],
  letters: readonly string[],
): readonly LegendEntry[] =>
  countEntries(
    'failed',
    marks.map(mark => mark?.n ?? 0),
    letters,
    'triangle',
  )
