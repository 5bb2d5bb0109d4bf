/** Queue depth, throughput and IOPS as text. */
import { words as depthWords, noDepth } from '../../../web/charts/queue-depth/summary'
import { ofDevice, type Shown } from '../../../web/charts/shared/answers/shown'
import { perSecond, type RateReply, rateAxis } from '../../../web/charts/throughput/scene'
import { type RateUnit, words as rateWords, seriesOf } from '../../../web/charts/throughput/summary'
import type { DepthSeries } from '../../../web/engine/protocol'
import type { PlotFrame } from '../frame'
import { amountAxis, columnTime, plotColumns, type TimeGrid, timeGrid } from './axes'
import { type RunPlot, type TextChart, type TextLane, timePlots, warning, wordsOr } from './block'
import { barRows, binsPerColumn, MAXIMUM_MARK, perColumn, shareRow } from './lanes'
import { glyphs, type Screen } from './screen'

const DEPTH_ROWS = 8
const WAIT_ROWS = 4
const RATE_ROWS = 6

const largest = (lists: readonly (Float64Array | undefined)[]): number => {
  let most = 0
  for (const list of lists) for (const value of list ?? []) if (value > most) most = value
  return most
}

/** What bars consist of, in ASCII. */
const THIRDS = '. and : a third and two thirds of a row'

function starvedLegend(screen: Screen): string {
  const { levels } = glyphs(screen)
  const what = 'starved: idle while bios wait'
  return screen.ascii
    ? `${what}, in tenths of the column (${levels[0]} less, ${levels.at(-1)} all)`
    : `${what}, ${levels[0]} to ${levels.at(-1)} (all of the column)`
}

function depthLanes(screen: Screen, grid: TimeGrid, series: DepthSeries, tops: DepthTops): readonly TextLane[] {
  const { columns } = grid
  const depth = amountAxis(tops.depth, DEPTH_ROWS, true)
  const waiting = amountAxis(tops.waiting, WAIT_ROWS)
  const bars = { values: series.mean, most: series.max, top: depth.top, rows: DEPTH_ROWS }
  const starved = perColumn(screen, columns, series.starved)
  return [
    { name: 'in flight', rows: barRows(screen, columns, bars), labels: depth.labels },
    ...(tops.waiting > 0
      ? [
          {
            name: 'waiting',
            rows: barRows(screen, columns, { values: series.waitMean, top: waiting.top, rows: WAIT_ROWS }),
            labels: waiting.labels,
          },
        ]
      : []),
    ...(tops.starved
      ? [
          {
            name: 'starved',
            rows: [shareRow(screen, columns, starved, 'starved')],
            labels: new Map(),
            strip: true as const,
          },
        ]
      : []),
  ]
}

/** The same scales for all runs. */
interface DepthTops {
  readonly depth: number
  readonly waiting: number
  readonly starved: boolean
}

export async function depthText(frame: PlotFrame, screen: Screen): Promise<TextChart> {
  const { shown, view } = frame
  const grid = timeGrid(view.range, plotColumns(screen.columns))
  const n = grid.columns * binsPerColumn(screen)
  const disks = shown.filter(run => run.device.role === 'disk' && run.device.absent?.depth === undefined)
  const series = await Promise.all(
    disks.map(run => run.client.query('depth', { device: run.device.index, range: grid.range, n })),
  )
  const tops: DepthTops = {
    depth: Math.max(1, largest(series.map(s => s.max))),
    waiting: largest(series.map(s => s.waitMean)),
    starved: largest(series.map(s => s.starved)) > 0,
  }
  const plots = disks.flatMap((run, i): RunPlot[] =>
    series[i] ? [{ run, lanes: depthLanes(screen, grid, series[i], tops) }] : [],
  )
  const mean = screen.ascii ? [`# mean, ${MAXIMUM_MARK} max`, THIRDS] : ['filled: mean, dots above: max']
  return {
    title: `Queue depth${ofDevice(shown)}: requests in flight${tops.waiting > 0 ? ', bios waiting' : ''}`,
    legend: disks.length === 0 ? [] : [...mean, columnTime(grid), ...(tops.starved ? [starvedLegend(screen)] : [])],
    plots: plots.length === 0 ? [] : timePlots(screen, grid, plots),
    words: shown.map(depthSentence),
  }
}

const depthSentence = (run: Shown): string =>
  run.device.role === 'disk'
    ? wordsOr(run, 'depth', 'Queue depth', () => depthWords(run) + warning(run, ['depth', 'starved']))
    : `Queue depth of ${run.letter}: ${noDepth(run)}`

const LETTERS = { read: 'r', write: 'w', discard: 'd' } as const

export async function rateText(frame: PlotFrame, screen: Screen, unit: RateUnit): Promise<TextChart> {
  const { shown, view } = frame
  const grid = timeGrid(view.range, plotColumns(screen.columns))
  const per = binsPerColumn(screen)
  const known = shown.filter(run => run.device.absent?.throughput === undefined)
  const series = await Promise.all(
    known.map(
      async (run): Promise<RateReply> => ({
        range: grid.range,
        series: await run.client.query('rate', { filter: run.filter, range: grid.range, n: grid.columns * per }),
      }),
    ),
  )
  const { kinds } = rateAxis(series, unit)
  const values = (reply: RateReply, kind: (typeof kinds)[number]) =>
    seriesOf(reply.series, kind, unit).map(v => perSecond(v, grid.bin / per, unit))
  const axisOf = (own: typeof kinds) =>
    amountAxis(largest(series.flatMap(s => own.map(kind => values(s, kind)))), RATE_ROWS)
  // Reads and writes are compared; a discard has no data, and would leave nothing to see of them.
  const shared = axisOf(kinds.filter(kind => kind !== 'discard'))
  const discards = axisOf(kinds.filter(kind => kind === 'discard'))
  const plots = known.flatMap((run, i): RunPlot[] => {
    const reply = series[i]
    if (reply === undefined) return []
    const lanes = kinds.map((kind): TextLane => {
      const { top, labels } = kind === 'discard' ? discards : shared
      const bars = {
        values: values(reply, kind),
        top,
        rows: RATE_ROWS,
        letter: LETTERS[kind],
        ...(kinds.length > 1 && { hue: kind }),
      }
      return { name: kind, rows: barRows(screen, grid.columns, bars), labels }
    })
    return [{ run, lanes }]
  })
  const title = unit === 'bytes' ? 'Throughput' : 'IOPS'
  return {
    title: `${title}${ofDevice(shown)}: ${unit === 'bytes' ? 'MB/s' : 'requests/s'} completed`,
    legend:
      kinds.length === 0
        ? []
        : [
            ...(screen.ascii ? [kinds.map(kind => `${LETTERS[kind]} ${kind}`).join(', '), THIRDS] : []),
            columnTime(grid),
          ],
    plots: kinds.length === 0 ? [] : timePlots(screen, grid, plots),
    words: shown.map(run => wordsOr(run, 'throughput', title, () => rateWords(run) + warning(run, ['throughput']))),
  }
}

export const throughputText = (frame: PlotFrame, screen: Screen): Promise<TextChart> => rateText(frame, screen, 'bytes')
export const iopsText = (frame: PlotFrame, screen: Screen): Promise<TextChart> => rateText(frame, screen, 'ios')
