/** Requests in flight over time, waiting bios, and when the device starved. */
import { useCallback, useMemo } from 'react'
import type { DepthSeries, FigureInterval } from '../../engine/protocol'
import { duration, figure, seconds, share } from '../../lib/format'
import {
  type ChartFrame,
  drawnBin,
  filtered,
  isDigest,
  meanNote,
  ofDevice,
  type Shown,
  scopeWords,
} from '../shared/answers/shown'
import { useAnswers } from '../shared/answers/useAnswers'
import { useIntervals } from '../shared/answers/useIntervals'
import { Legend } from '../shared/frame/Legend'
import { UnreliableMark } from '../shared/frame/LossIntervals'
import { Plot } from '../shared/frame/Plot'
import { Row } from '../shared/frame/Row'
import { endNoteOf } from '../shared/paint/ends'
import type { Surface } from '../shared/paint/surface'
import { amountScale, binWidth } from '../shared/paint/ticks'
import type { Binned } from './draw'
import { depthAxis, depthBins, GAP, paintDepth, STRIP_TOP } from './scene'
import { data, noDepth, table, words } from './summary'

export function QueueDepth({ frame }: { readonly frame: ChartFrame }) {
  const { shown, view, plotWidth, sizes } = frame
  const { bins, group } = depthBins(shown, view.range, plotWidth)
  const replies = useAnswers(
    'depth',
    shown,
    run => (run.device.role === 'disk' ? { device: run.device.index, range: bins.range, n: bins.n } : undefined),
    'depth',
  )
  const most = Math.round(plotWidth / 8)
  const exact = useAnswers(
    'starved',
    shown,
    run => (run.device.role === 'disk' ? { device: run.device.index, range: view.range, most } : undefined),
    'starved',
  )
  const series = useMemo(
    () =>
      replies.map(({ ask, answer }): Binned<DepthSeries> | undefined =>
        ask === undefined || answer === undefined ? undefined : { range: ask.range, n: ask.n, series: answer },
      ),
    [replies],
  )
  const { highest, ticks, stripTop } = depthAxis(series, group)
  const scale = amountScale(highest, sizes.depth)
  const intervals = useIntervals(shown)
  const disks = shown.some(s => s.device.role === 'disk')
  return (
    <Row
      frame={frame}
      title={`Queue depth${ofDevice(shown)}`}
      {...(disks && { chart: 'depth' as const })}
      what={
        disks
          ? `requests; mean per ${binWidth(drawnBin(shown, bins.bin))}${isDigest(shown) ? '' : ', band min to max'}${meanNote(shown)}`
          : 'needs issue events (D)'
      }
      height={disks ? sizes.depth + GAP + sizes.starved : 44}
      ticks={
        disks
          ? [
              ...ticks.map(v => ({ at: scale(v), label: String(v) })),
              { at: sizes.depth + GAP + STRIP_TOP, label: `${stripTop * 100}%` },
            ]
          : []
      }
      figure={run => <Figure frame={frame} run={run} />}
      legend={
        disks ? (
          <Legend
            entries={[
              { label: 'in flight', token: 'in-flight', shape: 'line' },
              { label: 'waiting', token: 'waiting', shape: 'dash' },
              { label: 'starved: idle while bios wait', token: 'starved' },
            ]}
          />
        ) : undefined
      }
      words={shown.map(words)}
      measured="depth-series"
      table={() => table(shown, series)}
      data={() => data(shown, series)}
      plot={(run, i) =>
        run.device.role === 'disk' ? (
          <DepthPlot
            frame={frame}
            run={run}
            bins={series[i]}
            highest={highest}
            group={group}
            stripTop={stripTop}
            intervals={exact[i]?.answer?.exact ? exact[i]?.answer?.intervals : undefined}
            lines={[...ticks.slice(1).map(scale), sizes.depth + GAP + STRIP_TOP]}
            mean={filtered(frame) ? undefined : run.figures?.depth?.mean}
            interval={intervals(run, 'depth.mean')}
            error={replies[i]?.error?.message}
          />
        ) : (
          <p className="chart-sentence">{noDepth(run)}</p>
        )
      }
    />
  )
}

/** A mean with at most one decimal. */
const short = (x: number): string => String(+x.toFixed(1))

function Figure({ frame, run }: { readonly frame: ChartFrame; readonly run: Shown }) {
  const { depth, starved } = run.figures ?? {}
  if (run.device.role !== 'disk') return undefined
  if (depth === undefined) return run.info.complete ? undefined : <>so far</>
  return (
    <>
      mean <b>{figure(depth.mean)}</b>
      <UnreliableMark spoiled={run.figures?.spoiled} names={['depth']} />
      {starved && ', starved '}
      {starved && duration(starved.total_ns)}
      {starved && <UnreliableMark spoiled={run.figures?.spoiled} names={['starved']} />}
      {scopeWords(frame)}
    </>
  )
}

interface DepthPlotProps {
  readonly frame: ChartFrame
  readonly run: Shown
  readonly bins: Binned<DepthSeries> | undefined
  /** Largest value of all runs. */
  readonly highest: number
  /** Fine bins per coarse bin. */
  readonly group: number
  /** Share at the top of the strip. */
  readonly stripTop: number
  /** Exact starved intervals, when few enough are in view. */
  readonly intervals: Float64Array | undefined
  readonly lines: readonly number[]
  /** Of the full run, and its 95 % interval. */
  readonly mean: number | undefined
  readonly interval: FigureInterval | undefined
  readonly error: string | undefined
}

function DepthPlot({
  frame,
  run,
  bins,
  highest,
  group,
  stripTop,
  intervals,
  lines,
  mean,
  interval,
  error,
}: DepthPlotProps) {
  const { palette, plotWidth, view, sizes } = frame
  const height = sizes.depth + GAP + sizes.starved
  const draw = useCallback(
    (surface: Surface) => {
      if (bins === undefined) return
      const height = { plot: sizes.depth, strip: sizes.starved }
      paintDepth(
        surface,
        { bins, intervals, mean, interval, group, stripTop, highest },
        { run, range: view.range, width: plotWidth, height, palette },
      )
    },
    [bins, intervals, mean, interval, view.range, plotWidth, run, highest, group, stripTop, palette, sizes],
  )
  const at = useCallback(
    (t: number) => {
      if (bins === undefined || t < run.begin || t >= run.end) return undefined
      return Math.floor(((t - bins.range.t0) / (bins.range.t1 - bins.range.t0)) * bins.n)
    },
    [bins, run.begin, run.end],
  )
  const readout = useCallback(
    (t: number) => {
      const i = at(t)
      if (i === undefined || bins === undefined) return undefined
      return `in flight ${short(bins.series.mean[i] ?? 0)}, waiting ${short(bins.series.waitMean[i] ?? 0)}`
    },
    [at, bins],
  )
  const tip = (t: number) => {
    const i = at(t)
    if (i === undefined || bins === undefined) return undefined
    const { mean, min, max, waitMean, waitMax, starved } = bins.series
    const bin = (bins.range.t1 - bins.range.t0) / bins.n
    return {
      title: `${run.letter}, ${binWidth(bin)} from ${seconds(bins.range.t0 + i * bin - run.moved, 3)} s`,
      rows: [
        ['in flight', `mean ${short(mean[i] ?? 0)}`, Number.isNaN(max[i]) ? '' : `${min[i] ?? 0} to ${max[i] ?? 0}`],
        ['waiting', `mean ${short(waitMean[i] ?? 0)}`, Number.isNaN(waitMax[i]) ? '' : `up to ${waitMax[i] ?? 0}`],
        ['starved', share(starved[i] ?? 0), ''],
      ],
    }
  }
  const [from, over] = [run.begin, run.end].map(t =>
    Math.min(plotWidth, Math.max(0, ((t - view.range.t0) / (view.range.t1 - view.range.t0)) * plotWidth)),
  )
  return (
    <Plot
      frame={frame}
      run={run}
      name="Queue depth"
      words={words(run)}
      height={height}
      lines={lines}
      draw={draw}
      readout={readout}
      tip={tip}
      instead={error}
      endNote={run.info.complete ? undefined : endNoteOf(run, frame.shown)}
    >
      <line className="plot-zero" x1={from} x2={over} y1={sizes.depth - 0.5} y2={sizes.depth - 0.5} />
      <line className="plot-zero" x1={from} x2={over} y1={height - 0.5} y2={height - 0.5} />
      <text className="plot-label" x={(from ?? 0) + 6} y={sizes.depth + GAP + 11}>
        starved
      </text>
    </Plot>
  )
}
