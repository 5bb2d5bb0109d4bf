/** The few figures at the top of a comparison, from the table of differences. */

import { cell, type DifferenceRow } from '../../../compare/rows'
import { figure } from '../../../lib/format'

/** Main figures by key, with labels that need no explanation. */
const MAIN: readonly (readonly [string, string])[] = [
  ['span', 'Run time'],
  ['failed.requests', 'Failed requests'],
  ['depth.mean', 'Queue depth, mean'],
  ['starved.share', 'Starved (idle while bios wait)'],
  ['q2d.mean', 'Before the device (Q2D, mean)'],
  ['d2c.mean', 'In the device (D2C, mean)'],
  ['q2c.p99', 'Complete request (Q2C, p99)'],
  ['read_bps', 'Throughput, read'],
  ['write_bps', 'Throughput, write'],
  ['alignment.full', 'Full-stripe requests'],
  ['alignment.straddles', 'Straddle a stripe boundary'],
  ['alignment.rmw.bytes', 'Extra I/O for parity, estimated'],
  ['flush.flush', 'Flushes'],
  ['flush.fua', 'FUA writes'],
]

/** Rows of the table of differences with other labels; those that no run has are left out. */
export const mainFigures = (rows: readonly DifferenceRow[]): readonly DifferenceRow[] =>
  MAIN.flatMap(([key, label]) => rows.filter(row => row.key === key).map(row => ({ ...row, label })))

/** A value with its unit: `15.3 ms`, `19.5%`; nothing where it does not apply. */
export function withUnit(row: DifferenceRow, value: number | undefined): string {
  if (value === undefined) return ''
  if (row.unit.startsWith('%')) return `${figure(value)}%`
  const text = cell(value)
  return row.unit === '' || row.unit === 'requests' ? text : `${text} ${row.unit}`
}
