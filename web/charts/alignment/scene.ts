/**
 * Paints the stripe alignment of a run wherever it is shown: in the page's panel and in pictures of the command line.
 */
import { ALIGNMENT_CLASSES, type Alignment } from '../../engine/protocol'
import { onlyAlignment } from '../../state/hidden'
import { ALIGNMENT_NAMES } from '../shared/answers/names'
import type { LegendEntry } from '../shared/paint/legendEntry'
import { ALIGNMENT_TOKENS, type Palette } from '../shared/paint/palette'
import type { Surface } from '../shared/paint/surface'
import { drawPositions, drawShares } from './draw'

export const ALIGNMENT_LEGEND: readonly LegendEntry[] = ALIGNMENT_CLASSES.map((c, i) => ({
  label: ALIGNMENT_NAMES[c],
  token: ALIGNMENT_TOKENS[i] ?? 'ink',
  shape: c === 'straddles' ? 'hatch' : 'square',
  only: onlyAlignment(c),
}))

/** Most requests that begin in one bin of the stripe, of all runs; at least 1. */
export const mostStarts = (answers: readonly (Alignment | undefined)[]): number =>
  Math.max(
    1,
    ...answers.flatMap(a => (a === undefined ? [] : Array.from(a.startWrites, (n, i) => n + (a.startReads[i] ?? 0)))),
  )

export interface AlignmentPlace {
  readonly width: number
  readonly height: number
  readonly palette: Palette
}

export function paintShares(
  surface: Surface,
  { classes, n }: Alignment,
  { width, height, palette }: AlignmentPlace,
): void {
  const shares = ALIGNMENT_CLASSES.map((c, i) => ({
    requests: classes[c].requests,
    colour: palette(ALIGNMENT_TOKENS[i] ?? 'ink'),
    hatched: c === 'straddles',
  }))
  drawShares(surface, shares, n, width, height, palette('surface'))
}

/** `most` is the result of `mostStarts`. */
export function paintPositions(
  surface: Surface,
  answer: Alignment,
  most: number,
  { width, height, palette }: AlignmentPlace,
): void {
  drawPositions(surface, answer.startReads, answer.startWrites, {
    width,
    height,
    most,
    units: answer.geometry.dataDisks,
    read: palette('op-read'),
    write: palette('in-flight'),
    grid: palette('grid'),
  })
}
