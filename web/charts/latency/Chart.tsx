/** Heat map of latency over time. */
import { useCallback, useMemo } from 'react'
import type { Distribution, FailureMarks, Query, QueryAnswer, Range } from '../../engine/protocol'
import { counted, duration, seconds } from '../../lib/format'
import { type Ns, ns } from '../../lib/units'
import type { ChartFrame, Shown } from '../shared/answers/shown'
import { useAnswers } from '../shared/answers/useAnswers'
import { DensityLegend, Legend, legendWidth } from '../shared/frame/Legend'
import { UnreliableMark } from '../shared/frame/LossIntervals'
import { Plot } from '../shared/frame/Plot'
import { Row } from '../shared/frame/Row'
import { Switch } from '../shared/menu/Switch'
import type { Surface } from '../shared/paint/surface'
import { binWidth, logY } from '../shared/paint/ticks'
import { binsOver, xOf } from '../shared/paint/viewport'
import type { Reply } from '../shared/spec'
import { heatData } from './data'
import { latencyFailureEntries, latencyFailuresAsk, latencyFailureTip } from './failures'
import { type AxisSpan, STAGE_NAMES, spanOf, spanTicks } from './scale'
import { CELL, paintHeat } from './scene'
import { table, words } from './summary'

/** About as wide as the legend of the cells. */
const DENSITY_WORDS = 'requests per cell 1 ..... 1,000, log scale'

export interface LatencyProps {
  readonly frame: ChartFrame
  /** Distribution of the visible requests, one per run: shared with the percentile curves. */
  readonly distributions: readonly Reply<'distribution'>[]
}

function StageSwitch({ frame }: { readonly frame: ChartFrame }) {
  return (
    <Switch
      label="stage"
      value={frame.view.stage}
      options={[
        ['q2c', STAGE_NAMES.q2c],
        ['d2c', STAGE_NAMES.d2c],
        ['q2d', STAGE_NAMES.q2d],
      ]}
      onChange={frame.actions.setStage}
    />
  )
}

export function Latency({ frame, distributions }: LatencyProps) {
  const { shown, view, plotWidth } = frame
  const height = frame.sizes.latency
  const span = spanOf(frame)
  const bins = binsOver(view.range, plotWidth, CELL)
  const replies = useAnswers(
    'latencyGrid',
    shown,
    run => ({
      filter: run.filter,
      range: bins.range,
      stage: view.stage,
      w: bins.n,
      h: Math.floor(height / CELL),
      low: ns(span.low),
      high: ns(span.high),
    }),
    'latency',
  )
  const failing = useAnswers(
    'failures',
    shown,
    run => (run.figures?.failed ? latencyFailuresAsk(run, view, span, plotWidth, height) : undefined),
    'latency-failures',
  )
  const failures = useMemo(() => failing.map(reply => reply.answer), [failing])
  const letters = shown.map(run => run.letter)
  const failed = latencyFailureEntries(failures, letters, view.stage)
  const max = Math.max(1, ...replies.map(r => r.answer?.max ?? 1))
  const ticks = spanTicks(span, height)
  const known = distributions.map(d => d.answer)
  return (
    <Row
      frame={frame}
      title="Latency"
      chart="latency"
      what={`${STAGE_NAMES[view.stage]}, log scale; cell ${binWidth(bins.bin)} wide`}
      height={height}
      ticks={ticks}
      figure={(run, i) => (
        <>
          <Figure distribution={known[i]} />
          <UnreliableMark spoiled={run.figures?.spoiled} names={[`latency_ns.${view.stage}`]} />
        </>
      )}
      legendWidth={legendWidth(failed.length === 0 ? [] : [DENSITY_WORDS, ...failed.map(entry => entry.label)])}
      legend={
        <>
          <DensityLegend max={max} />
          {failed.length > 0 && <Legend entries={failed} />}
        </>
      }
      controls={<StageSwitch frame={frame} />}
      words={shown.map((run, i) => words(run, view.stage, known[i], failures[i]))}
      measured="heat-map"
      table={() => table(shown, view.stage, known, failures)}
      data={() => heatData(shown, replies, failures, view.stage)}
      timed
      plot={(run, i) => (
        <HeatPlot
          frame={frame}
          run={run}
          reply={replies[i] ?? {}}
          span={span}
          max={max}
          distribution={known[i]}
          failures={failures[i]}
          lines={ticks.map(t => t.at)}
        />
      )}
    />
  )
}

function Figure({ distribution }: { readonly distribution: Distribution | undefined }) {
  if (distribution === undefined || distribution.n === 0) return undefined
  return (
    <>
      median {duration(distribution.p50)}, p99 <b>{duration(distribution.p99)}</b>
    </>
  )
}

interface HeatPlotProps {
  readonly frame: ChartFrame
  readonly run: Shown
  readonly reply: Reply<'latencyGrid'>
  readonly span: AxisSpan
  readonly max: number
  readonly distribution: Distribution | undefined
  readonly failures: FailureMarks | undefined
  readonly lines: readonly number[]
}

function HeatPlot({ frame, run, reply, span, max, distribution, failures, lines }: HeatPlotProps) {
  const { palette, plotWidth, view } = frame
  const height = frame.sizes.latency
  const { answer, ask } = reply
  const { low, high } = span
  const draw = useCallback(
    (surface: Surface) => {
      if (answer === undefined || ask === undefined) return
      paintHeat(
        surface,
        { answer, ask, max, distribution, failures },
        { run, range: view.range, width: plotWidth, height, span, palette },
      )
    },
    [answer, ask, view.range, plotWidth, run, span, max, distribution, failures, palette, height],
  )
  const y = logY(low, high, height)
  const scene = { range: view.range, width: plotWidth, height, span }
  // A click leads to the slowest request of the cell; without a pointer, of the column.
  const pick = (t: number, py?: number) => {
    const cell = answer && ask && cellOf(answer, ask, t, (py ?? 0) / height)
    if (!cell || !ask) return
    const limits =
      py === undefined ? { low: ns(0) } : { low: cell.low, ...(cell.high !== undefined && { high: cell.high }) }
    run.client.query('slowest', { filter: run.filter, range: cell.range, stage: ask.stage, ...limits }, 'slowest').then(
      ({ row }) => frame.actions.select(row < 0 ? undefined : run.id, row < 0 ? undefined : row),
      () => undefined,
    )
  }
  const over = Math.min(
    plotWidth,
    Math.max(0, ((run.end - view.range.t0) / (view.range.t1 - view.range.t0)) * plotWidth),
  )
  return (
    <Plot
      frame={frame}
      run={run}
      name="Latency"
      words={words(run, view.stage, distribution, failures)}
      height={height}
      lines={lines}
      draw={draw}
      tip={(t, py) =>
        latencyFailureTip(failures, scene, view.stage, xOf(view.range, plotWidth)(t), py, run) ??
        cellTip(reply, t, py / height, run)
      }
      pick={pick}
      instead={reply.error?.message}
    >
      {distribution !== undefined && distribution.n > 0 && (
        <>
          <text
            className="plot-label"
            x={6}
            y={y(distribution.p99) < 14 ? y(distribution.p99) + 12 : y(distribution.p99) - 4}
          >{`p99 ${duration(distribution.p99)}`}</text>
          {y(distribution.p50) - y(distribution.p99) > 14 && (
            <text className="plot-label" x={6} y={y(distribution.p50) - 4}>{`p50 ${duration(distribution.p50)}`}</text>
          )}
        </>
      )}
      <line className="plot-zero" x1={0} x2={over} y1={height - 0.5} y2={height - 0.5} />
    </Plot>
  )
}

/** A cell of the grid; the lowest and the highest row are open. */
interface LatencyCell {
  readonly n: number
  readonly range: Range
  readonly low: Ns
  readonly high?: Ns
}

/** `depth`: share of the plot above the pointer, 0..1. */
function cellOf(
  answer: QueryAnswer<'latencyGrid'>,
  ask: Query<'latencyGrid'>,
  t: number,
  depth: number,
): LatencyCell | undefined {
  const bin = (ask.range.t1 - ask.range.t0) / answer.w
  const x = Math.floor((t - ask.range.t0) / bin)
  if (x < 0 || x >= answer.w) return undefined
  const row = Math.min(answer.h - 1, Math.max(0, Math.floor(depth * answer.h)))
  const edge = (steps: number) => ns(ask.low * (ask.high / ask.low) ** (steps / answer.h))
  const begin = ask.range.t0 + x * bin
  return {
    n: answer.counts[x * answer.h + row] ?? 0,
    range: { t0: ns(begin), t1: ns(begin + bin) },
    low: row === answer.h - 1 ? ns(0) : edge(answer.h - 1 - row),
    ...(row > 0 && { high: edge(answer.h - row) }),
  }
}

function cellTip({ answer, ask }: Reply<'latencyGrid'>, t: number, depth: number, { run, moved }: Shown) {
  const cell = answer && ask && cellOf(answer, ask, t, depth)
  if (!cell || cell.n === 0) return undefined
  const { n, range, low, high } = cell
  const took =
    high === undefined
      ? `${duration(low)} or more`
      : low === 0
        ? `below ${duration(high)}`
        : `${duration(low)} to ${duration(high)}`
  return {
    title: counted(n, 'request'),
    rows: [
      ['took', took],
      ['within', `${binWidth(range.t1 - range.t0)} from ${seconds(range.t0 - moved, 3)} s`],
      ...(!run.snapshot ? [['click', n === 1 ? 'why it took so long' : 'why the slowest took so long']] : []),
    ],
  }
}
