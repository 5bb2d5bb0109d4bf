/** The rows of lanes: one per counter, in each of the three ways to draw runs. */

import { type ComponentProps, useCallback, useMemo } from 'react'
import type { Range } from '../../engine/protocol'
import { figure, seconds } from '../../lib/format'
import { drawAmounts, signedScale } from '../difference/draw'
import type { Pair } from '../difference/pair'
import { plotName, sideEntries, titleOfPair } from '../difference/spec'
import { type ChartFrame, frameOf, type Shown } from '../shared/answers/shown'
import { ALL_RUNS } from '../shared/answers/words'
import { Legend } from '../shared/frame/Legend'
import { Plot } from '../shared/frame/Plot'
import { Row } from '../shared/frame/Row'
import { runDash, runToken } from '../shared/paint/palette'
import type { Surface } from '../shared/paint/surface'
import { amountScale, tickLabel, topOfAmounts } from '../shared/paint/ticks'
import type { Reply } from '../shared/spec'
import { axisUnit, type LaneMode, type LaneRow, laneText } from './data'
import { drawLane, type LaneSteps } from './draw'
import { counters, notCountedWords, notInBothWords } from './spec'
import { type LaneValues, subtract, table, words as wordsOf } from './summary'

const HEADROOM = 4

/** y of a value between `low`, at the bottom, and `top`. */
const scaleFrom = (low: number, top: number, height: number): ((value: number) => number) => {
  const scale = amountScale(top - low, height, HEADROOM)
  return value => scale(value - low)
}

interface LaneRowsProps {
  readonly frame: ChartFrame
  readonly runs: readonly Shown[]
  readonly mode: LaneMode
  readonly rows: readonly LaneRow[]
  readonly series: readonly Reply<'laneSeries'>[]
}

export function LaneRows({ frame, runs, mode, rows, series }: LaneRowsProps) {
  return rows.map((row, i) => (
    <OneLane
      key={row.key}
      frame={frame}
      runs={runs}
      mode={mode}
      row={row}
      series={series}
      last={i === rows.length - 1}
    />
  ))
}

/** The values of a row's lane in an answer, which may be of an earlier query. */
function valuesOf(row: LaneRow, i: number, reply: Reply<'laneSeries'> | undefined): LaneValues | undefined {
  const { ask, answer } = reply ?? {}
  const index = ask?.lanes.indexOf(row.lanes[i]?.index ?? -1) ?? -1
  return ask === undefined || answer === undefined || index < 0
    ? undefined
    : { range: ask.range, values: answer.values.slice(index * ask.n, (index + 1) * ask.n) }
}

function valueAt(lane: LaneValues | undefined, t: number): number | undefined {
  if (lane === undefined) return undefined
  const { range, values } = lane
  return values[Math.floor(((t - range.t0) / (range.t1 - range.t0)) * values.length)]
}

interface OneLaneProps extends Omit<LaneRowsProps, 'rows'> {
  readonly row: LaneRow
  readonly last: boolean
}

/** What all drawings of a row share: its axis, its values, its words. */
function useLane({ frame, runs, row, series }: OneLaneProps) {
  const { height, unit, top, low } = axisOf(frame, row)
  const values = useMemo(() => runs.map((_, i) => valuesOf(row, i, series[i])), [runs, row, series])
  const y = useMemo(() => scaleFrom(low, top, height), [low, top, height])
  const label = (value: number) => figure(value / unit.per)
  const words = runs.map((run, i) => wordsOf(row, run, i))
  const means = (i: number) => {
    const figures = row.lanes[i]?.figures
    return figures && `mean ${laneText(row.unit, figures.mean)}, max ${laneText(row.unit, figures.max)}`
  }
  const tip = (t: number) => ({
    title: `${row.title}, ${seconds(t, 3)} s`,
    rows: runs.map((run, i) => [run.letter, laneText(row.unit, valueAt(values[i], t))]),
  })
  return {
    values,
    unit,
    top,
    y,
    ticks: [{ position: y(top), label: label(top) }, ...(low < 0 ? [{ position: y(low), label: label(low) }] : [])],
    words,
    means,
    tip,
    what: [unit.name, row.meaning].filter(part => part !== '').join(': '),
    height,
  }
}

function axisOf({ sizes }: ChartFrame, row: LaneRow) {
  const unit = axisUnit(row.unit, row.most)
  return {
    height: sizes.lane,
    unit,
    top: row.unit === 'share' && row.most > 0.5 ? 1 : topOfAmounts(row.most / unit.per, 2) * unit.per,
    // Values of tracepoints may be below 0: steps of wbt.
    low: Math.min(0, ...row.lanes.map(lane => lane?.figures?.min ?? 0)),
  }
}

function OneLane(props: OneLaneProps) {
  const { frame, runs, mode, row, series, last } = props
  const lane = useLane(props)
  const shared = {
    frame,
    title: row.title,
    what: lane.what,
    height: lane.height,
    words: lane.words,
    table: () => table(row, runs, lane.values),
    measured: counters.measured,
    timed: last,
  }
  if (mode.kind === 'columns')
    return (
      <Row
        {...shared}
        ticks={lane.ticks}
        figure={(_, i) => lane.means(i)}
        plot={(run, i) => (
          <ColumnLane
            frame={{ ...frame, view: frameOf(frame, run).view }}
            run={run}
            row={row}
            values={lane.values[i]}
            y={lane.y}
            words={lane.words[i] ?? ''}
            error={series[i]?.error?.message}
          />
        )}
      />
    )
  return mode.kind === 'difference' ? (
    <DifferenceLane {...props} pair={mode.pair} lane={lane} shared={shared} />
  ) : (
    <JointLane {...props} lane={lane} shared={shared} />
  )
}

interface JointLaneProps extends OneLaneProps {
  readonly lane: ReturnType<typeof useLane>
  /** What the row has in all drawings. */
  readonly shared: Omit<ComponentProps<typeof Row>, 'ticks' | 'figure' | 'plot'>
}

/** Lines of all runs in one plot. */
function JointLane({ frame, runs, row, lane, shared }: JointLaneProps) {
  const { palette, plotWidth, view } = frame
  const { values, y } = lane
  const lines = useMemo(
    () =>
      runs.flatMap((run, i): LaneSteps[] =>
        values[i] === undefined
          ? []
          : [{ ...values[i], colour: palette(runToken(run.letter)), dash: runDash(palette, run.letter) }],
      ),
    [runs, values, palette],
  )
  const draw = useCallback(
    (surface: Surface) => {
      for (const line of lines) drawLane(surface, line, { range: view.range, width: plotWidth, y })
    },
    [lines, view.range, plotWidth, y],
  )
  const entries = runs.flatMap(({ letter }, i) => {
    const [text, token] = [lane.means(i), runToken(letter)]
    const shape = token === 'run-b' ? ('line' as const) : ('dash' as const)
    return text === undefined ? [] : [{ label: `${letter} ${text}`, token, shape }]
  })
  return (
    <Row
      {...shared}
      joint
      ticks={lane.ticks}
      legend={<Legend entries={entries} />}
      plot={run => (
        <Plot
          frame={frame}
          run={{ ...run, letter: ALL_RUNS }}
          joint={runs}
          name={row.title}
          words={lane.words.join(' ')}
          height={lane.height}
          lost={[]}
          tip={lane.tip}
          draw={draw}
        >
          <line className="plot-zero" x1={0} x2={plotWidth} y1={Math.round(y(0)) - 0.5} y2={Math.round(y(0)) - 0.5} />
        </Plot>
      )}
    />
  )
}

/** Values of one run minus those of the other; absent until both are answers of the same query. */
function differenceOf(base: LaneValues | undefined, other: LaneValues | undefined): LaneValues | undefined {
  if (
    base === undefined ||
    other === undefined ||
    base.range.t0 !== other.range.t0 ||
    base.values.length !== other.values.length
  )
    return undefined
  return { range: base.range, values: subtract(base.values, other.values) }
}

interface DifferenceLaneProps extends JointLaneProps {
  readonly pair: Pair
}

function DifferenceLane({ frame, runs, row, pair, lane, shared }: DifferenceLaneProps) {
  const { palette, plotWidth, view } = frame
  const { values, unit, top, height } = lane
  const difference = useMemo(
    () => differenceOf(values[runs.indexOf(pair.base)], values[runs.indexOf(pair.other)]),
    [values, runs, pair],
  )
  const max = Math.max(
    top / 100,
    ...(difference?.values ?? []).map(value => (Number.isNaN(value) ? 0 : Math.abs(value))),
  )
  const draw = useCallback(
    (surface: Surface) => {
      if (difference === undefined) return
      const values = difference.values.map(value => (Number.isNaN(value) ? 0 : value))
      const scene = {
        range: view.range,
        width: plotWidth,
        y: signedScale(max, height),
        less: palette('diff-less'),
        more: palette('diff-more'),
      }
      drawAmounts(surface, { range: difference.range, values }, scene)
    },
    [difference, view.range, plotWidth, max, palette, height],
  )
  const label = tickLabel(+(max / unit.per).toPrecision(2))
  const missing = difference === undefined && runs.some((_, i) => row.lanes[i] === undefined)
  return (
    <Row
      {...shared}
      joint
      title={titleOfPair(row, pair)}
      ticks={[
        { position: 6, label: `+${label}` },
        { position: height - 6, label: `\u2212${label}` },
      ]}
      legend={<Legend entries={sideEntries(pair)} />}
      plot={run => (
        <Plot
          frame={frame}
          run={{ ...run, letter: pair.name }}
          joint={[pair.base, pair.other]}
          name={plotName(row)}
          words={lane.words.join(' ')}
          height={height}
          lost={[]}
          tip={lane.tip}
          draw={draw}
          instead={missing ? notInBothWords([pair.base, pair.other]) : undefined}
        >
          <line className="plot-zero" x1={0} x2={plotWidth} y1={height / 2} y2={height / 2} />
        </Plot>
      )}
    />
  )
}

interface ColumnLaneProps {
  readonly frame: ChartFrame
  readonly run: Shown
  readonly row: LaneRow
  readonly values: LaneValues | undefined
  readonly y: (value: number) => number
  readonly words: string
  readonly error: string | undefined
}

function ColumnLane({ frame, run, row, values, y, words: sentence, error }: ColumnLaneProps) {
  const { palette, plotWidth, view, sizes } = frame
  const range: Range = view.range
  const draw = useCallback(
    (surface: Surface) => {
      if (values)
        drawLane(
          surface,
          { ...values, colour: palette('in-flight'), dash: [], area: palette('in-flight-soft') },
          { range, width: plotWidth, y },
        )
    },
    [values, palette, range, plotWidth, y],
  )
  const counted = row.lanes.some(
    lane => lane !== undefined && lane === row.lanes[frame.shown.findIndex(other => other.id === run.id)],
  )
  return (
    <Plot
      frame={frame}
      run={run}
      name={row.title}
      words={sentence}
      height={sizes.lane}
      lost={[]}
      draw={draw}
      tip={t => ({
        title: `${run.letter}, ${row.title} at ${seconds(t - run.moved, 3)} s`,
        rows: [[laneText(row.unit, valueAt(values, t)), row.meaning]],
      })}
      instead={error ?? (counted ? undefined : notCountedWords(run.letter))}
    >
      <line className="plot-zero" x1={0} x2={plotWidth} y1={Math.round(y(0)) - 0.5} y2={Math.round(y(0)) - 0.5} />
    </Plot>
  )
}
