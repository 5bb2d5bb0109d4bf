/** The failed requests of each run; runs without any are not asked. */

import { type ChartFrame, frameOf, type Shown } from '../shared/answers/shown'
import { useAnswers } from '../shared/answers/useAnswers'
import type { Reply } from '../shared/spec'
import type { AxisPart } from './axis/bands'
import { failuresAsk } from './failures'

export const useFailures = (
  frame: ChartFrame,
  shown: readonly Shown[],
  parts: readonly AxisPart[],
  height: number,
  key = 'seek-map-failures',
): readonly Reply<'failures'>[] =>
  useAnswers(
    'failures',
    shown,
    run =>
      run.figures?.failed
        ? failuresAsk(run, frameOf(frame, run).view.range, parts, frame.plotWidth, height)
        : undefined,
    key,
  )
