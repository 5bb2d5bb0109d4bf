/** The failed requests of each run; runs without any are not asked. */

import type { ChartFrame, Shown } from '../shared/answers/shown'
import { useAnswers } from '../shared/answers/useAnswers'
import type { Reply } from '../shared/spec'
import type { AxisPart } from './axis/bands'
import { failuresAsk } from './failures'

export const useFailures = (
  { view, plotWidth }: Pick<ChartFrame, 'view' | 'plotWidth'>,
  shown: readonly Shown[],
  parts: readonly AxisPart[],
  height: number,
  key = 'seek-map-failures',
): readonly Reply<'failures'>[] =>
  useAnswers(
    'failures',
    shown,
    run => (run.figures?.failed ? failuresAsk(run, view.range, parts, plotWidth, height) : undefined),
    key,
  )
