/**
 * Rows that differ from the others like them: a figure is compared with those of all rows with the same labels, the
 * repeats of one measurement. docs/statistics.md has the rule.
 */
import type { Statistics } from '../../engine/statistics'
import type { NumberColumn, TextColumn } from '../table/columns'

/** Fewer repeats say nothing about the usual. */
export const MIN_REPEATS = 5
/** Distance from the median, in robust standard deviations, from which a value is an outlier. */
const MIN_FARNESS = 5
/**
 * Minimum difference, as a share of the median: repeats can be equal to the last digit, where any difference would be
 * an outlier.
 */
const MIN_SHARE = 0.1
/** The median deviation of normal values, times this, is their standard deviation. */
const NORMAL = 1.4826

/** Number of the group of each row: rows of a group have the same word of every label. */
export function groupsOf(rows: number, labels: readonly TextColumn[]): Uint32Array {
  let groups = new Uint32Array(rows)
  for (const { codes } of labels) {
    const numbers = new Map<number, number>()
    const next = new Uint32Array(rows)
    for (let row = 0; row < rows; row++) {
      // Codes are below 2^21 (see `MAX_ROWS`) and groups below 2^32, so keys are exact and unique.
      const key = (groups[row] ?? 0) * 2 ** 21 + (codes[row] ?? -1) + 1
      const number = numbers.get(key) ?? numbers.size
      if (number === numbers.size) numbers.set(key, number)
      next[row] = number
    }
    groups = next
  }
  return groups
}

/** Median and spread of a group. */
export interface Usual {
  readonly n: number
  readonly median: number
  /** Robust standard deviation: of logarithms a factor, else in the figure's unit. */
  readonly sd: number
  readonly isFactor: boolean
}

export interface Outliers {
  /** Mark of each row: 1 far above, -1 far below, 0 neither. */
  readonly marks: Int8Array
  /** Usual value of each group; absent if it has too few rows. */
  readonly usual: ReadonlyMap<number, Usual>
}

/** Positive figures are compared by their logarithms: twice as much is as far as half as much. */
function usualValues({ medians }: Statistics, groups: readonly Float64Array[]): readonly Usual[] {
  const areFactors = groups.map(values => values.every(value => value > 0))
  const scaled = groups.map((values, i) => (areFactors[i] ? values.map(Math.log) : values))
  const middles = medians(scaled)
  const distances = scaled.map((values, i) => values.map(value => Math.abs(value - (middles[i] ?? 0))))
  const spreads = medians(distances)
  return groups.map(({ length }, i): Usual => {
    const [isFactor, middle, sd] = [areFactors[i] ?? false, middles[i] ?? 0, NORMAL * (spreads[i] ?? 0)]
    return { n: length, median: isFactor ? Math.exp(middle) : middle, sd: isFactor ? Math.exp(sd) : sd, isFactor }
  })
}

/** How far a value is from the usual, in robust standard deviations; 0 within the least share. */
export function farness(value: number, { median, sd, isFactor }: Usual): number {
  const difference = value - median
  if (Math.abs(difference) <= MIN_SHARE * Math.abs(median)) return 0
  if (!isFactor) return difference / sd
  return value > 0 ? Math.log(value / median) / Math.log(sd) : 0
}

export function outliersOf(statistics: Statistics, { values }: NumberColumn, groups: Uint32Array): Outliers {
  const members = new Map<number, number[]>()
  for (let row = 0; row < values.length; row++) {
    if (Number.isNaN(values[row])) continue
    const group = groups[row] ?? 0
    const rows = members.get(group)
    if (rows) rows.push(row)
    else members.set(group, [row])
  }
  const marks = new Int8Array(values.length)
  const usual = new Map<number, Usual>()
  const repeated = [...members].filter(([, rows]) => rows.length >= MIN_REPEATS)
  const all = usualValues(
    statistics,
    repeated.map(([, rows]) => Float64Array.from(rows, row => values[row] ?? 0)),
  )
  for (const [i, [group, rows]] of repeated.entries()) {
    const groupUsual = all[i]
    if (!groupUsual) continue
    usual.set(group, groupUsual)
    for (const row of rows) {
      const distance = farness(values[row] ?? 0, groupUsual)
      // If all others are equal, the deviation is 0 and any difference is infinitely far.
      if (distance >= MIN_FARNESS) marks[row] = 1
      else if (distance <= -MIN_FARNESS) marks[row] = -1
    }
  }
  return { marks, usual }
}
