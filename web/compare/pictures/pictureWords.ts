/** Pictures of results in words and as tables. */

import type { Table } from '../../charts/shared/answers/table'
import { count, counted, duration } from '../../lib/format'
import { capitalized } from '../../lib/text/capitalized'
import { directionWords } from './drawBars'
import { curveName } from './drawHistogram'
import { axisWords } from './drawLines'
import { leftWords, valueText } from './marks'
import type { BarsPicture, HistogramPicture, LinesPicture, MetricPicture, ResultPicture, SideLine } from './shape'
import type { MetricCells, PlacedCell, Side } from './sides'

/** Name of a form in the menu: `Bars`, `Over threads`. */
export const formName = (picture: MetricPicture): string =>
  picture.kind === 'bars' ? 'Bars' : `Over ${picture.over.name}`

/** Key of the form, as stored in links. */
export const formKey = (picture: MetricPicture): string => (picture.kind === 'bars' ? 'bars' : picture.over.key)

export function titleOf(picture: ResultPicture): string {
  if (picture.kind === 'histogram') return `Latency, ${picture.operation}`
  if (picture.kind === 'lines') return `${picture.metric.figure.label} over ${picture.over.name}`
  const [first] = picture.groups
  return picture.isByMetric ? 'Metrics side by side' : (first?.metric.figure.label ?? '')
}

const unitAndDirection = (metric: MetricCells): readonly string[] => [metric.view.scale.unit, directionWords(metric)]

function cellsIn(picture: MetricPicture): readonly PlacedCell[] {
  if (picture.kind === 'bars') return picture.groups.flatMap(({ bars }) => bars.map(({ placed }) => placed))
  return picture.panels.flatMap(({ lines }) => lines.flatMap(({ points }) => points.flatMap(point => point ?? [])))
}

/** Caption of a picture: its unit, the better direction, the scale, and what its marks are. */
export function captionOf(picture: ResultPicture): string {
  const omitted = leftWords(picture.left)
  if (picture.kind === 'histogram')
    return [`share of I/Os; ${picture.grid.what}`, omitted].filter(part => part !== '').join('. ')
  const cells = cellsIn(picture)
  const parts =
    picture.kind === 'lines'
      ? [...unitAndDirection(picture.metric), axisWords(picture)]
      : picture.isByMetric
        ? ['bars from 0, one scale per metric']
        : [...(picture.groups[0] ? unitAndDirection(picture.groups[0].metric) : []), 'bars from 0']
  if (cells.some(({ cell }) => cell.n > 1)) parts.push('whiskers: minimum to maximum of the runs')
  if (cells.some(({ cell }) => cell.within?.max !== undefined))
    parts.push('whiskers of single runs: minimum to maximum within the run')
  if (cells.some(({ cell }) => cell.printed_sd !== undefined))
    parts.push('\u00b1 and whiskers: standard deviation in the text, of an unknown number of runs')
  if (picture.kind === 'bars' && cells.some(({ isBase }) => isBase)) parts.push('dotted line: the baseline')
  const words = parts.filter(part => part !== '').join('; ')
  return omitted === '' ? words : `${words}. ${omitted}`
}

const sideName = ({ letter, name }: Side): string => (name === '' ? letter : `${letter} ${name}`)

const phrase = (side: Side, placed: PlacedCell, metric: MetricCells): string =>
  `${sideName(side)} ${valueText(placed, metric)}${placed.cell.change ? ` (${placed.cell.change.text})` : ''}`

export function wordsOf(picture: ResultPicture): readonly string[] {
  const caption = captionOf(picture)
  const sentence = `${capitalized(caption)}${caption.endsWith('.') ? '' : '.'}`
  return [sentence, ...contentOf(picture)]
}

const pointWords = ({ over: axis, metric }: LinesPicture, points: SideLine['points']): readonly string[] =>
  points.flatMap((point, i) => (point ? [`${axis.points[i]?.value}: ${valueText(point, metric)}`] : []))

/** `60 intervals from 500 ms to 30000 ms, 10853 at 12000 ms to 16420 at 3500 ms`: too many to say each of them. */
function lineWords(picture: LinesPicture, points: SideLine['points']): string {
  const present = points.flatMap((point, i) => (point ? [{ point, name: picture.over.points[i]?.value ?? '' }] : []))
  const sorted = present.toSorted((a, b) => (a.point.cell.mean ?? 0) - (b.point.cell.mean ?? 0))
  const [first, last, lowest, highest] = [present[0], present.at(-1), sorted[0], sorted.at(-1)]
  if (!first || !last || !lowest || !highest) return 'no interval'
  const value = ({ point, name }: typeof first) => `${valueText(point, picture.metric)} at ${name}`
  const intervals = `${counted(present.length, 'interval')} from ${first.name} to ${last.name}`
  return `${intervals}, ${value(lowest)} to ${value(highest)}`
}

function contentOf(picture: ResultPicture): readonly string[] {
  switch (picture.kind) {
    case 'bars':
      return picture.groups.map(({ name, metric, bars }) => {
        const unit = picture.isByMetric && metric.view.scale.unit !== '' ? `, ${metric.view.scale.unit}` : ''
        const head = name === '' ? '' : `${name}${unit}: `
        return `${head}${bars.map(({ side, placed }) => phrase(side, placed, metric)).join('; ')}.`
      })
    case 'lines':
      return picture.panels.map(({ name, lines }) => {
        const parts = lines.map(({ side, points }) => {
          const texts = picture.ofIntervals ? [lineWords(picture, points)] : pointWords(picture, points)
          return `${sideName(side)}: ${texts.join(', ')}`
        })
        return `${name === '' ? '' : `${name}. `}${parts.join('; ')}.`
      })
    case 'histogram':
      return picture.panels.map(({ name, curves }) => {
        const parts = curves.map(curve => {
          const indexes = [...curve.counts.keys()]
          const [first = 0, last = 0] = [indexes[0], indexes.at(-1)]
          const range = `${duration(picture.grid.from(first))} to ${duration(picture.grid.to(last))}`
          return `${curve.side.letter} ${curveName(curve)}: ${count(curve.n)} I/Os from ${range}`
        })
        return `${name === '' ? '' : `${name}. `}${parts.join('; ')}.`
      })
  }
}

const METRIC_COLUMNS = ['n', 'mean', 'min', 'max', 'unit'] as const

const metricRow = ({ cell }: PlacedCell, { view: { scale } }: MetricCells): readonly (string | number)[] => [
  cell.n,
  ...[cell.mean, cell.spread?.least, cell.spread?.most].map(v => (v === undefined ? '' : v / scale.per)),
  scale.unit,
]

const changeCells = ({ cell: { change } }: PlacedCell): readonly string[] => [change?.text ?? '', change?.verdict ?? '']

/** The drawn data as a table, for copying and screen readers. */
export function tableOf(picture: ResultPicture): Table {
  const title = titleOf(picture)
  if (picture.kind === 'bars') return barsTable(title, picture)
  return picture.kind === 'lines' ? linesTable(title, picture) : histogramTable(title, picture)
}

const textColumns = (...labels: readonly string[]) => labels.map(label => ({ label, text: true as const }))

function barsTable(title: string, { groups, isByMetric }: BarsPicture): Table {
  return {
    title,
    columns: [
      ...textColumns(isByMetric ? 'metric' : 'group', 'side'),
      ...METRIC_COLUMNS.map(label => ({ label, ...(label === 'unit' && { text: true }) })),
      ...textColumns('change', 'verdict'),
    ],
    rows: groups.flatMap(({ name, metric, bars }) =>
      bars.map(({ side, placed }) => [name, sideName(side), ...metricRow(placed, metric), ...changeCells(placed)]),
    ),
  }
}

function linesTable(title: string, { panels, over: axis, metric }: LinesPicture): Table {
  return {
    title,
    columns: [
      ...textColumns('group', 'side', axis.name),
      ...METRIC_COLUMNS.map(label => ({ label, ...(label === 'unit' && { text: true }) })),
      ...textColumns('change', 'verdict'),
    ],
    rows: panels.flatMap(({ name, lines }) =>
      lines.flatMap(({ side, points }) =>
        points.flatMap((point, i) =>
          point
            ? [[name, sideName(side), axis.points[i]?.value ?? '', ...metricRow(point, metric), ...changeCells(point)]]
            : [],
        ),
      ),
    ),
  }
}

function histogramTable(title: string, { panels }: HistogramPicture): Table {
  return {
    title: `${title}: I/Os by upper bound`,
    columns: [...textColumns('group', 'side'), { label: 'up to, ns' }, { label: 'I/Os' }, { label: 'cumulative' }],
    rows: panels.flatMap(({ name, curves }) =>
      curves.flatMap(curve => {
        let sum = 0
        return curve.bins.map(([bound, n]) => {
          sum += n
          return [name, `${curve.side.letter} ${curveName(curve)}`, bound, n, sum / curve.n]
        })
      }),
    ),
  }
}
