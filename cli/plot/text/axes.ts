/** Axes of text charts: columns of time, and value ticks on the edges of rows. */
import { binWidth, tickLabel, timeTicks } from '../../../web/charts/shared/paint/ticks'
import type { Range } from '../../../web/engine/protocol'
import { shortCount } from '../../../web/lib/format'
import { ns } from '../../../web/lib/units'

/** Left of each plot: room for a label and the axis. */
export const GUTTER = 10
/** A column of the gutter is the axis itself. */
export const plotColumns = (columns: number): number => columns - GUTTER - 1

/** Columns of equal width over a range. */
export interface TimeGrid {
  /** From the first column's begin to the last one's end. */
  readonly range: Range
  /** What was requested: the end of the last column may be later. */
  readonly asked: Range
  readonly columns: number
  /** ns per column. */
  readonly bin: number
}

/** The smallest number of two digits that is not less. */
function twoDigits(least: number): number {
  const power = 10 ** (Math.floor(Math.log10(least)) - 1)
  const steps = Math.ceil(least / power - 1e-9)
  return steps * power
}

/** As many columns as there are, each of a length with two digits. */
export function timeGrid(asked: Range, most: number): TimeGrid {
  const span = asked.t1 - asked.t0
  const bin = twoDigits(Math.max(span / most, 1))
  const columns = Math.max(1, Math.min(most, Math.ceil(span / bin - 1e-9)))
  return { range: { t0: asked.t0, t1: ns(asked.t0 + columns * bin) }, asked, columns, bin }
}

/** The time of one column in words. */
export const columnTime = ({ bin }: Pick<TimeGrid, 'bin'>): string => `column: ${binWidth(bin)}`

export interface ColumnTick {
  readonly column: number
  readonly label: string
}

/** About how wide a character is on the page, px: its ticks are as far apart as their labels need. */
const CHARACTER = 7

/** Round times at the column that contains them. */
export function columnTicks({ range, asked, columns, bin }: TimeGrid): readonly ColumnTick[] {
  return timeTicks(range, columns * CHARACTER).flatMap(({ position, label }) => {
    const column = Math.floor(position / CHARACTER + 1e-6)
    return column < columns && column * bin <= asked.t1 - asked.t0 ? [{ column, label }] : []
  })
}

const STEPS = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10]

export interface AmountAxis {
  /** Value at the upper edge of the first row. */
  readonly top: number
  /** Labels by row: of its upper edge. */
  readonly labels: ReadonlyMap<number, string>
}

/** A top that is round at every labelled row, and the lowest such. */
export function amountAxis(most: number, rows: number, integers = false): AmountAxis {
  const parts = [4, 3, 2, 1].filter(n => rows % n === 0 && rows / n >= 2)
  const steps = (parts.length > 0 ? parts : [1]).map(n => {
    const least = Math.max(most, Number.MIN_VALUE) / n
    const power = 10 ** Math.floor(Math.log10(least))
    const step =
      STEPS.map(s => s * power).find(s => s >= least * (1 - 1e-9) && (!integers || Number.isInteger(s))) ??
      Math.ceil(least)
    return { n, step, top: n * step }
  })
  const best = steps.reduce((a, b) => (b.top < a.top * (1 - 1e-9) ? b : a))
  const per = rows / best.n
  const labels = Array.from({ length: best.n }, (_, k) => [k * per, amountLabel((best.n - k) * best.step)] as const)
  return { top: best.top, labels: new Map(labels) }
}

/** `1,500`; `98.8k` where that is too long for the gutter. */
function amountLabel(value: number): string {
  const label = tickLabel(value)
  return label.length < GUTTER ? label : shortCount(value)
}
