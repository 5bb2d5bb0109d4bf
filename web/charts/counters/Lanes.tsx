/** The rows of lanes: one per counter, in each of the three ways to draw runs. */
import { useCallback, useMemo } from 'react'
import type { Range } from '../../engine/protocol'
import { drawAmounts, signedScale } from '../difference/draw'
import { Legend } from '../shared/Legend'
import { Plot } from '../shared/Plot'
import { runDash, runToken } from '../shared/palette'
import { Row } from '../shared/Row'
import type { ChartFrame, Shown } from '../shared/shown'
import type { Surface } from '../shared/surface'
import { amountScale, tickLabel, topOfAmounts } from '../shared/ticks'
import type { Reply } from '../shared/useAnswers'
import { axisUnit, type LaneMode, type LaneRow, laneText } from './data'
import { drawLane, type LaneSteps } from './draw'
import { type LaneValues, subtract, table, words } from './summary'

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
  const at = ask?.lanes.indexOf(row.lanes[i]?.index ?? -1) ?? -1
  return ask === undefined || answer === undefined || at < 0
    ? undefined
    : { range: ask.range, values: answer.values.slice(at * ask.n, (at + 1) * ask.n) }
}

const valueAt = (own: LaneValues | undefined, t: number): number | undefined =>
  own?.values[Math.floor(((t - own.range.t0) / (own.range.t1 - own.range.t0)) * own.values.length)]

interface OneLaneProps extends Omit<LaneRowsProps, 'rows'> {
  readonly row: LaneRow
  readonly last: boolean
}

function OneLane({ frame, runs, mode, row, series, last }: OneLaneProps) {
  const { palette, plotWidth, view, sizes } = frame
  const height = sizes.lane
  const own = useMemo(() => runs.map((_, i) => valuesOf(row, i, series[i])), [runs, row, series])
  const unit = axisUnit(row.unit, row.most)
  const top = row.unit === 'share' && row.most > 0.5 ? 1 : topOfAmounts(row.most / unit.per, 2) * unit.per
  // Values of tracepoints may be below 0: steps of wbt.
  const low = Math.min(0, ...row.lanes.map(lane => lane?.figures?.min ?? 0))
  const y = useMemo(() => scaleFrom(low, top, height), [low, top, height])
  const sentences = runs.map((run, i) => words(row, run, i))
  const shared = {
    frame,
    title: row.title,
    what: [unit.name, row.meaning].filter(part => part !== '').join(': '),
    height,
    words: sentences,
    table: () => table(row, runs, own),
    measured: 'counters' as const,
    timed: last,
  }
  const means = (i: number) => {
    const figures = row.lanes[i]?.figures
    return figures === undefined
      ? undefined
      : `mean ${laneText(row.unit, figures.mean)}, max ${laneText(row.unit, figures.max)}`
  }
  const pair = mode.kind === 'difference' ? mode.pair : undefined
  const difference = useMemo(() => {
    const [base, other] = pair ? [pair.base, pair.other].map(run => own[runs.indexOf(run)]) : []
    if (
      base === undefined ||
      other === undefined ||
      base.range.t0 !== other.range.t0 ||
      base.values.length !== other.values.length
    )
      return undefined
    return { range: base.range, values: subtract(base.values, other.values) }
  }, [own, runs, pair])
  const most = Math.max(
    top / 100,
    ...(difference?.values ?? []).map(value => (Number.isNaN(value) ? 0 : Math.abs(value))),
  )
  const drawDifference = useCallback(
    (surface: Surface) => {
      if (difference === undefined) return
      const values = difference.values.map(value => (Number.isNaN(value) ? 0 : value))
      const scene = {
        range: view.range,
        width: plotWidth,
        y: signedScale(most, height),
        less: palette('diff-less'),
        more: palette('diff-more'),
      }
      drawAmounts(surface, { range: difference.range, values }, scene)
    },
    [difference, view.range, plotWidth, most, palette, height],
  )
  const lines = useMemo(
    () =>
      runs.flatMap((run, i): LaneSteps[] =>
        own[i] === undefined
          ? []
          : [{ ...own[i], colour: palette(runToken(run.letter)), dash: runDash(palette, run.letter) }],
      ),
    [runs, own, palette],
  )
  const drawLines = useCallback(
    (surface: Surface) => {
      for (const line of lines) drawLane(surface, line, { range: view.range, width: plotWidth, y })
    },
    [lines, view.range, plotWidth, y],
  )
  const label = (value: number) => tickLabel(+(value / unit.per).toPrecision(3))
  const ticks = [{ at: y(top), label: label(top) }, ...(low < 0 ? [{ at: y(low), label: label(low) }] : [])]
  const tip = (t: number) => ({
    title: `${row.title}, ${(t / 1e9).toFixed(3)} s`,
    rows: runs.map((run, i) => [run.letter, laneText(row.unit, valueAt(own[i], t))]),
  })
  if (mode.kind === 'columns') {
    return (
      <Row
        {...shared}
        ticks={ticks}
        figure={(_, i) => means(i)}
        plot={(run, i) => (
          <ColumnLane
            frame={frame}
            run={run}
            row={row}
            own={own[i]}
            y={y}
            words={sentences[i] ?? ''}
            error={series[i]?.error?.message}
          />
        )}
      />
    )
  }
  const joint = { height, lost: [], tip, words: sentences.join(' '), joint: pair ? [pair.base, pair.other] : runs }
  if (pair) {
    const round = (value: number) => tickLabel(+(value / unit.per).toPrecision(2))
    const zero = <line className="plot-zero" x1={0} x2={plotWidth} y1={height / 2} y2={height / 2} />
    return (
      <Row
        {...shared}
        joint
        title={`${row.title}, ${pair.name}`}
        ticks={[
          { at: 6, label: `+${round(most)}` },
          { at: height - 6, label: `\u2212${round(most)}` },
        ]}
        figure={() => (
          <Legend
            entries={[
              { label: `more in ${pair.other.letter}`, token: 'diff-more' },
              { label: `more in ${pair.base.letter}`, token: 'diff-less' },
            ]}
          />
        )}
        plot={run => (
          <Plot
            {...joint}
            frame={frame}
            run={{ ...run, letter: pair.name }}
            name={`${row.title} difference`}
            draw={drawDifference}
            instead={
              difference === undefined && runs.some((_, i) => row.lanes[i] === undefined)
                ? 'Not counted in both runs.'
                : undefined
            }
          >
            {zero}
          </Plot>
        )}
      />
    )
  }
  return (
    <Row
      {...shared}
      joint
      ticks={ticks}
      figure={() => (
        <Legend
          entries={runs.flatMap((run, i) => {
            const text = means(i)
            return text === undefined
              ? []
              : [
                  {
                    label: `${run.letter} ${text}`,
                    token: runToken(run.letter),
                    shape: runToken(run.letter) === 'run-b' ? ('line' as const) : ('dash' as const),
                  },
                ]
          })}
        />
      )}
      plot={run => (
        <Plot {...joint} frame={frame} run={{ ...run, letter: 'all runs' }} name={row.title} draw={drawLines}>
          <line className="plot-zero" x1={0} x2={plotWidth} y1={Math.round(y(0)) - 0.5} y2={Math.round(y(0)) - 0.5} />
        </Plot>
      )}
    />
  )
}

interface ColumnLaneProps {
  readonly frame: ChartFrame
  readonly run: Shown
  readonly row: LaneRow
  readonly own: LaneValues | undefined
  readonly y: (value: number) => number
  readonly words: string
  readonly error: string | undefined
}

function ColumnLane({ frame, run, row, own, y, words: sentence, error }: ColumnLaneProps) {
  const { palette, plotWidth, view, sizes } = frame
  const range: Range = view.range
  const draw = useCallback(
    (surface: Surface) => {
      if (own)
        drawLane(
          surface,
          { ...own, colour: palette('in-flight'), dash: [], area: palette('in-flight-soft') },
          { range, width: plotWidth, y },
        )
    },
    [own, palette, range, plotWidth, y],
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
        title: `${run.letter}, ${row.title} at ${((t - run.moved) / 1e9).toFixed(3)} s`,
        rows: [[laneText(row.unit, valueAt(own, t)), row.meaning]],
      })}
      instead={error ?? (counted ? undefined : `Not counted next to ${run.letter}.`)}
    >
      <line className="plot-zero" x1={0} x2={plotWidth} y1={Math.round(y(0)) - 0.5} y2={Math.round(y(0)) - 0.5} />
    </Plot>
  )
}
