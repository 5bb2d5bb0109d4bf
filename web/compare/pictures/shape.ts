/**
 * Which pictures a table of results has, and what is in them. The shape of the table decides: numbers over a quantity
 * are lines, sides next to each other are bars, counted latencies are histograms.
 */
import type { MatrixFigure, ResultMatrix } from '../../engine/protocol'
import { LETTERS } from '../../link/view'
import { type HistogramPicture, histogramsOf } from './bins'
import { intervalAxis, intervalPoints } from './intervals'
import { type QuantityAxis, quantityAxis } from './quantity'
import {
  type KnownSides,
  keyIn,
  type MetricCells,
  metricCells,
  nameIn,
  type PlacedCell,
  type Side,
  type Split,
  sidesOf,
  splitOf,
} from './sides'

/** Bars, panels and metrics that are drawn; the rest is in the matrix. */
export const MAX_BARS = 48
export const MAX_PANELS = 6
export const MAX_METRICS = 12

/** A number of a side. */
export interface SideValue {
  readonly side: Side
  readonly placed: PlacedCell
}

/** Bars that are compared side by side: a metric, or a metric at one place. */
export interface BarGroup {
  readonly name: string
  readonly metric: MetricCells
  readonly bars: readonly SideValue[]
}

interface Bounded {
  readonly sides: readonly Side[]
  /** Not drawn: `2 more sides`. */
  readonly left: readonly { readonly count: number; readonly of: 'side' | 'group' | 'metric' | 'panel' | 'curve' }[]
}

export interface BarsPicture extends Bounded {
  readonly kind: 'bars'
  /** Groups are metrics, each on a scale of its own; else all share one. */
  readonly isByMetric: boolean
  readonly groups: readonly BarGroup[]
}

/** The values of a side over the axis; absent where it has none. */
export interface SideLine {
  readonly side: Side
  readonly points: readonly (PlacedCell | undefined)[]
}

export interface LinesPicture extends Bounded {
  readonly kind: 'lines'
  readonly metric: MetricCells
  readonly over: QuantityAxis
  /** Its points are averages of intervals: a line goes on where another side has a point. */
  readonly ofIntervals?: true
  readonly panels: readonly { readonly name: string; readonly lines: readonly SideLine[] }[]
}

export type MetricPicture = BarsPicture | LinesPicture
export type ResultPicture = MetricPicture | HistogramPicture

const hasValue = ({ cell }: PlacedCell): boolean => cell.mean !== undefined

const leftOut = (...counts: readonly (readonly [number, Bounded['left'][number]['of']])[]): Bounded['left'] =>
  counts.flatMap(([count, of]) => (count > 0 ? [{ count, of }] : []))

/** Cells by their place, in the order of the table. */
function byPlace(cells: readonly PlacedCell[], { places }: Split) {
  const found = new Map<string, { readonly name: string; readonly cells: PlacedCell[] }>()
  for (const placed of cells) {
    const key = keyIn(placed, places)
    const known = found.get(key) ?? { name: nameIn(placed, places), cells: [] }
    known.cells.push(placed)
    found.set(key, known)
  }
  return [...found.values()]
}

/** Bars of the cells, in the order of the sides. */
function barsIn(cells: readonly PlacedCell[], split: Split, { sides }: KnownSides): readonly SideValue[] {
  const own = new Map(cells.filter(hasValue).map(placed => [keyIn(placed, split.sides), placed]))
  return [...sides].flatMap(([key, side]) => {
    const placed = own.get(key)
    return placed ? [{ side, placed }] : []
  })
}

/** One metric at each of its places, with as many sides as there are letters. */
export function placedBars(metric: MetricCells): readonly BarGroup[] {
  const split = splitOf(metric.view)
  const known = sidesOf(metric, split, LETTERS.length)
  return byPlace(metric.cells, split)
    .map(({ name, cells }) => ({ name, metric, bars: barsIn(cells, split, known) }))
    .filter(({ bars }) => bars.length > 0)
}

/** Bars of one metric at each place, or of all metrics where there is only one place. */
function barsOf(table: ResultMatrix, figure: MatrixFigure, names?: readonly string[]): BarsPicture | undefined {
  const chosen = metricCells(table, figure, names)
  const split = splitOf(chosen.view)
  const known = sidesOf(chosen, split)
  const sides = [...known.sides.values()]
  const places = byPlace(chosen.cells, split)
  const isByMetric = places.length === 1
  const group = (name: string, metric: MetricCells, cells: readonly PlacedCell[]): BarGroup => ({
    name,
    metric,
    bars: barsIn(cells, split, known),
  })
  const first = table.figures.slice(0, MAX_METRICS)
  const metrics = first.includes(figure) ? first : [...first.slice(0, -1), figure]
  const all = isByMetric
    ? metrics.map(one => {
        const metric = one === figure ? chosen : metricCells(table, one, names)
        return group(one.label, metric, metric.cells)
      })
    : places.map(({ name, cells }) => group(name, chosen, cells))
  // A bar with nothing beside it, on its own scale, shows nothing.
  const groups = all.filter(({ bars }) => bars.length >= (isByMetric ? 2 : 1))
  const drawn = groups.slice(0, Math.max(1, Math.floor(MAX_BARS / Math.max(1, sides.length))))
  if (drawn.flatMap(({ bars }) => bars).length < 2) return undefined
  const more = groups.length - drawn.length
  return {
    kind: 'bars',
    isByMetric,
    sides,
    groups: drawn,
    left: isByMetric
      ? leftOut([known.more, 'side'], [more + table.figures.length - metrics.length, 'metric'])
      : leftOut([known.more, 'side'], [more, 'group']),
  }
}

/** The quantities over which a metric can be drawn, the one with most values first. */
function quantitiesOf({ view, cells }: MetricCells): readonly QuantityAxis[] {
  return [...view.axes.rows, ...view.axes.columns]
    .flatMap(axis => {
      const values = cells.filter(hasValue).map(({ values }) => values.get(axis.key) ?? '')
      return quantityAxis(axis, values) ?? []
    })
    .toSorted((a, b) => b.points.length - a.points.length)
}

function linesOver(metric: MetricCells, over: QuantityAxis): LinesPicture | undefined {
  const split = splitOf(metric.view, over.key)
  const known = sidesOf(metric, split)
  const all = byPlace(metric.cells, split).map(({ name, cells }) => ({
    name,
    lines: [...known.sides].flatMap(([key, side]): SideLine[] => {
      const own = cells.filter(placed => keyIn(placed, split.sides) === key && hasValue(placed))
      const points = over.points.map(({ value }) => own.find(({ values }) => values.get(over.key) === value))
      return own.length > 0 ? [{ side, points }] : []
    }),
  }))
  const panels = all.filter(({ lines }) => lines.some(({ points }) => points.filter(Boolean).length > 1))
  if (panels.length === 0) return undefined
  const drawn = panels.slice(0, MAX_PANELS)
  return {
    kind: 'lines',
    metric,
    over,
    sides: [...known.sides.values()],
    panels: drawn,
    left: leftOut([known.more, 'side'], [panels.length - drawn.length, 'panel']),
  }
}

/** Intervals as lines over time, where the runs of the cells are some. */
function linesOverTime(table: ResultMatrix, metric: MetricCells): (LinesPicture & { isLong: boolean }) | undefined {
  const axis = intervalAxis(table, metric.cells)
  if (!axis) return undefined
  const split = splitOf(metric.view)
  const known = sidesOf(metric, split)
  const panels = byPlace(metric.cells, split).map(({ name, cells }) => ({
    name,
    lines: barsIn(cells, split, known).map(({ side, placed }) => ({
      side,
      points: intervalPoints(table, placed, axis.over),
    })),
  }))
  const drawn = panels.slice(0, MAX_PANELS)
  return {
    kind: 'lines',
    metric,
    over: axis.over,
    ofIntervals: true,
    isLong: axis.isLong,
    sides: [...known.sides.values()],
    panels: drawn,
    left: leftOut([known.more, 'side'], [panels.length - drawn.length, 'panel']),
  }
}

/** Two points make no curve. */
const MIN_POINTS = 3

/**
 * The pictures of a metric; the first is the one that its table asks for. Empty for a single number. `names`: its sides
 * in the order of their letters, where the user changed the base of the table.
 */
export function picturesOf(
  table: ResultMatrix,
  figure: MatrixFigure,
  names?: readonly string[],
): readonly MetricPicture[] {
  const metric = metricCells(table, figure, names)
  const lines = quantitiesOf(metric).flatMap(over => linesOver(metric, over) ?? [])
  const bars = barsOf(table, figure, names) ?? []
  const time = linesOverTime(table, metric)
  const [first] = lines
  const all = first && first.over.points.length >= MIN_POINTS ? [...lines, bars].flat() : [bars, ...lines].flat()
  if (!time) return all
  return time.isLong ? [time, ...all] : [...all, time]
}

export { type HistogramPicture, histogramsOf }
