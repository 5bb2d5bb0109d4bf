/**
 * Averages of intervals as lines over time: fio's averaged logs, reports of iostat, vmstat and sar. Each interval is a
 * run of its cell, and its name says when it was.
 */
import type { ResultMatrix, ResultRun } from '../../engine/protocol'
import type { MatrixCell } from '../matrix/matrix'
import { type QuantityAxis, quantityAxis } from './quantity'
import type { PlacedCell } from './sides'

/** Intervals in a cell that make a line. */
const MIN_INTERVALS = 3
/** From this number of intervals on, the line is shown first. */
const MIN_LONG = 10
/** Steps without a value behind which a line begins again; between two logs, times differ by less. */
const MAX_GAP = 2.5

export interface IntervalAxis {
  readonly over: QuantityAxis
  readonly isLong: boolean
}

/** Whether a run is an interval of a measurement, by the name that the engine gives to it. */
export const isInterval = ({ repeat = '' }: Pick<ResultRun, 'repeat'>): boolean =>
  repeat.startsWith('interval ') || /^\d+ ms$/.test(repeat)

const nameOf = (table: ResultMatrix, run: string): string => table.runs[Number(run)]?.repeat ?? ''

/** `interval 3` without its word, which is on the axis; times as they are. */
const intervalName = (repeat: string): string => repeat.replace(/^interval /, '')

/** The axis of the intervals of some cells; absent where their runs are repeats, or there are few. */
export function intervalAxis(table: ResultMatrix, cells: readonly PlacedCell[]): IntervalAxis | undefined {
  const names = cells.map(({ cell }) => cell.runs.map(run => nameOf(table, run.id)))
  const all = names.flat()
  if (!all.every(repeat => isInterval({ repeat }))) return undefined
  const isNumbered = all.every(name => name.startsWith('interval '))
  const key = isNumbered ? 'interval' : 'time'
  const over = quantityAxis({ key, name: key }, all.map(intervalName))
  const most = Math.max(0, ...names.map(own => new Set(own).size))
  if (!over || most < MIN_INTERVALS) return undefined
  return { over: { ...over, scale: 'linear' }, isLong: most >= MIN_LONG }
}

/** The mean of the runs with a value; absent without one. */
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

/** Whether a line goes on to the next of its points: of two logs, each has times that the other lacks. */
export function gapBehind(amounts: readonly number[]): (index: number) => boolean {
  const steps = amounts.slice(1).map((amount, i) => amount - (amounts[i] ?? 0))
  const usual = steps.toSorted((a, b) => a - b)[steps.length >> 1] ?? 0
  return index => (steps[index] ?? 0) > usual * MAX_GAP
}
