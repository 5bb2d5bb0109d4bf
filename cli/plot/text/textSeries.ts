/** Queue depth, throughput and IOPS as text. */
import {
  depthSeries,
  IN_FLIGHT,
  queueDepth,
  STARVED,
  WAITING,
  WHAT_STARVED,
} from '../../../web/charts/queue-depth/spec'
import { perSecond, type RateReply, rateAxis } from '../../../web/charts/throughput/scene'
import { iops, rateSeries, throughput } from '../../../web/charts/throughput/spec'
import { type RateUnit, seriesOf } from '../../../web/charts/throughput/summary'
import type { DepthSeries } from '../../../web/engine/protocol'
import type { PlotFrame } from '../frame'
import { loadAnswers } from '../load'
import { amountAxis, columnTime, plotColumns, type TimeGrid, timeGrid } from './axes'
import { type RunPlot, type TextChart, type TextLane, timePlots } from './block'
import { barRows, binsPerColumn, MAXIMUM_MARK, perColumn, shareRow } from './lanes'
import { glyphs, type Screen } from './screen'
import { specText } from './specText'

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
  return screen.ascii
    ? `${WHAT_STARVED}, in tenths of the column (${levels[0]} less, ${levels.at(-1)} all)`
    : `${WHAT_STARVED}, ${levels[0]} to ${levels.at(-1)} (all of the column)`
}

function depthLanes(screen: Screen, grid: TimeGrid, series: DepthSeries, tops: DepthTops): readonly TextLane[] {
  const { columns } = grid
  const depth = amountAxis(tops.depth, DEPTH_ROWS, true)
  const waiting = amountAxis(tops.waiting, WAIT_ROWS)
  const bars = { values: series.mean, most: series.max, top: depth.top, rows: DEPTH_ROWS }
  const starved = perColumn(screen, columns, series.starved)
  return [
    { name: IN_FLIGHT, rows: barRows(screen, columns, bars), labels: depth.labels },
    ...(tops.waiting > 0
      ? [
          {
            name: WAITING,
            rows: barRows(screen, columns, { values: series.waitMean, top: waiting.top, rows: WAIT_ROWS }),
            labels: waiting.labels,
          },
        ]
      : []),
    ...(tops.starved
      ? [
          {
            name: STARVED,
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
  const grid = timeGrid(frame.view.range, plotColumns(screen.columns))
  const cells = { range: grid.range, w: grid.columns * binsPerColumn(screen), h: 1 }
  const answers = await loadAnswers(frame, queueDepth, () => cells)
  const runs = depthSeries(answers).flatMap((bins, i) => {
    const run = frame.shown[i]
    return bins && run ? [{ run, series: bins.series }] : []
  })
  const series = runs.map(run => run.series)
  const tops: DepthTops = {
    depth: Math.max(1, largest(series.map(s => s.max))),
    waiting: largest(series.map(s => s.waitMean)),
    starved: largest(series.map(s => s.starved)) > 0,
  }
  const plots = runs.map(({ run, series }): RunPlot => ({ run, lanes: depthLanes(screen, grid, series, tops) }))
  const mean = screen.ascii ? [`# mean, ${MAXIMUM_MARK} max`, THIRDS] : ['filled: mean, dots above: max']
  return {
    ...specText(frame, queueDepth, answers, cells),
    legend: plots.length === 0 ? [] : [...mean, columnTime(grid), ...(tops.starved ? [starvedLegend(screen)] : [])],
    plots: plots.length === 0 ? [] : timePlots(screen, grid, plots),
  }
}

const LETTERS = { read: 'r', write: 'w', discard: 'd' } as const

async function rateText(frame: PlotFrame, screen: Screen, spec: typeof throughput, unit: RateUnit): Promise<TextChart> {
  const grid = timeGrid(frame.view.range, plotColumns(screen.columns))
  const per = binsPerColumn(screen)
  const cells = { range: grid.range, w: grid.columns * per, h: 1 }
  const answers = await loadAnswers(frame, spec, () => cells)
  const series = rateSeries(answers)
  const { kinds } = rateAxis(series, unit)
  const values = (reply: RateReply, kind: (typeof kinds)[number]) =>
    seriesOf(reply.series, kind, unit).map(v => perSecond(v, grid.bin / per, unit))
  const axisOf = (operations: typeof kinds) =>
    amountAxis(largest(series.flatMap(s => (s ? operations.map(kind => values(s, kind)) : []))), RATE_ROWS)
  // Reads and writes are compared; a discard has no data, and would leave nothing to see of them.
  const shared = axisOf(kinds.filter(kind => kind !== 'discard'))
  const discards = axisOf(kinds.filter(kind => kind === 'discard'))
  const plots = frame.shown.flatMap((run, i): RunPlot[] => {
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
  const letters = screen.ascii ? [kinds.map(kind => `${LETTERS[kind]} ${kind}`).join(', '), THIRDS] : []
  return {
    ...specText(frame, spec, answers, cells),
    legend: kinds.length === 0 ? [] : [...letters, columnTime(grid)],
    plots: kinds.length === 0 ? [] : timePlots(screen, grid, plots),
  }
}

export const throughputText = (frame: PlotFrame, screen: Screen): Promise<TextChart> =>
  rateText(frame, screen, throughput, 'bytes')
export const iopsText = (frame: PlotFrame, screen: Screen): Promise<TextChart> => rateText(frame, screen, iops, 'ios')
