/** Completed I/O over time: MB/s or IOPS, by operation. */
import { useCallback, useMemo } from 'react'
import type { FigureInterval } from '../../engine/protocol'
import { figure, seconds } from '../../lib/format'
import { type ChartFrame, drawnBin, filtered, meanNote, type Shown, scopeWords } from '../shared/answers/shown'
import { useAnswers } from '../shared/answers/useAnswers'
import { useIntervals } from '../shared/answers/useIntervals'
import { Legend } from '../shared/frame/Legend'
import { UnreliableMark } from '../shared/frame/LossIntervals'
import { Plot } from '../shared/frame/Plot'
import { Row } from '../shared/frame/Row'
import { Switch } from '../shared/menu/Switch'
import type { LegendEntry } from '../shared/paint/legendEntry'
import type { Surface } from '../shared/paint/surface'
import { amountScale, binWidth, tickLabel } from '../shared/paint/ticks'
import { binsOver } from '../shared/paint/viewport'
import { BIN_PX, HEADROOM, intervalOf, meanOf, paintRate, perSecond, type RateReply, rateAxis, TOKENS } from './scene'
import { data, kindsInWords, type RateOp, type RateUnit, seriesOf, table, words } from './summary'

const SHAPES: Readonly<Record<RateOp, NonNullable<LegendEntry['shape']>>> = {
  read: 'line',
  write: 'square',
  discard: 'dash',
}

export function Throughput({ frame, timed }: { readonly frame: ChartFrame; readonly timed: boolean }) {
  const { shown, view, plotWidth, actions } = frame
  const height = frame.sizes.rate
  const unit: RateUnit = view.rate ?? 'bytes'
  const bins = binsOver(view.range, plotWidth, BIN_PX)
  const replies = useAnswers('rate', shown, run => ({ filter: run.filter, range: bins.range, n: bins.n }), 'rate')
  const series = useMemo(
    () =>
      replies.map(({ ask, answer }): RateReply | undefined =>
        ask === undefined || answer === undefined ? undefined : { range: ask.range, series: answer },
      ),
    [replies],
  )
  const { kinds, highest, ticks } = rateAxis(series, unit)
  const scale = amountScale(highest, height, HEADROOM)
  const legend =
    kinds.length > 1 ? (
      <Legend entries={kinds.map(kind => ({ label: kind, token: TOKENS[kind], shape: SHAPES[kind] }))} />
    ) : (
      <span className="legend">{kinds.length === 1 ? kindsInWords(kinds) : ''}</span>
    )
  const known = filtered(frame) ? undefined : meanOf
  const intervals = useIntervals(shown)
  return (
    <Row
      frame={frame}
      title={unit === 'bytes' ? 'Throughput' : 'IOPS'}
      chart="throughput"
      what={`${unit === 'bytes' ? 'MB/s' : 'requests/s'} completed per ${binWidth(drawnBin(shown, bins.bin))}${meanNote(shown)}`}
      height={height}
      ticks={ticks.map(v => ({ at: scale(v), label: tickLabel(v) }))}
      figure={run => <Figure frame={frame} run={run} />}
      legend={legend}
      controls={
        <Switch
          label="unit"
          value={unit}
          options={[
            ['bytes', 'MB/s'],
            ['ios', 'IOPS'],
          ]}
          onChange={unit => actions.setRate(unit === 'bytes' ? undefined : unit)}
        />
      }
      words={shown.map(words)}
      measured="rate-series"
      table={() => table(shown, series)}
      data={() => data(shown, series)}
      timed={timed}
      plot={(run, i) => (
        <RatePlot
          frame={frame}
          run={run}
          answered={series[i]}
          kinds={kinds}
          unit={unit}
          highest={highest}
          lines={ticks.slice(1).map(scale)}
          mean={kind => known?.(run.figures, kind, unit, kinds.length === 1)}
          interval={kind => intervalOf(key => intervals(run, key), kind, unit)}
          error={replies[i]?.error?.message}
        />
      )}
    />
  )
}

/** Two digits below 10, as in the tables. */

function Figure({ frame, run }: { readonly frame: ChartFrame; readonly run: Shown }) {
  const f = run.figures?.throughput
  if (f === undefined) return run.info.complete ? undefined : <>so far</>
  return (
    <>
      mean <b>{figure((f.read_bps + f.write_bps) / 1e6)} MB/s</b>, {figure(f.iops)} IOPS
      <UnreliableMark spoiled={run.figures?.spoiled} names={['throughput']} />
      {scopeWords(frame)}
    </>
  )
}

interface RatePlotProps {
  readonly frame: ChartFrame
  readonly run: Shown
  readonly answered: RateReply | undefined
  readonly kinds: readonly RateOp[]
  readonly unit: RateUnit
  readonly highest: number
  readonly lines: readonly number[]
  readonly mean: (kind: RateOp) => number | undefined
  /** Of the mean. */
  readonly interval: (kind: RateOp) => FigureInterval | undefined
  readonly error: string | undefined
}

function RatePlot({ frame, run, answered, kinds, unit, highest, lines, mean, interval, error }: RatePlotProps) {
  const { palette, plotWidth, view } = frame
  const height = frame.sizes.rate
  const means = kinds.map(mean)
  const intervals = kinds.map(interval)
  const key = `${kinds.join()} ${means.join()} ${intervals.join()}`
  // The key stands for `kinds`, `means` and `intervals`, which are new lists in every render.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  const draw = useCallback(
    (surface: Surface) => {
      if (answered === undefined) return
      paintRate(
        surface,
        { answered, kinds, unit, highest, means, intervals },
        { run, range: view.range, width: plotWidth, height, palette },
      )
    },
    [answered, key, unit, view.range, plotWidth, run, highest, palette, height],
  )
  const tip = (t: number) => {
    if (answered === undefined || t < run.begin || t >= run.end) return undefined
    const n = answered.series.readBytes.length
    const bin = (answered.range.t1 - answered.range.t0) / n
    const i = Math.floor((t - answered.range.t0) / bin)
    return {
      title: `${run.letter}, ${binWidth(bin)} from ${seconds(answered.range.t0 + i * bin - run.moved, 3)} s`,
      rows: kinds.map(kind => [
        kind,
        `${figure(perSecond(seriesOf(answered.series, kind, 'bytes')[i] ?? 0, bin, 'bytes'))} MB/s`,
        `${figure(perSecond(seriesOf(answered.series, kind, 'ios')[i] ?? 0, bin, 'ios'))} IOPS`,
      ]),
    }
  }
  const over = Math.min(
    plotWidth,
    Math.max(0, ((run.end - view.range.t0) / (view.range.t1 - view.range.t0)) * plotWidth),
  )
  return (
    <Plot
      frame={frame}
      run={run}
      name={unit === 'bytes' ? 'Throughput' : 'IOPS'}
      words={words(run)}
      height={height}
      lines={lines}
      draw={draw}
      tip={tip}
      instead={error}
    >
      <line className="plot-zero" x1={0} x2={over} y1={height - 0.5} y2={height - 0.5} />
    </Plot>
  )
}
