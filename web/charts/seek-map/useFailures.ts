/** The failed requests of each run; runs without any are not asked. */

import type { ChartFrame, Shown } from '../shared/shown'
import { type Reply, useAnswers } from '../shared/useAnswers'
import { type AxisPart, inCells } from './bands'
import { FAILURE_CELL } from './failures'

export const useFailures = (
  { view, plotWidth }: Pick<ChartFrame, 'view' | 'plotWidth'>,
  shown: readonly Shown[],
  parts: readonly AxisPart[],
  height: number,
): readonly Reply<'failures'>[] =>
  useAnswers(
    'failures',
    shown,
    run => (run.figures?.failed ? failuresAsk(run, view.range, parts, plotWidth, height) : undefined),
    'seek-map-failures',
  )

/** The query for a map of this size, px. */
export const failuresAsk = (
  { filter }: Pick<Shown, 'filter'>,
  range: ChartFrame['view']['range'],
  parts: readonly AxisPart[],
  width: number,
  height: number,
) => ({
  filter,
  range,
  bands: inCells(parts, FAILURE_CELL),
  w: Math.max(1, Math.round(width / FAILURE_CELL)),
  h: Math.max(1, Math.ceil(height / FAILURE_CELL)),
})
