/** All figures of a table of results as rows, in sections: one row per figure, and per place where it has several. */
import { FIGURE_SECTIONS, type FigureSection, type MatrixFigure, type ResultMatrix } from '../../engine/protocol'
import type { MatrixLayout, ResultsView } from '../../link/view'
import { largestValue } from '../deviation'
import { isInterval } from '../pictures/intervals'
import { type BarGroup, placedBars } from '../pictures/shape'
import { metricCells, splitOf } from '../pictures/sides'

export const SECTION_NAMES: Readonly<Record<FigureSection, string>> = {
  throughput: 'Throughput',
  rate: 'Operations per second',
  latency: 'Latency and time',
  percentile: 'Percentiles',
  other: 'Other figures',
}

/** One row: a figure at one place. */
export interface FigureRow {
  readonly key: string
  readonly section: FigureSection
  readonly group: BarGroup
  /** Right end of the scale of the bars, in the unit: the same for all places of the figure. */
  readonly top: number
}

/** Keys of figures that are the spread of another one: they are drawn in its row. */
function spreadKeys(figures: readonly MatrixFigure[]): ReadonlySet<string> {
  return new Set(figures.flatMap(({ beside = {} }) => [beside.sd, beside.least, beside.most].flatMap(key => key ?? [])))
}

/** Figures that have rows, those that the user hid among them. */
export function rowFigures({ figures }: Pick<ResultMatrix, 'figures'>): readonly MatrixFigure[] {
  const spreads = spreadKeys(figures)
  return figures.filter(({ key }) => !spreads.has(key))
}

/** The figure in whose row a figure is drawn: its own key, unless it is the spread of another one. */
export const rowOfFigure = ({ figures }: Pick<ResultMatrix, 'figures'>, key: string): string =>
  figures.find(({ beside = {} }) => Object.values(beside).includes(key))?.key ?? key

/** Removes the tool from a label: it is in the heading. */
export const shortLabel = ({ tool }: Pick<ResultMatrix, 'tool'>, label: string): string =>
  label.startsWith(`${tool} `) ? label.slice(tool.length + 1) : label

/** All rows in the order of the engine: sections one after the other. */
export function figureRows(
  table: ResultMatrix,
  sides: readonly string[],
  hidden: readonly string[] = [],
): readonly FigureRow[] {
  const hiddenKeys = new Set(hidden)
  const rows = rowFigures(table)
    .filter(({ key }) => !hiddenKeys.has(key))
    .flatMap(figure => {
      const metric = metricCells(table, figure, sides)
      const top = largestValue(metric.view.matrix) / metric.view.scale.per
      return placedBars(metric).map(
        (group): FigureRow => ({
          key: `${figure.key}\u0001${group.name}`,
          section: figure.section ?? 'other',
          group,
          top,
        }),
      )
    })
  const order = (row: FigureRow) => FIGURE_SECTIONS.indexOf(row.section)
  return rows.toSorted((a, b) => order(a) - order(b))
}

/** Rows whose figure, section or place contain all of the words. */
export function matchingRows(rows: readonly FigureRow[], words: readonly string[]): readonly FigureRow[] {
  if (words.length === 0) return rows
  return rows.filter(({ section, group }) => {
    const text = `${group.metric.figure.label} ${group.name} ${SECTION_NAMES[section]}`.toLowerCase()
    return words.every(word => text.includes(word))
  })
}

/** The words of a search, lower case. */
export const wordsOfSearch = (text: string): readonly string[] => text.toLowerCase().split(/\s+/).filter(Boolean)

/** Number of intervals from which on a table is first shown as a chart. */
const MIN_INTERVALS = 20

/** Counts and percentiles of what is also there as a histogram, or a long series. */
const isPicture = ({ runs, figures }: ResultMatrix): boolean =>
  runs.filter(isInterval).length >= MIN_INTERVALS ||
  (runs.some(run => run.distributions) &&
    figures.every(({ section }) => section === 'percentile' || section === 'other'))

/**
 * Several figures of the same thing are rows next to each other, one figure in many places is a matrix; series and
 * histograms are pictures.
 */
export function resultsView({ show }: Pick<MatrixLayout, 'show'>, table: ResultMatrix | undefined): ResultsView {
  if (show) return show
  if (table && isPicture(table)) return 'chart'
  const [figure] = table?.figures ?? []
  if (!table || !figure || table.figures.length < 2) return 'matrix'
  const { view } = metricCells(table, figure)
  return splitOf(view).places.length === 0 ? 'table' : 'matrix'
}
