/**
 * Figures as the kernel test robot prints them: the value of the baseline with the deviation of its repeats, the change
 * in percent, the value of the other side, and the name of the figure.
 *
 *          old                        new
 * ---------------- ---------------------------
 *          %stddev     %change         %stddev
 *              \          |                \
 *     309.5 ±  3%     -46.3%      166.2 ±  2%  iops
 */
import type { ComparedFigure, Comparison, Spread } from '../../../web/engine/protocol'
import { keyUnitOf } from './keyUnit'

const [LEFT, CHANGE, RIGHT] = [16, 12, 16]

/** Four significant digits, never with an exponent. */
const number = (value: number): string =>
  Math.abs(value) >= 1000 ? value.toFixed(0) : `${Number(value.toPrecision(4))}`

/** `309.5 +-  3%`; single runs have no deviation. */
function cell(value: number, spread: Spread | null | undefined): string {
  if (!spread || spread.n < 2 || spread.mean === 0) return `${number(value)}      `
  const percent = Math.round((spread.sd / Math.abs(spread.mean)) * 100)
  return `${number(value)} +-${`${percent}`.padStart(3)}%`
}

/** The change in percent, as the robot writes it; `new` where the baseline is 0. */
function change(before: number, after: number): string {
  if (before === after) return '+0.0%'
  if (before === 0) return 'new'
  const percent = (after / before - 1) * 100
  return `${percent < 0 ? '' : '+'}${percent.toFixed(1)}%`
}

/** The mean of the runs of a side that have the figure. */
function meanOf(values: ComparedFigure['values'], runs: readonly number[]): number | undefined {
  const present = runs.flatMap(run => values[run] ?? [])
  return present.length === 0 ? undefined : present.reduce((sum, value) => sum + value, 0) / present.length
}

/** A side as the table needs it: its label, its place among the groups, and its runs. */
export interface RobotSide {
  readonly label: string
  readonly index: number
  readonly runs: readonly number[]
}

/** At most this many characters of a label. */
const MAX_LABEL = 24
const short = (label: string): string => (label.length > MAX_LABEL ? `${label.slice(0, MAX_LABEL - 1)}~` : label)

/** The figures that differ, and throughput and IOPS in any case; all values in the unit that their names end with. */
export function robotTable({ figures }: Comparison, good: RobotSide, bad: RobotSide): readonly string[] {
  const rows = figures.flatMap(figure => {
    const [before, after] = [meanOf(figure.values, good.runs), meanOf(figure.values, bad.runs)]
    if (before === undefined || after === undefined) return []
    if (!figure.real && !TOTALS.includes(figure.key)) return []
    const { key, factor } = keyUnitOf(figure)
    const spread = (index: number): Spread | null | undefined => {
      const found = figure.groups?.[index]
      return found && { ...found, mean: found.mean * factor, sd: found.sd * factor }
    }
    return [
      cell(before * factor, spread(good.index)).padStart(LEFT) +
        change(before, after).padStart(CHANGE) +
        cell(after * factor, spread(bad.index)).padStart(RIGHT) +
        `  ${key}`,
    ]
  })
  return [
    `${short(good.label).padStart(LEFT)} ${short(bad.label).padStart(CHANGE + RIGHT - 1)}`,
    `${'-'.repeat(LEFT)} ${'-'.repeat(CHANGE + RIGHT - 1)}`,
    `${'%stddev'.padStart(LEFT)}${'%change'.padStart(CHANGE)}${'%stddev'.padStart(RIGHT)}`,
    `${'\\'.padStart(LEFT - 3)}${'|'.padStart(CHANGE)}${'\\'.padStart(RIGHT)}`,
    ...rows,
  ]
}

/** Shown although they do not differ. */
const TOTALS = ['iops', 'bps', 'span']
