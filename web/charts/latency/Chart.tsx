/** Heat map of latency over time. */
import { useCallback } from 'react'
import type { Distribution, QueryAnswer } from '../../engine/protocol'
import { counted, duration } from '../../lib/format'
import { ns } from '../../lib/units'
import { DensityLegend } from '../shared/Legend'
import { UnreliableMark } from '../shared/LossIntervals'
import { Plot } from '../shared/Plot'
import { DENSITY_TOKENS } from '../shared/palette'
import { Row } from '../shared/Row'
import { Switch } from '../shared/Switch'
import type { ChartFrame, Shown } from '../shared/shown'
import type { Surface } from '../shared/surface'
import { binWidth, logY } from '../shared/ticks'
import { type Reply, useAnswers } from '../shared/useAnswers'
import { binsOver } from '../shared/viewport'
import { heatData } from './data'
import { drawHeat } from './draw'
import { type AxisSpan, STAGE_NAMES, spanOf, spanTicks } from './scale'
import { table, words } from './summary'

/** Side of a cell, px. */
const CELL = 4

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
      legend={<DensityLegend max={max} />}
      controls={<StageSwitch frame={frame} />}
      words={shown.map((run, i) => words(run, view.stage, known[i]))}
      measured="heat-map"
      table={() => table(shown, view.stage, known)}
      data={() => heatData(shown, replies, view.stage)}
      timed
      plot={(run, i) => (
        <HeatPlot frame={frame} run={run} reply={replies[i] ?? {}} span={span} max={max} distribution={known[i]} lines={ticks.map(t => t.at)} />
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
  readonly lines: readonly number[]
}

function HeatPlot({ frame, run, reply, span, max, distribution, lines }: HeatPlotProps) {
  const { palette, plotWidth, view } = frame
  const height = frame.sizes.latency
  const { answer, ask } = reply
  const { low, high } = span
  const draw = useCallback(
    (surface: Surface) => {
      if (answer === undefined || ask === undefined) return
      drawHeat(
        surface,
        { range: ask.range, low: ask.low, high: ask.high, w: answer.w, h: answer.h, counts: answer.counts },
        {
          range: view.range,
          width: plotWidth,
          height,
          end: run.end,
          y: logY(low, high, height),
          max,
          steps: DENSITY_TOKENS.map(palette),
          levels: distribution === undefined || distribution.n === 0 ? [] : [distribution.p50, distribution.p99],
          tail: distribution?.p99 ?? Number.POSITIVE_INFINITY,
          mark: palette('density-4'),
          line: palette('ink'),
        },
      )
    },
    [answer, ask, view.range, plotWidth, run.end, low, high, max, distribution, palette, height],
  )
  const y = logY(low, high, height)
  const over = Math.min(plotWidth, Math.max(0, ((run.end - view.range.t0) / (view.range.t1 - view.range.t0)) * plotWidth))
  return (
    <Plot
      frame={frame}
      run={run}
      name="Latency"
      words={words(run, view.stage, distribution)}
      height={height}
      lines={lines}
      draw={draw}
      tip={(t, py) => cellTip(reply, t, py / height)}
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

/** `depth`: share of the plot above the pointer, 0..1. */
function cellTip(
  { answer, ask }: { readonly answer?: QueryAnswer<'latencyGrid'>; readonly ask?: Reply<'latencyGrid'>['ask'] },
  t: number,
  depth: number,
) {
  if (answer === undefined || ask === undefined) return undefined
  const bin = (ask.range.t1 - ask.range.t0) / answer.w
  const x = Math.floor((t - ask.range.t0) / bin)
  const row = Math.min(answer.h - 1, Math.max(0, Math.floor(depth * answer.h)))
  const n = answer.counts[x * answer.h + row] ?? 0
  if (n === 0) return undefined
  const step = Math.log(ask.high / ask.low) / answer.h
  const at = (k: number) => duration(ask.high * Math.exp(-k * step))
  return {
    title: counted(n, 'request'),
    rows: [
      ['took', `${at(row + 1)} to ${at(row)}`],
      ['within', `${binWidth(bin)} from ${((ask.range.t0 + x * bin) / 1e9).toFixed(3)} s`],
    ],
  }
}
