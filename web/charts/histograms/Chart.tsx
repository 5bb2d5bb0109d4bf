/** Request sizes and latencies of all runs in one histogram each: overlaid, or the difference of two. */

import { useCallback, useMemo } from 'react'
import type { Distribution } from '../../engine/protocol'
import { sectorSize } from '../../lib/format'
import { signedScale } from '../difference/draw'
import type { Pair } from '../difference/pair'
import { difference, sideEntries } from '../difference/spec'
import { signed } from '../difference/summary'
import { roundTime } from '../latency/scale'
import type { ChartFrame, Shown } from '../shared/answers/shown'
import { sizesChoice } from '../shared/answers/sizesAt'
import type { Table } from '../shared/answers/table'
import { useAnswers } from '../shared/answers/useAnswers'
import { MEASURED_AT } from '../shared/answers/words'
import { Canvas } from '../shared/frame/Canvas'
import { Legend } from '../shared/frame/Legend'
import { Panel } from '../shared/frame/Panel'
import { ValueAxis } from '../shared/frame/Row'
import { Choice } from '../shared/menu/Choice'
import { runDash, runToken } from '../shared/paint/palette'
import type { Surface } from '../shared/paint/surface'
import { amountScale, amountTicks, logTicks, tickLabel, topOfAmounts } from '../shared/paint/ticks'
import type { PageSpec, Reply } from '../shared/spec'
import { asShares, type HistogramBar, type HistogramUnit, latencyBars, lessFirst, sizeBars } from './bars'
import { type EdgeUnit, histogramData } from './data'
import { drawDifferences, drawRuns, type LogAxis, logX } from './draw'
import {
  emptyWords,
  histogramTitle,
  latencyHistogram,
  latencyWhat,
  NO_COUNTS,
  sizeHistogram,
  sizesWhat,
  UNIT_NAMES,
  unitName,
} from './spec'
import { histogramWords } from './summary'

interface HistogramPanelProps {
  readonly frame: ChartFrame
  /** Difference of these two; absent: all runs overlaid. */
  readonly pair?: Pair
  /** Width of the panel, px. */
  readonly width: number
}

export function SizeHistogram({ frame, pair, width }: HistogramPanelProps) {
  const { view, actions } = frame
  const shown = pair ? [pair.base, pair.other] : frame.shown
  // Arrays have no issue events: showing zero issued requests would be wrong.
  const { seen, options } = sizesChoice(
    shown.map(s => s.device),
    view.sizesAt,
    'all',
  )
  const replies = useAnswers(
    'sizes',
    shown,
    run => ({ filter: run.filter, range: view.range, at: seen }),
    'size-histogram',
    150,
  )
  const bars = useMemo(() => sizeBars(replies.map(r => r.answer)), [replies])
  return (
    <Histogram
      frame={frame}
      shown={shown}
      {...(pair && { pair })}
      width={width}
      spec={sizeHistogram}
      what={sizesWhat(seen)}
      bars={bars}
      isRead={replies.every(r => r.answer !== undefined)}
      failed={replies.find(r => r.error)?.error?.message}
      ticks={sizeTicks}
      edges={{ unit: 'sectors', per: 1 }}
      controls={
        <Choice label={MEASURED_AT} value={seen} options={options.map(a => [a, a])} onChange={actions.setSizesAt} />
      }
    />
  )
}

export function LatencyHistogram({
  frame,
  pair,
  width,
  distributions,
}: HistogramPanelProps & { readonly distributions: readonly Reply<'distribution'>[] }) {
  const shown = pair ? [pair.base, pair.other] : frame.shown
  const bars = useMemo(() => {
    const distributionOf = (run: Shown): Distribution | undefined => distributions[frame.shown.indexOf(run)]?.answer
    return latencyBars((pair ? [pair.base, pair.other] : frame.shown).map(distributionOf))
  }, [distributions, frame.shown, pair])
  const bare = distributions.some(({ answer }) => answer && answer.n > 0 && answer.counts.length === 0)
  return (
    <Histogram
      frame={frame}
      shown={shown}
      {...(pair && { pair })}
      width={width}
      spec={latencyHistogram}
      what={latencyWhat(frame.view.stage)}
      bars={bars}
      isRead={distributions.every(r => r.answer !== undefined) && !bare}
      failed={bare ? NO_COUNTS : distributions.find(r => r.error)?.error?.message}
      ticks={latencyTicks}
      edges={{ unit: 'ms', per: 1e6 }}
    />
  )
}

/** Round times; for a short span also its ends. */
function latencyTicks(low: number, high: number, width: number): readonly (readonly [number, string])[] {
  const round = logTicks(low, high, Math.max(2, Math.floor(width / 64)))
  return (round.length < 2 ? [low, ...round, high] : round).map(v => [v, roundTime(v)] as const)
}

/** Powers of two, as many as their labels fit. */
function sizeTicks(low: number, high: number, width: number): readonly (readonly [number, string])[] {
  const all: number[] = []
  for (let s = 2 ** Math.ceil(Math.log2(low)); s <= high; s *= 2) all.push(s)
  const every = Math.max(1, Math.ceil((all.length * 58) / width))
  return all.filter((_, i) => i % every === 0).map(s => [s, sectorSize(s)] as const)
}

interface HistogramProps extends HistogramPanelProps {
  readonly shown: readonly Shown[]
  readonly spec: PageSpec
  readonly what: string
  readonly bars: readonly HistogramBar[]
  /** Whether all runs have their answer. */
  readonly isRead: boolean
  readonly failed: string | undefined
  readonly controls?: React.ReactNode
  /** Unit of the values in CSV, and the engine's units per unit. */
  readonly edges: EdgeUnit
  readonly ticks: (low: number, high: number, width: number) => readonly (readonly [number, string])[]
}

/** Bars in the unit of the view, and how they are drawn. */
function useBars({ frame, shown, pair, width: whole, bars: counted }: HistogramProps) {
  const { palette, axisWidth } = frame
  const height = frame.sizes.latency
  const unit: HistogramUnit = frame.view.bars ?? 'share'
  const width = Math.max(80, whole - axisWidth - 8)
  const bars = useMemo(() => {
    const scaled = unit === 'share' ? asShares(counted) : counted
    return pair ? lessFirst(scaled) : scaled
  }, [counted, unit, pair])
  const max = topOfAmounts(Math.max(0, ...bars.flatMap(b => b.values.map(Math.abs))), 2)
  const y = useMemo(() => (pair ? signedScale(max, height) : amountScale(max, height)), [pair, max, height])
  const low = Math.min(...bars.map(b => b.low))
  const high = Math.max(...bars.map(b => b.high))
  const axis = useMemo((): LogAxis => ({ width, low, high }), [width, low, high])
  const letters = shown.map(s => s.letter).join(' ')
  const draw = useCallback(
    (surface: Surface) => {
      if (pair) drawDifferences(surface, bars, { axis, y, less: palette('diff-less'), more: palette('diff-more') })
      else {
        const runs = letters.split(' ')
        drawRuns(surface, bars, {
          axis,
          y,
          colours: runs.map(l => palette(runToken(l))),
          dashes: runs.map(l => runDash(palette, l)),
        })
      }
    },
    [pair, bars, axis, y, palette, letters],
  )
  const amounts = amountTicks(max, 2).filter(v => v <= max)
  const values = pair ? [...amounts.slice(1).map(v => -v), ...amounts] : amounts
  const ticks = values.map(v => ({ position: y(v), label: pair ? signed(v) : tickLabel(v) }))
  return { unit, bars, axis, y, ticks, height, draw }
}

type DrawnBars = ReturnType<typeof useBars>

function histogramTable(
  { spec: { title }, what, shown, pair, bars: counted }: HistogramProps,
  { unit, bars }: DrawnBars,
): Table {
  return {
    title: `${title}, ${what}: ${unitName(unit, pair)}`,
    columns: [
      { label: title, text: true },
      ...shown.map(s => ({ label: s.letter })),
      ...(pair ? [{ label: pair.name }] : []),
    ],
    rows: (unit === 'share' ? asShares(counted) : counted).map((b, i) => [
      b.label,
      ...b.values,
      ...(pair ? [bars[i]?.values[0] ?? 0] : []),
    ]),
  }
}

function Histogram(props: HistogramProps) {
  const { frame, shown, pair, spec, what, bars: counted, isRead, failed, controls, edges } = props
  const drawn = useBars(props)
  const { unit } = drawn
  const words = histogramWords(spec.title, shown, counted, pair)
  const sentence = emptyWords(shown, counted, drawn.bars, isRead, pair)
  const table = () => histogramTable(props, drawn)
  return (
    <Panel
      frame={frame}
      {...(spec.chart && { chart: spec.chart, shown })}
      title={histogramTitle(spec, pair)}
      what={`${what}; ${unitName(unit, pair)}`}
      words={words}
      measured={pair ? difference.measured : spec.measured}
      table={table}
      data={(): Table => ({ ...table(), ...histogramData(shown, counted, pair, edges) })}
      controls={
        <>
          {controls}
          <Choice
            label="unit"
            value={unit}
            options={[
              ['share', UNIT_NAMES.share],
              ['requests', UNIT_NAMES.requests],
            ]}
            onChange={unit => frame.actions.setBars(unit === 'share' ? undefined : unit)}
          />
        </>
      }
    >
      {failed !== undefined && <p className="chart-sentence">{failed}</p>}
      {sentence !== undefined ? (
        <p className="chart-sentence">{sentence}</p>
      ) : (
        <HistogramPlot {...props} drawn={drawn} words={words} />
      )}
    </Panel>
  )
}

interface HistogramPlotProps extends HistogramProps {
  readonly drawn: DrawnBars
  readonly words: readonly string[]
}

function HistogramPlot({ frame, shown, pair, drawn, words, ticks: ticksOf }: HistogramPlotProps) {
  const { axis, y, ticks, height, draw } = drawn
  const { width, low, high } = axis
  const x = logX(axis)
  const zero = Math.min(y(0), height - 0.5)
  return (
    <>
      <Legend
        entries={
          pair
            ? sideEntries(pair)
            : shown.map(s => ({ label: `${s.letter} ${s.run.label}`, token: runToken(s.letter) }))
        }
      />
      <div
        className="histogram"
        style={{ gridTemplateColumns: `${frame.axisWidth}px ${width}px` }}
        role="img"
        aria-label={words.join(' ')}
      >
        <ValueAxis ticks={ticks} height={height} width={frame.axisWidth} left />
        <div className="histogram-plot" style={{ width, height: height + 20 }}>
          <svg className="plot-grid" width={width} height={height} aria-hidden="true">
            {ticks.map(tick => (
              <line key={tick.position} x1={0} x2={width} y1={tick.position} y2={tick.position} />
            ))}
          </svg>
          <Canvas width={width} height={height} draw={draw} />
          <svg width={width} height={height + 20} aria-hidden="true">
            <line className="plot-zero" x1={0} x2={width} y1={zero} y2={zero} />
            {ticksOf(low, high, width).map(([value, label]) => (
              <text
                key={value}
                className="percentiles-tick"
                x={Math.min(Math.max(x(value), 16), width - 20)}
                y={height + 14}
                textAnchor="middle"
              >
                {label}
              </text>
            ))}
          </svg>
        </div>
      </div>
    </>
  )
}
