/** What happened to the zones of each run's device; nothing for devices that are not known to be zoned. */

import { type ChartFrame, frameOf, type Shown } from '../../shared/answers/shown'
import { useAnswers } from '../../shared/answers/useAnswers'
import type { Reply } from '../../shared/spec'
import { zonesAsk } from './zones'

export const useZones = (frame: ChartFrame, shown: readonly Shown[], channel: string): readonly Reply<'zones'>[] =>
  useAnswers('zones', shown, run => zonesAsk(run, frameOf(frame, run).view.range), channel)
