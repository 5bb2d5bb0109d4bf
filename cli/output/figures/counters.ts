/** Counters of other tools as text: a line per counter with its mean over the run. */
import type { SummaryCounters } from '../../../web/engine/summary'
import { ascii } from '../../../web/lib/format'

/** Counters shown per file and device; --json has all. */
const MAX_LANES = 24

/** Rows of a file: label, and cells mean, min and max. Counters that stay 0 are left out. */
export function counterRows({
  lanes,
}: SummaryCounters): readonly { readonly label: string; readonly cells: readonly string[] }[] {
  const shown = lanes.filter(lane => lane.main && (lane.min !== 0 || lane.max !== 0))
  return shown.slice(0, MAX_LANES).map(({ name, of: subject, unit, mean, min, max }) => ({
    label: subject === 'machine' ? name : `${subject} ${name}`,
    cells: [mean, min, max].map(value => ascii.quantity(unit, value)),
  }))
}
