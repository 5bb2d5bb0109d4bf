/** What happened to the zones of each run's device; nothing for devices that are not known to be zoned. */

import type { ChartFrame, Shown } from '../../shared/answers/shown'
import { useAnswers } from '../../shared/answers/useAnswers'
import type { Reply } from '../../shared/spec'

/** Symbols are about 9 px wide: more of them would hide the requests. */
const MAX_SYMBOLS = 400

export const useZones = (
  { view }: Pick<ChartFrame, 'view'>,
  shown: readonly Shown[],
  channel: string,
): readonly Reply<'zones'>[] =>
  useAnswers(
    'zones',
    shown,
    run =>
      run.device.zones && run.device.absent?.zones === undefined
        ? { device: run.device.index, range: view.range, most: MAX_SYMBOLS }
        : undefined,
    channel,
  )
