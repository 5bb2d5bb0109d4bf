/** What happened to the zones of each run's device; nothing for devices that are not known to be zoned. */

import type { ChartFrame, Shown } from '../../shared/answers/shown'
import { useAnswers } from '../../shared/answers/useAnswers'
import type { Reply } from '../../shared/spec'
import { zonesAsk } from './zones'

export const useZones = (
  { view }: Pick<ChartFrame, 'view'>,
  shown: readonly Shown[],
  channel: string,
): readonly Reply<'zones'>[] => useAnswers('zones', shown, run => zonesAsk(run, view.range), channel)
