/**
 * Averages of intervals as lines over time: fio's averaged logs, reports of iostat, vmstat and sar. Each interval is a
 * run of its cell, and its name says when it was.
 */
import type { ResultMatrix, ResultRun } from '../../engine/protocol'
import type { MatrixCell } from '../matrix/matrix'
import { type QuantityAxis, quantityAxis } from './quantity'
import type { PlacedCell } from './sides'

/** Minimum number of intervals in a cell for a line. */
const MIN_INTERVALS = 3
/** Number of intervals from which on the line is shown first. */
const MIN_LONG = 10
/** A gap of more than this many steps interrupts a line; the times of two logs differ by less. */
const MAX_GAP = 2.5

export interface IntervalAxis {
  readonly axis: QuantityAxis
  readonly isLong: boolean
}

/** Whether a run is an interval of a measurement, by the name that the engine gives to it. */
export const isInterval = ({ repeat = '' }: Pick<ResultRun, 'repeat'>): boolean =>
  repeat.startsWith('interval ') || /^\d+ ms$/.test(repeat)

const nameOf = (table: ResultMatrix, run: string): string => table.runs[Number(run)]?.repeat ?? ''

/** Name of an interval on the axis: `interval 3` without its word; times unchanged. */
const intervalName = (repeat: string): string => repeat.replace(/^interval /, '')

/** The axis of the intervals of some cells; absent where their runs are repeats, or there are few. */
export function intervalAxis(table: ResultMatrix, cells: readonly PlacedCell[]): IntervalAxis | undefined {
  const names = cells.map(({ cell }) => cell.runs.map(run => nameOf(table, run.id)))
  const allNames = names.flat()
  if (!allNames.every(repeat => isInterval({ repeat }))) return undefined
  const isNumbered = allNames.every(name => name.startsWith('interval '))
  const key = isNumbered ? 'interval' : 'time'
  const axis = quantityAxis({ key, name: key }, allNames.map(intervalName))
  const longest = Math.max(0, ...names.map(cellNames => new Set(cellNames).size))
  if (!axis || longest < MIN_INTERVALS) return undefined
  return { axis: { ...axis, scale: 'linear' }, isLong: longest >= MIN_LONG }
}

/** One cell from several runs, with the mean of those with a value; absent without any. */
function cellOf(runs: MatrixCell['runs']): MatrixCell | undefined {
  const values = runs.flatMap(({ value }) => value ?? [])
  if (values.length === 0) return undefined
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  const spread = { least: Math.min(...values), most: Math.max(...values), sd: Math.sqrt(squares / (values.length - 1)) }
  const unreliable = runs.some(run => run.unreliable)
  return { runs, n: values.length, mean, unreliable, ...(values.length > 1 && { spread }) }
}

/** A cell at each point of the axis. Repeated runs share an interval, as they share the cell. */
export function intervalPoints(
  table: ResultMatrix,
  placed: PlacedCell,
  { points }: QuantityAxis,
): readonly (PlacedCell | undefined)[] {
  const runs = new Map<string, MatrixCell['runs'][number][]>()
  for (const run of placed.cell.runs) {
    const value = intervalName(nameOf(table, run.id))
    runs.set(value, [...(runs.get(value) ?? []), run])
  }
  return points.map(({ value }) => {
    const cell = cellOf(runs.get(value) ?? [])
    return cell && { values: placed.values, isBase: placed.isBase, cell }
  })
}

/**
 * Returns whether a line is interrupted behind point `index`. With two logs, each has times that the other lacks, so
 * a gap is a step of more than `MAX_GAP` times the median step of the line.
 */
export function gapFinder(amounts: readonly number[]): (index: number) => boolean {
  const steps = amounts.slice(1).map((amount, i) => amount - (amounts[i] ?? 0))
  const usual = steps.toSorted((a, b) => a - b)[steps.length >> 1] ?? 0
  return index => (steps[index] ?? 0) > usual * MAX_GAP
}
