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
  MAX_PANELS,
  type MetricCells,
  metricCells,
  nameIn,
  type PlacedCell,
  type Side,
  type Split,
  sidesOf,
  splitOf,
} from './sides'

/** Maximum number of bars and metrics that are drawn; the rest is in the matrix. */
export const MAX_BARS = 48
export const MAX_METRICS = 12

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
  /** What is not drawn: `2 more sides`. */
  readonly left: readonly { readonly count: number; readonly kind: 'side' | 'group' | 'metric' | 'panel' | 'curve' }[]
}

export interface BarsPicture extends Bounded {
  readonly kind: 'bars'
  /** Whether groups are metrics, each with its own scale; otherwise all groups share one. */
  readonly isByMetric: boolean
  readonly groups: readonly BarGroup[]
}

/** Values of one side, by the points of the axis; absent where it has none. */
export interface SideLine {
  readonly side: Side
  readonly points: readonly (PlacedCell | undefined)[]
}

export interface LinesPicture extends Bounded {
  readonly kind: 'lines'
  readonly metric: MetricCells
  readonly over: QuantityAxis
  /** Set if points are averages of intervals: a line continues across times at which only another side has a point. */
  readonly ofIntervals?: true
  readonly panels: readonly { readonly name: string; readonly lines: readonly SideLine[] }[]
}

export type MetricPicture = BarsPicture | LinesPicture
export type ResultPicture = MetricPicture | HistogramPicture

const hasValue = ({ cell }: PlacedCell): boolean => cell.mean !== undefined

const omittedCounts = (...counts: readonly (readonly [number, Bounded['left'][number]['kind']])[]): Bounded['left'] =>
  counts.flatMap(([count, kind]) => (count > 0 ? [{ count, kind }] : []))

/** Groups cells by their place, in the order of the table. */
function groupByPlace(cells: readonly PlacedCell[], { places }: Split) {
  const groups = new Map<string, { readonly name: string; readonly cells: PlacedCell[] }>()
  for (const placed of cells) {
    const key = keyIn(placed, places)
    const group = groups.get(key) ?? { name: nameIn(placed, places), cells: [] }
    group.cells.push(placed)
    groups.set(key, group)
  }
  return [...groups.values()]
}

/** Bars of the cells, in the order of the sides. */
function barsIn(cells: readonly PlacedCell[], split: Split, { sides }: KnownSides): readonly SideValue[] {
  const cellBySide = new Map(cells.filter(hasValue).map(placed => [keyIn(placed, split.sides), placed]))
  return [...sides].flatMap(([key, side]) => {
    const placed = cellBySide.get(key)
    return placed ? [{ side, placed }] : []
  })
}

/** One metric at each of its places, with as many sides as there are letters. */
export function placedBars(metric: MetricCells): readonly BarGroup[] {
  const split = splitOf(metric.view)
  const sides = sidesOf(metric, split, LETTERS.length)
  return groupByPlace(metric.cells, split)
    .map(({ name, cells }) => ({ name, metric, bars: barsIn(cells, split, sides) }))
    .filter(({ bars }) => bars.length > 0)
}

/** Bars of one metric at each place, or of all metrics where there is only one place. */
function barsOf(table: ResultMatrix, figure: MatrixFigure, names?: readonly string[]): BarsPicture | undefined {
  const chosenMetric = metricCells(table, figure, names)
  const split = splitOf(chosenMetric.view)
  const named = sidesOf(chosenMetric, split)
  const sides = [...named.sides.values()]
  const places = groupByPlace(chosenMetric.cells, split)
  const isByMetric = places.length === 1
  const group = (name: string, metric: MetricCells, cells: readonly PlacedCell[]): BarGroup => ({
    name,
    metric,
    bars: barsIn(cells, split, named),
  })
  const first = table.figures.slice(0, MAX_METRICS)
  const metrics = first.includes(figure) ? first : [...first.slice(0, -1), figure]
  const allGroups = isByMetric
    ? metrics.map(metricFigure => {
        const metric = metricFigure === figure ? chosenMetric : metricCells(table, metricFigure, names)
        return group(metricFigure.label, metric, metric.cells)
      })
    : places.map(({ name, cells }) => group(name, chosenMetric, cells))
  // A single bar on its own scale compares nothing.
  const groups = allGroups.filter(({ bars }) => bars.length >= (isByMetric ? 2 : 1))
  const drawn = groups.slice(0, Math.max(1, Math.floor(MAX_BARS / Math.max(1, sides.length))))
  if (drawn.flatMap(({ bars }) => bars).length < 2) return undefined
  const more = groups.length - drawn.length
  return {
    kind: 'bars',
    isByMetric,
    sides,
    groups: drawn,
    left: isByMetric
      ? omittedCounts([named.omittedCount, 'side'], [more + table.figures.length - metrics.length, 'metric'])
      : omittedCounts([named.omittedCount, 'side'], [more, 'group']),
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

function linesOver(metric: MetricCells, axis: QuantityAxis): LinesPicture | undefined {
  const split = splitOf(metric.view, axis.key)
  const sides = sidesOf(metric, split)
  const allPanels = groupByPlace(metric.cells, split).map(({ name, cells }) => ({
    name,
    lines: [...sides.sides].flatMap(([key, side]): SideLine[] => {
      const sideCells = cells.filter(placed => keyIn(placed, split.sides) === key && hasValue(placed))
      const points = axis.points.map(({ value }) => sideCells.find(({ values }) => values.get(axis.key) === value))
      return sideCells.length > 0 ? [{ side, points }] : []
    }),
  }))
  const panels = allPanels.filter(({ lines }) => lines.some(({ points }) => points.filter(Boolean).length > 1))
  if (panels.length === 0) return undefined
  const drawn = panels.slice(0, MAX_PANELS)
  return {
    kind: 'lines',
    metric,
    over: axis,
    sides: [...sides.sides.values()],
    panels: drawn,
    left: omittedCounts([sides.omittedCount, 'side'], [panels.length - drawn.length, 'panel']),
  }
}

/** Lines over time, if the runs of the cells are intervals. */
function linesOverTime(table: ResultMatrix, metric: MetricCells): (LinesPicture & { isLong: boolean }) | undefined {
  const axis = intervalAxis(table, metric.cells)
  if (!axis) return undefined
  const split = splitOf(metric.view)
  const sides = sidesOf(metric, split)
  const panels = groupByPlace(metric.cells, split).map(({ name, cells }) => ({
    name,
    lines: barsIn(cells, split, sides).map(({ side, placed }) => ({
      side,
      points: intervalPoints(table, placed, axis.axis),
    })),
  }))
  const drawn = panels.slice(0, MAX_PANELS)
  return {
    kind: 'lines',
    metric,
    over: axis.axis,
    ofIntervals: true,
    isLong: axis.isLong,
    sides: [...sides.sides.values()],
    panels: drawn,
    left: omittedCounts([sides.omittedCount, 'side'], [panels.length - drawn.length, 'panel']),
  }
}

/** Minimum number of points for lines to be shown before bars: two points make no curve. */
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
  const lines = quantitiesOf(metric).flatMap(axis => linesOver(metric, axis) ?? [])
  const bars = barsOf(table, figure, names) ?? []
  const time = linesOverTime(table, metric)
  const [first] = lines
  const ordered = first && first.over.points.length >= MIN_POINTS ? [...lines, bars].flat() : [bars, ...lines].flat()
  if (!time) return ordered
  return time.isLong ? [time, ...ordered] : [...ordered, time]
}

export { type HistogramPicture, histogramsOf }
