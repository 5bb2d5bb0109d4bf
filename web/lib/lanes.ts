/** How values of counters are written. */
import type { LaneUnit } from '../engine/generated/protocol'
import type { Words } from './format'

/** A value with its unit, on the page or in plain text. */
export function laneValue(
  unit: LaneUnit,
  value: number,
  { count, duration, figure, rate, share, size }: Words,
): string {
  switch (unit) {
    case 'share':
      return share(value)
    case 'bytes/s':
      return rate(value)
    case '1/s':
      return `${figure(value)}/s`
    case 'bytes':
      return size(value)
    case 'ns':
      return duration(value)
    case 'count':
      return Number.isInteger(value) ? count(value) : figure(value)
  }
}
