/** Overlaid runs: queue depth and throughput as run-coloured curves on one wide plot. */

import { useCallback, useMemo } from 'react'
import { figure, seconds } from '../../lib/format'
import { words as depthWords } from '../queue-depth/summary'
import { absentSentences } from '../shared/answers/absent'
import { lostIn, united } from '../shared/answers/lost'
import type { ChartFrame } from '../shared/answers/shown'
import type { Table } from '../shared/answers/table'
import { useAnswers } from '../shared/answers/useAnswers'
import { ALL_RUNS } from '../shared/answers/words'
import { Legend } from '../shared/frame/Legend'
import { Plot } from '../shared/frame/Plot'
import { Row } from '../shared/frame/Row'
import type { LegendEntry } from '../shared/paint/legendEntry'
import { runDash, runToken } from '../shared/paint/palette'
import type { Surface } from '../shared/paint/surface'
import { amountScale, amountTicks, binWidth, tickLabel, topOfAmounts } from '../shared/paint/ticks'
import { binsOver } from '../shared/paint/viewport'
import { words as rateWords } from '../throughput/summary'
import { drawLine, endPoint, type RunLine } from './draw'
import { type JointSpec, jointDepth, jointRate, type RunSeries, runSeries } from './spec'
import { wideFrame } from './wide'

const BIN_PX = 4
/** Completions are discrete: rates need wider bins than depth. */
const RATE_PX = 12

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
  const depths = useMemo(() => runSeries(jointDepth, disks, depth), [disks, depth])
  const rates = useMemo(() => runSeries(jointRate, timed, rate), [timed, rate])
  const legend = (
    <Legend
      entries={shown.map(
        (run): LegendEntry => ({
          label: run.letter,
          more: ` ${run.run.label}`,
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
          spec={jointDepth}
          what={jointDepth.what(binWidth(bins.bin))}
          series={depths}
          words={disks.map(depthWords)}
          legend={legend}
          timed={false}
        />
      )}
      <Lines
        frame={wide}
        spec={jointRate}
        what={jointRate.what(binWidth(rough.bin))}
        series={rates}
        words={timed.map(rateWords)}
        legend={legend}
        timed
      />
      {[jointDepth, jointRate]
        .flatMap(({ title, chart }) => absentSentences(title, shown, chart))
        .map(sentence => (
          <p key={sentence} className="chart-sentence" data-absent="">
            {sentence}
          </p>
        ))}
    </>
  )
}

interface LinesProps {
  readonly frame: ChartFrame
  readonly spec: Pick<JointSpec<'depth' | 'rate'>, 'title' | 'chart' | 'units' | 'measured'>
  readonly what: string
  readonly series: readonly RunSeries[]
  readonly words: readonly string[]
  readonly legend: React.ReactNode
  readonly timed: boolean
}

/** The lines of all runs, and how they are drawn on one scale. */
function useLines({ palette, plotWidth, view }: ChartFrame, series: readonly RunSeries[], max: number, height: number) {
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
      const scene = { range: view.range, width: plotWidth, y: amountScale(max, height) }
      for (const line of lines) drawLine(surface, line, scene)
    },
    [lines, view.range, plotWidth, max, height],
  )
  return { lines, draw }
}

/** Whether a bin is within the run. */
function isWithin({ range, values, run }: RunSeries, i: number): boolean {
  const bin = (range.t1 - range.t0) / values.length
  return range.t0 + (i + 1) * bin > run.begin && range.t0 + i * bin < run.end
}

function tableOf(title: string, series: readonly RunSeries[]): Table {
  const [first] = series
  const bin = first === undefined ? 0 : (first.range.t1 - first.range.t0) / first.values.length
  return {
    title,
    columns: [{ label: 'from, s' }, ...series.map(s => ({ label: s.run.letter }))],
    rows: Array.from({ length: Math.max(0, ...series.map(s => s.values.length)) }, (_, i) => [
      ((first?.range.t0 ?? 0) + i * bin) / 1e9,
      ...series.map(s => (isWithin(s, i) ? (s.values[i] ?? '') : '')),
    ]),
  }
}

/** `12 IOPS`, or that the run has not started or has ended. */
function valueWords({ range, values, run }: RunSeries, t: number, unit: string): string {
  if (t < run.begin) return 'not started'
  if (t >= run.end) return 'ended'
  const value = values[Math.floor(((t - range.t0) / (range.t1 - range.t0)) * values.length)]
  return `${figure(value ?? 0)} ${unit}`
}

function Lines({ frame, spec, what, series, words, legend, timed }: LinesProps) {
  const { title, units, measured } = spec
  const { plotWidth, view, shown } = frame
  const height = frame.sizes.overlay
  const max = topOfAmounts(Math.max(0, ...series.map(s => s.values.reduce((a, b) => Math.max(a, b), 0))))
  const y = amountScale(max, height)
  const ticks = amountTicks(max).filter(v => v <= max)
  const { lines, draw } = useLines(frame, series, max, height)
  const lost = useMemo(() => united(series.flatMap(s => lostIn(s.run))), [series])
  return (
    <Row
      joint
      frame={frame}
      title={title}
      what={what}
      height={height}
      ticks={ticks.map(v => ({ position: y(v), label: tickLabel(v) }))}
      legend={legend}
      words={words}
      table={() => tableOf(`${title}: ${what}`, series)}
      measured={measured}
      timed={timed}
      plot={run => (
        <Plot
          frame={frame}
          run={{ ...run, letter: ALL_RUNS }}
          joint={series.map(s => s.run)}
          name={title}
          words={words.join(' ')}
          height={height}
          lines={ticks.slice(1).map(y)}
          draw={draw}
          lost={lost}
          tip={t => ({
            title: `${seconds(t, 3)} s`,
            rows: series.map(s => [s.run.letter, valueWords(s, t, units.value)]),
          })}
          first={spec.chart === jointDepth.chart || shown.every(s => s.device.role !== 'disk')}
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
