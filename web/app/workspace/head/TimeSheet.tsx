/** Where the time of each run went, and of the additional time. */

import type { SummaryDevice } from '../../../engine/summary'
import type { CurrentComparison } from '../../../state/comparing/comparing'
import type { ComparedRuns, Run } from '../../../state/types'
import { LostBars } from '../findings/LostBars'
import { barsOf, StateBars } from '../findings/StateBars'

interface TimeSheetProps {
  readonly runs: readonly Run[]
  readonly devices: readonly SummaryDevice[]
  readonly current?: CurrentComparison | undefined
  readonly compared?: ComparedRuns | undefined
}

export function TimeSheet({ runs, devices, current, compared }: TimeSheetProps) {
  const kinds = barsOf(devices)
  if (kinds.length === 0)
    return <p className="panel-words">These recordings do not show in which states the device was.</p>
  return (
    <div className="panel-columns">
      <div>
        {kinds.map(kind => (
          <StateBars key={kind} runs={runs} devices={devices} kind={kind} />
        ))}
      </div>
      {current && compared && <LostBars current={current} compared={compared} />}
    </div>
  )
}
