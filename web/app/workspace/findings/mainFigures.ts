/** The few figures at the top of a comparison, from the table of differences. */

import { IDLE_WHILE_WAITING } from '../../../charts/queue-depth/spec'
import { cell, type DifferenceRow } from '../../../compare/rows'
import { figure } from '../../../lib/format'

/** What a row says at the top of the page, where the engine's label needs an explanation. */
type Relabel = (label: string) => string

const itself: Relabel = label => label
const before =
  (words: string): Relabel =>
  label =>
    `${words} (${label})`

/** Main figures by key, in their order. */
const MAIN: readonly (readonly [string, Relabel])[] = [
  // Without from which event to which it is measured.
  ['span', label => label.replace(/,.*/, '')],
  ['failed.requests', itself],
  ['depth.mean', itself],
  ['starved.share', () => `Starved (${IDLE_WHILE_WAITING})`],
  ['q2d.mean', before('Before the device')],
  ['d2c.mean', before('In the device')],
  ['q2c.p99', before('Complete request')],
  ['read_bps', itself],
  ['write_bps', itself],
  ['alignment.full', itself],
  ['alignment.straddles', () => 'Straddle a stripe boundary'],
  ['alignment.rmw.bytes', label => label.replace(' device', '')],
  ['flush.flush', () => 'Flushes'],
  ['flush.fua', itself],
]

export const MAIN_KEYS: readonly string[] = MAIN.map(([key]) => key)

/** Rows of the table of differences; those that no run has are left out. */
export const mainFigures = (rows: readonly DifferenceRow[]): readonly DifferenceRow[] =>
  MAIN.flatMap(([key, relabel]) =>
    rows.filter(row => row.key === key).map(row => ({ ...row, label: relabel(row.label) })),
  )

/** A value with its unit: `15.3 ms`, `19.5%`; nothing where it does not apply. */
export function withUnit(row: DifferenceRow, value: number | undefined): string {
  if (value === undefined) return ''
  if (row.unit.startsWith('%')) return `${figure(value)}%`
  const text = cell(value)
  return row.unit === '' || row.unit === 'requests' ? text : `${text} ${row.unit}`
}
