/** The painting of one run's heat map. Pure. */
import type { Distribution, FailureMarks, Query, QueryAnswer } from '../../engine/protocol'
import { DENSITY_TOKENS } from '../shared/paint/palette'
import type { Surface } from '../shared/paint/surface'
import { logY } from '../shared/paint/ticks'
import { drawHeat } from './draw'
import { drawLatencyFailures } from './failures'
import type { HeatPlace } from './scale'

/** Side of a cell, px. */
export const CELL = 4

export interface HeatPicture {
  readonly answer: QueryAnswer<'latencyGrid'>
  readonly ask: Query<'latencyGrid'>
  /** Largest cell of all runs. */
  readonly max: number
  readonly distribution: Distribution | undefined
  readonly failures: FailureMarks | undefined
}

export function paintHeat(
  surface: Surface,
  { answer, ask, max, distribution, failures }: HeatPicture,
  place: HeatPlace,
): void {
  const { run, range, width, height, span, palette } = place
  drawHeat(
    surface,
    { range: ask.range, low: ask.low, high: ask.high, w: answer.w, h: answer.h, counts: answer.counts },
    {
      range,
      width,
      height,
      end: run.end,
      y: logY(span.low, span.high, height),
      max,
      steps: DENSITY_TOKENS.map(palette),
      levels: distribution === undefined || distribution.n === 0 ? [] : [distribution.p50, distribution.p99],
      tail: distribution?.p99 ?? Number.POSITIVE_INFINITY,
      mark: palette('density-4'),
      line: palette('ink'),
    },
  )
  if (failures !== undefined) drawLatencyFailures(surface, failures, place)
}
