/** Overlaid runs: queue depth and throughput as run-coloured curves on one wide plot. */

import { useCallback, useMemo } from 'react'
import type { Range } from '../../engine/protocol'
import type { Measured } from '../../lib/docs'
import { words as depthWords } from '../queue-depth/summary'
import { absentSentences } from '../shared/absent'
import { Legend } from '../shared/Legend'
import type { LegendEntry } from '../shared/legendEntry'
import { lostIn, united } from '../shared/lost'
import { Plot } from '../shared/Plot'
import { runDash, runToken } from '../shared/palette'
import { Row } from '../shared/Row'
import type { ChartFrame, Shown } from '../shared/shown'
import type { Surface } from '../shared/surface'
import type { Table } from '../shared/table'
import { amountScale, amountTicks, binWidth, tickLabel, topOfAmounts } from '../shared/ticks'
import { useAnswers } from '../shared/useAnswers'
import { binsOver } from '../shared/viewport'
import { words as rateWords } from '../throughput/summary'
import { drawLine, endPoint, type RunLine } from './draw'
import { wideFrame } from './wide'

const BIN_PX = 4
/** Completions are discrete: rates need wider bins than depth. */
const RATE_PX = 12

/** One binned series of a run, in the unit of its row. */
interface RunSeries {
  readonly run: Shown
  readonly range: Range
  readonly values: Float64Array
}

export function Overlay({ frame }: { readonly frame: ChartFrame }) {
  const { shown, view } = frame
  const wide = useMemo(() => wideFrame(frame), [frame])
  const bins = binsOver(view.range, wide.plotWidth, BIN_PX)
  const rough = binsOver(view.range, wide.plotWidth, RATE_PX)
  const disks = useMemo(
    () => shown.filter(s => s.device.role === 'disk' && s.device.absent?.depth === undefined),
    [shown],
  )
  const timed = useMemo(() => shown.filter(s => s.device.absent?.throughput === undefined), [shown])
  const depth = useAnswers(
    'depth',
    disks,
    run => ({ device: run.device.index, range: bins.range, n: bins.n }),
    'overlay-depth',
  )
  const rate = useAnswers(
    'rate',
    timed,
    run => ({ filter: run.filter, range: rough.range, n: rough.n }),
    'overlay-rate',
  )
  const depths = useMemo(
    () =>
      disks.flatMap((run, i): RunSeries[] =>
        depth[i]?.answer && depth[i].ask ? [{ run, range: depth[i].ask.range, values: depth[i].answer.mean }] : [],
      ),
    [disks, depth],
  )
  const rates = useMemo(
    () =>
      timed.flatMap((run, i): RunSeries[] => {
        const { ask, answer } = rate[i] ?? {}
        if (ask === undefined || answer === undefined) return []
        const seconds = (ask.range.t1 - ask.range.t0) / ask.n / 1e9
        return [
          {
            run,
            range: ask.range,
            values: answer.readBytes.map((v, k) => (v + (answer.writeBytes[k] ?? 0)) / 1e6 / seconds),
          },
        ]
      }),
    [timed, rate],
  )
  const legend = (
    <Legend
      entries={shown.map(
        (run): LegendEntry => ({
          label: `${run.letter} ${run.run.label}`,
          token: runToken(run.letter),
          shape: runToken(run.letter) === 'run-b' ? 'line' : 'dash',
        }),
      )}
    />
  )
  return (
    <>
      {disks.length > 0 && (
        <Lines
          frame={wide}
          title="Queue depth"
          what={`requests in flight; mean per ${binWidth(bins.bin)}`}
          unit="mean"
          series={depths}
          words={disks.map(depthWords)}
          legend={legend}
          measured="depth-series"
          timed={false}
        />
      )}
      <Lines
        frame={wide}
        title="Throughput"
        what={`MB/s read and written, completed per ${binWidth(rough.bin)}`}
        unit="MB/s"
        series={rates}
        words={timed.map(rateWords)}
        legend={legend}
        measured="rate-series"
        timed
      />
      {[...absentSentences('Queue depth', shown, 'depth'), ...absentSentences('Throughput', shown, 'throughput')].map(
        sentence => (
          <p key={sentence} className="chart-sentence" data-absent="">
            {sentence}
          </p>
        ),
      )}
    </>
  )
}

interface LinesProps {
  readonly frame: ChartFrame
  readonly title: string
  readonly what: string
  readonly unit: string
  readonly series: readonly RunSeries[]
  readonly words: readonly string[]
  readonly legend: React.ReactNode
  readonly timed: boolean
  readonly measured: Measured
}

function Lines({ frame, title, what, unit, series, words, legend, measured, timed }: LinesProps) {
  const { palette, plotWidth, view, shown } = frame
  const height = frame.sizes.overlay
  const highest = topOfAmounts(Math.max(0, ...series.map(s => s.values.reduce((a, b) => Math.max(a, b), 0))))
  const y = amountScale(highest, height)
  const ticks = amountTicks(highest).filter(v => v <= highest)
  const lines = useMemo(
    () =>
      series.map(
        (s): RunLine => ({
          range: s.range,
          values: s.values,
          begin: s.run.begin,
          end: s.run.end,
          colour: palette(runToken(s.run.letter)),
          dash: runDash(palette, s.run.letter),
        }),
      ),
    [series, palette],
  )
  const draw = useCallback(
    (surface: Surface) => {
      const scene = { range: view.range, width: plotWidth, y: amountScale(highest, height) }
      for (const line of lines) drawLine(surface, line, scene)
    },
    [lines, view.range, plotWidth, highest, height],
  )
  const lost = useMemo(() => united(series.flatMap(s => lostIn(s.run))), [series])
  const at = (s: RunSeries, t: number) =>
    s.values[Math.floor(((t - s.range.t0) / (s.range.t1 - s.range.t0)) * s.values.length)]
  /** Whether a bin is within the run. */
  const within = (s: RunSeries, i: number) => {
    const bin = (s.range.t1 - s.range.t0) / s.values.length
    return s.range.t0 + (i + 1) * bin > s.run.begin && s.range.t0 + i * bin < s.run.end
  }
  const table = (): Table => ({
    title: `${title}: ${what}`,
    columns: [{ label: 'from, s' }, ...series.map(s => ({ label: s.run.letter }))],
    rows: Array.from({ length: Math.max(0, ...series.map(s => s.values.length)) }, (_, i) => {
      const first = series[0]
      const bin = first === undefined ? 0 : (first.range.t1 - first.range.t0) / first.values.length
      return [((first?.range.t0 ?? 0) + i * bin) / 1e9, ...series.map(s => (within(s, i) ? (s.values[i] ?? '') : ''))]
    }),
  })
  return (
    <Row
      joint
      frame={frame}
      title={title}
      what={what}
      height={height}
      ticks={ticks.map(v => ({ at: y(v), label: tickLabel(v) }))}
      figure={() => legend}
      words={words}
      table={table}
      measured={measured}
      timed={timed}
      plot={run => (
        <Plot
          frame={frame}
          run={{ ...run, letter: 'all runs' }}
          joint={series.map(s => s.run)}
          name={title}
          words={words.join(' ')}
          height={height}
          lines={ticks.slice(1).map(y)}
          draw={draw}
          lost={lost}
          tip={t => ({
            title: `${(t / 1e9).toFixed(3)} s`,
            rows: series.map(s => [
              s.run.letter,
              t < s.run.begin
                ? 'not started'
                : t < s.run.end
                  ? `${tickLabel(+(at(s, t) ?? 0).toPrecision(3))} ${unit}`
                  : 'ended',
            ]),
          })}
          first={title === 'Queue depth' || shown.every(s => s.device.role !== 'disk')}
        >
          <line className="plot-zero" x1={0} x2={plotWidth} y1={height - 0.5} y2={height - 0.5} />
          {lines.map((line, i) => {
            const end = endPoint(line, { range: view.range, width: plotWidth, y })
            const letter = series[i]?.run.letter ?? ''
            return (
              end && (
                <text
                  key={letter}
                  className="plot-label"
                  x={Math.min(end.x + 4, plotWidth - 12)}
                  y={Math.max(12, end.y - 4)}
                  style={{ fill: line.colour }}
                >
                  {letter}
                </text>
              )
            )
          })}
        </Plot>
      )}
    />
  )
}
