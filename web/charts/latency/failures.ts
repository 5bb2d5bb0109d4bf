/** Failed requests in the chart of latency: at their issue and latency, as the cells that count them. Pure. */
import type { FailureMarks, Query } from '../../engine/protocol'
import { counted, duration } from '../../lib/format'
import { ns } from '../../lib/units'
import type { Shown, StableView } from '../shared/answers/shown'
import type { Tip } from '../shared/frame/tips'
import {
  countEntries,
  drawFailureMarks,
  failureAt,
  failureEntries,
  failureTip,
  failureWords,
  insideEdge,
  type PlaceFailure,
} from '../shared/paint/failures'
import { GLYPH_REACH } from '../shared/paint/glyph'
import type { LegendEntry } from '../shared/paint/legendEntry'
import type { Surface } from '../shared/paint/surface'
import { logY } from '../shared/paint/ticks'
import { xOf } from '../shared/paint/viewport'
import { type AxisSpan, type HeatPlace, STAGE_NAMES } from './scale'

type LatencyView = Pick<StableView, 'range' | 'stage'>

/** The query for a chart with room for so many marks. */
export const latencyFailuresAsk = (
  { filter }: Pick<Shown, 'filter'>,
  { range, stage }: LatencyView,
  span: AxisSpan,
  { w, h }: { readonly w: number; readonly h: number },
): Query<'failures'> => ({
  filter,
  range,
  latency: { stage, low: ns(span.low), high: ns(span.high) },
  w,
  h,
})

type LatencyScene = Pick<HeatPlace, 'range' | 'width' | 'height' | 'span'>

/** A mark without the stage is hollow and at the foot: nothing is known of its latency. */
const places =
  (marks: FailureMarks, { range, width, height, span }: LatencyScene): PlaceFailure =>
  i => {
    const exact = xOf(range, width)(marks.at[i] ?? 0)
    if (exact < 0 || exact > width) return undefined
    const x = insideEdge(exact, 0, width)
    const took = marks.took[i] ?? Number.NaN
    if (Number.isNaN(took)) return { x, y: height - GLYPH_REACH, hollow: true }
    return { x, y: insideEdge(logY(span.low, span.high, height)(took), 0, height) }
  }

export const drawLatencyFailures = (surface: Surface, marks: FailureMarks, place: HeatPlace): void =>
  drawFailureMarks(surface, marks.at.length, places(marks, place), place.palette)

/** The tip of the mark at a point. */
export function latencyFailureTip(
  marks: FailureMarks | undefined,
  scene: LatencyScene,
  stage: StableView['stage'],
  x: number,
  y: number,
  run: Pick<Shown, 'letter' | 'moved'>,
): Tip | undefined {
  const i = marks && failureAt(marks.at.length, places(marks, scene), x, y)
  if (marks === undefined || i === undefined) return undefined
  const took = marks.took[i] ?? Number.NaN
  return Number.isNaN(took)
    ? failureTip(marks, i, run, 'completed', [['', STAGE_NAMES[stage], 'none']])
    : failureTip(marks, i, run, 'issued', [['', STAGE_NAMES[stage], duration(took)]])
}

/** Failures of marks that lack the stage. */
const withoutStage = (marks: FailureMarks | undefined): number =>
  marks === undefined ? 0 : marks.count.reduce((sum, n, i) => (Number.isNaN(marks.took[i] ?? 0) ? sum + n : sum), 0)

export const latencyFailureEntries = (
  marks: readonly (FailureMarks | undefined)[],
  letters: readonly string[],
  stage: StableView['stage'],
): readonly LegendEntry[] => [
  ...failureEntries(marks, letters),
  ...countEntries(`of them without ${STAGE_NAMES[stage]}`, marks.map(withoutStage), letters, 'hollow-triangle'),
]

/** A sentence about failed requests; starts with a space. Empty without any. */
export function latencyFailureWords(marks: FailureMarks | undefined, stage: StableView['stage']): string {
  const lacking = withoutStage(marks)
  const rest = lacking === 0 ? '' : ` ${counted(lacking, 'of them has', 'of them have')} no ${STAGE_NAMES[stage]}.`
  return failureWords(marks) + rest
}
