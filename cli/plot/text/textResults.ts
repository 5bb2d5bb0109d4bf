/** Results of benchmarks as bars in text: the sides below each other, by metric, place or bin. */
import { directionWords } from '../../../web/compare/pictures/drawBars'
import { curveName } from '../../../web/compare/pictures/drawHistogram'
import { leftWords, valueText } from '../../../web/compare/pictures/marks'
import { titleOf } from '../../../web/compare/pictures/pictureWords'
import type { HistogramPicture, LinesPicture, ResultPicture } from '../../../web/compare/pictures/shape'
import type { MetricCells, PlacedCell, Side } from '../../../web/compare/pictures/sides'
import type { ResultsDocument } from '../../../web/engine/protocol'
import { duration, share } from '../../../web/lib/format'
import { drawnTables } from '../picture/pictureResults'
import { chartLines, type TextChart } from './block'
import { cutTo, glyphs, type Screen, type StyledLine, spoken } from './screen'
import { barLines, type TextBar } from './textBars'

interface TextGroup {
  readonly name: string
  readonly rows: readonly { readonly label: string; readonly amount: number; readonly text: string }[]
}

const row = (side: Side, placed: PlacedCell, metric: MetricCells): TextGroup['rows'][number] => ({
  label: side.letter,
  amount: placed.cell.mean ?? 0,
  text: [valueText(placed, metric), placed.cell.change?.text ?? (placed.isBase ? 'baseline' : '')].join(' ').trim(),
})

function histogramGroups({ panels, grid }: HistogramPicture): readonly TextGroup[] {
  return panels.flatMap(({ name, curves }) => {
    const indexes = [...new Set(curves.flatMap(({ counts }) => [...counts.keys()]))].toSorted((a, b) => a - b)
    return indexes.map(index => ({
      name: [name, `${duration(grid.from(index))} to ${duration(grid.to(index))}`]
        .filter(word => word !== '')
        .join(', '),
      rows: curves.map(({ side, counts, n }) => {
        const amount = (counts.get(index) ?? 0) / n
        return { label: side.letter, amount, text: share(amount) }
      }),
    }))
  })
}

/** Of more intervals, some at equal distances. */
const MAX_INTERVALS = 24

function drawnPoints({ over: { points }, ofIntervals }: LinesPicture): readonly number[] {
  const all = points.map((_, i) => i)
  const step = ofIntervals ? Math.ceil(points.length / MAX_INTERVALS) : 1
  return all.filter(i => i % step === 0)
}

function groupsOf(picture: ResultPicture): readonly TextGroup[] {
  switch (picture.kind) {
    case 'bars':
      return picture.groups.map(({ name, metric, bars }) => ({
        name: picture.isByMetric
          ? [name, metric.view.scale.unit, directionWords(metric)].filter(word => word !== '').join(', ')
          : name,
        rows: bars.map(({ side, placed }) => row(side, placed, metric)),
      }))
    case 'lines':
      return picture.panels.flatMap(({ name, lines }) =>
        drawnPoints(picture).map(i => ({
          name: [name, `${picture.over.name} ${picture.over.points[i]?.value}`].filter(word => word !== '').join(', '),
          rows: lines.flatMap(({ side, points }) => {
            const point = points[i]
            return point ? [row(side, point, picture.metric)] : []
          }),
        })),
      )
    case 'histogram':
      return histogramGroups(picture)
  }
}

function metricWords(picture: ResultPicture): string {
  if (picture.kind === 'histogram') return `share of I/Os per bin; ${picture.grid.what}`
  const metric = picture.kind === 'lines' ? picture.metric : picture.isByMetric ? undefined : picture.groups[0]?.metric
  return metric ? [metric.view.scale.unit, directionWords(metric)].filter(word => word !== '').join(', ') : ''
}

function skippedWords(picture: ResultPicture): readonly string[] {
  if (picture.kind !== 'lines') return []
  const [drawn, all] = [drawnPoints(picture).length, picture.over.points.length]
  return drawn < all ? [`${drawn} of ${all} intervals; SVG and PNG have all.`] : []
}

function chartOf(picture: ResultPicture, screen: Screen): TextChart {
  const groups = groupsOf(picture)
  const full = glyphs(screen).full
  const amounts = groups.flatMap(({ rows }) => rows.map(({ amount }) => amount))
  const valueWidth = Math.max(0, ...groups.flatMap(({ rows }) => rows.map(({ text }) => spoken(screen, text).length)))
  const isByMetric = picture.kind === 'bars' && picture.isByMetric
  const plots = groups.flatMap(({ name, rows }): readonly StyledLine[] => {
    const most = isByMetric ? Math.max(...rows.map(({ amount }) => amount)) : Math.max(...amounts)
    const bars = rows.map(
      ({ label, amount, text }): TextBar => ({ label, pieces: [{ value: amount, character: full }], value: text }),
    )
    const head: readonly StyledLine[] = name === '' ? [] : [[{ text: cutTo(spoken(screen, name), screen.columns) }]]
    return [...head, ...barLines(screen, bars, most > 0 ? most : 1, valueWidth)]
  })
  const words = metricWords(picture)
  const names =
    picture.kind === 'histogram'
      ? picture.panels[0]?.curves.map(curve => `${curve.side.letter} ${curveName(curve)}`)
      : picture.sides.map(({ letter, name, isBase }) => `${letter} ${name}${isBase ? ' (baseline)' : ''}`.trim())
  return {
    title: words === '' ? titleOf(picture) : `${titleOf(picture)}: ${words}`,
    legend: names ?? [],
    plots,
    words: [...(picture.left.length > 0 ? [leftWords(picture.left)] : []), ...skippedWords(picture)],
  }
}

/** Absent where no table has anything to draw. */
export function resultLines(document: ResultsDocument, screen: Screen): readonly StyledLine[] | undefined {
  const charts = drawnTables(document).tables.flatMap(({ pictures }) => pictures)
  if (charts.length === 0) return undefined
  return charts.flatMap((picture, i) => [...(i > 0 ? [[]] : []), ...chartLines(screen, chartOf(picture, screen))])
}
