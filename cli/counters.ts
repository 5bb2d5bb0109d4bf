/** Counters of other tools as text: a line per counter with its mean over the run. */
import type { SummaryCounters, SummaryLane } from '../web/engine/summary'
import { ascii } from '../web/lib/format'

const { count, duration, figure, rate, share, size } = ascii

const UNITS: Readonly<Record<SummaryLane['unit'], (value: number) => string>> = {
  share,
  'bytes/s': rate,
  '1/s': value => `${figure(value)}/s`,
  bytes: size,
  ns: duration,
  count: value => (Number.isInteger(value) ? count(value) : figure(value)),
}

/** Counters shown per file and device; --json has all. */
const MOST_LANES = 24

/** Rows of a file: label, and cells mean, min and max. Counters that stay 0 are left out. */
export function counterRows({ lanes }: SummaryCounters): readonly { readonly label: string; readonly cells: readonly string[] }[] {
  const shown = lanes.filter(lane => lane.main && (lane.min !== 0 || lane.max !== 0))
  return shown.slice(0, MOST_LANES).map(({ name, of, unit, mean, min, max }) => ({
    label: of === 'machine' ? name : `${of} ${name}`,
    cells: [mean, min, max].map(UNITS[unit]),
  }))
}
