/** Counters in words and as tables. */
import type { Range } from '../../engine/protocol'
import type { Shown } from '../shared/answers/shown'
import type { Table } from '../shared/answers/table'
import { type LaneRow, laneText } from './data'

/** Values of a lane in a run; bins divide `range`. */
export interface LaneValues {
  readonly range: Range
  readonly values: Float64Array
}

export function words(row: LaneRow, run: Shown, i: number): string {
  const figures = row.lanes[i]?.figures
  if (row.lanes[i] === undefined) return `${row.title} of ${run.letter}: not counted.`
  if (figures === undefined) return `${row.title} of ${run.letter}: no report in view.`
  const text = (value: number) => laneText(row.unit, value)
  return `${row.title} of ${run.letter} (${row.meaning}): mean ${text(figures.mean)}, from ${text(figures.min)} to ${text(figures.max)}.`
}

export function table(row: LaneRow, shown: readonly Shown[], series: readonly (LaneValues | undefined)[]): Table {
  const rows = shown.flatMap((run, i) => {
    const lane = series[i]
    if (lane === undefined) return []
    const bin = (lane.range.t1 - lane.range.t0) / lane.values.length
    return Array.from(lane.values, (value, k) => [run.letter, (lane.range.t0 + k * bin) / 1e9, value]).filter(
      cells => !Number.isNaN(cells[2]),
    )
  })
  return {
    title: `${row.title}: ${row.meaning}`,
    columns: [{ label: 'run', text: true }, { label: 'from, s' }, { label: row.unit }],
    rows,
  }
}

/** The other run minus the baseline, where both have a value. */
export const subtract = (base: Float64Array, other: Float64Array): Float64Array =>
  other.map((value, i) => value - (base[i] ?? Number.NaN))
