/** Latency over time as shaded cells, and latency by percentile as curves. */
import { latencyFailureEntries } from '../../../web/charts/latency/failures'
import { roundTime, spanOf } from '../../../web/charts/latency/scale'
import { latency, P50, P99 } from '../../../web/charts/latency/spec'
import { latencyAt, percentileX, upToLongest } from '../../../web/charts/percentiles/draw'
import { curveAxis, percentileTicks } from '../../../web/charts/percentiles/scene'
import { type PercentileCurve, percentileCurves, percentiles } from '../../../web/charts/percentiles/spec'
import { percentileName } from '../../../web/charts/percentiles/summary'
import { densityStep } from '../../../web/charts/shared/answers/density'
import { renamed, type Table, toText } from '../../../web/charts/shared/answers/table'
import { logTicks, logY } from '../../../web/charts/shared/paint/ticks'
import { wholeView } from '../../../web/charts/shared/spec'
import type { FailureMarks, QueryAnswer } from '../../../web/engine/protocol'
import type { PlotFrame } from '../frame'
import { loadAnswers } from '../load'
import { columnTime, GUTTER, plotColumns, type TimeGrid, timeGrid } from './axes'
import { type RunPlot, type TextChart, type TextLane, timePlots } from './block'
import { createDots, createGrid, DOTS_ACROSS, DOTS_DOWN, glyphs, type Screen, type StyledLine, spoken } from './screen'
import { specText } from './specText'
import { rampLegend } from './textSeekMap'

/** A cell with a failed request; without the stage in the lowest row. */
const FAILED = '!'
const HEAT_ROWS = 10
const CURVE_ROWS = 12

/** Round times at the row that contains them. */
function timeLabels(low: number, high: number, rows: number): ReadonlyMap<number, string> {
  const y = logY(low, high, rows)
  return new Map(
    logTicks(low, high, Math.floor(rows / 2)).map(value => [
      Math.min(rows - 1, Math.max(0, Math.floor(y(value)))),
      roundTime(value),
    ]),
  )
}

/** Cells of a run, and its failed requests. */
interface HeatCells {
  readonly answer: QueryAnswer<'latencyGrid'>
  readonly failures: FailureMarks | undefined
}

function heatLane(
  screen: Screen,
  { range, bin, columns }: TimeGrid,
  { answer, failures }: HeatCells,
  most: number,
  levels: Levels,
): TextLane {
  const { ramp } = glyphs(screen)
  const grid = createGrid(columns, answer.h)
  answer.counts.forEach((n, i) => {
    if (n > 0) grid.put(Math.floor(i / answer.h), i % answer.h, ramp[densityStep(n, most) - 1] ?? '')
  })
  failures?.at.forEach((time, i) => {
    const took = failures.took[i] ?? Number.NaN
    const row = Number.isNaN(took) ? answer.h - 1 : levels.rowOf(took)
    const column = Math.min(columns - 1, Math.floor((time - range.t0) / bin))
    grid.put(column, row, FAILED, 'failed')
  })
  return { rows: grid.rows(), labels: new Map([...levels.ticks, ...levels.marks]) }
}

/** Labels by row: times, and over them percentiles. */
interface Levels {
  readonly ticks: ReadonlyMap<number, string>
  readonly marks: ReadonlyMap<number, string>
  /** The row of a latency. */
  readonly rowOf: (ns: number) => number
}

export async function latencyText(frame: PlotFrame, screen: Screen): Promise<TextChart> {
  const { low, high } = spanOf(frame)
  const grid = timeGrid(frame.view.range, plotColumns(screen.columns))
  const size = { w: grid.columns, h: HEAT_ROWS }
  const cells = { range: grid.range, ...size, marks: size }
  const answers = await loadAnswers(frame, latency, () => cells)
  const letters = frame.shown.map(run => run.letter)
  const failures = answers.failures.map(({ answer }) => answer)
  const failed = latencyFailureEntries(failures, letters, frame.view.stage).map(({ label }) => label)
  const most = Math.max(1, ...answers.heat.map(({ answer }) => answer?.max ?? 1))
  const ticks = timeLabels(low, high, HEAT_ROWS)
  const y = logY(low, high, HEAT_ROWS)
  const rowOf = (value: number) => Math.min(HEAT_ROWS - 1, Math.max(0, Math.floor(y(value))))
  const plots = frame.shown.flatMap((run, i): RunPlot[] => {
    const [answer, distribution] = [answers.heat[i]?.answer, answers.distribution[i]?.answer]
    if (answer === undefined || distribution === undefined || distribution.n === 0) return []
    const percentiles = [
      [P99, distribution.p99],
      [P50, distribution.p50],
    ] as const
    const marks = new Map(percentiles.map(([name, value]) => [rowOf(value), `${name} >`]))
    return [{ run, lanes: [heatLane(screen, grid, { answer, failures: failures[i] }, most, { ticks, marks, rowOf })] }]
  })
  const failing = failed.length > 0 ? [`${FAILED} ${failed.join(', ')}`] : []
  return {
    ...specText(frame, latency, answers, cells),
    legend: plots.length === 0 ? [] : [rampLegend(screen, most), ...failing, columnTime(grid)],
    hues: { [FAILED]: 'failed' },
    plots: plots.length === 0 ? [] : timePlots(screen, grid, plots, ''),
  }
}

/** Lengths of dashes and gaps of runs, in dots; the first is dashed as on the page. */
const DASHES = [
  [3, 2],
  [1, 0],
  [1, 1],
  [5, 2],
] as const

function drawCurves(
  screen: Screen,
  curves: readonly PercentileCurve[],
  width: number,
  axis: ReturnType<typeof curveAxis>,
): readonly StyledLine[] {
  const grid = createGrid(width, CURVE_ROWS)
  const [across, down] = screen.ascii ? [1, 1] : [DOTS_ACROSS, DOTS_DOWN]
  const scene = { width: width * across, nines: axis.nines }
  const y = logY(axis.low, axis.high, CURVE_ROWS * down)
  const dots = createDots(width, CURVE_ROWS)
  for (const [c, { run, distribution }] of curves.entries()) {
    const curve = upToLongest(distribution)
    const end = Math.floor(percentileX(1 - 1 / distribution.n, scene))
    const [dash, gap] = DASHES[c % DASHES.length] ?? [1, 0]
    let before: number | undefined
    let travelled = 0
    for (let x = 0; x <= Math.min(end, scene.width - 1); x += 1) {
      const p = 1 - 10 ** (-((x + 0.5) / scene.width) * axis.nines)
      const target = Math.min(CURVE_ROWS * down - 1, Math.max(0, Math.floor(y(latencyAt(curve, p)))))
      const from = before === undefined ? target : before > target ? before - 1 : before < target ? before + 1 : target
      for (let row = from; ; row += target > from ? 1 : -1) {
        if (screen.ascii) {
          const there = grid.characterAt(x, row)
          grid.put(x, row, there === ' ' || there === run.letter ? run.letter : '*')
        } else if (travelled % (dash + gap) < dash) dots.set(x, row)
        travelled += 1
        if (row === target) break
      }
      before = target
    }
  }
  if (!screen.ascii) {
    dots.onto(grid)
    for (const { run, distribution } of curves) {
      const x = Math.min(width - 1, Math.floor(percentileX(1 - 1 / distribution.n, { width, nines: axis.nines })) + 1)
      const row = Math.min(
        CURVE_ROWS - 1,
        Math.max(0, Math.floor(logY(axis.low, axis.high, CURVE_ROWS)(distribution.max))),
      )
      grid.put(x, row, run.letter)
    }
  }
  return grid.rows()
}

/** Without the percentiles that no run has; the unit is at the head of their names. */
const valuesOf = (table: Table): Table =>
  renamed(
    { ...table, rows: table.rows.filter(row => row.some((cell, i) => i > 0 && cell !== '')) },
    { percentile: 'ms' },
  )

/** Labels below: percentiles. */
function percentileLine(columns: number, width: number, nines: number): StyledLine {
  const row = createGrid(columns, 1)
  let free = 0
  for (const p of percentileTicks(nines)) {
    const name = percentileName(p)
    const start = Math.max(
      free,
      Math.min(
        GUTTER + 1 + Math.floor(percentileX(p, { width, nines })) - Math.floor((name.length - 1) / 2),
        columns - name.length,
      ),
    )
    if (start + name.length > columns) break
    row.write(start, 0, name)
    free = start + name.length + 1
  }
  return row.rows()[0] ?? []
}

export async function percentilesText(frame: PlotFrame, screen: Screen): Promise<TextChart> {
  const { shown } = frame
  const cells = wholeView(frame)
  const answers = await loadAnswers(frame, percentiles, () => cells)
  const curves = percentileCurves(frame, answers)
  const axis = curveAxis(curves.map(c => c.distribution))
  const width = plotColumns(screen.columns) - 2
  const { side, tick, base, corner, cross } = glyphs(screen)
  const labels = curves.length === 0 ? new Map<number, string>() : timeLabels(axis.low, axis.high, CURVE_ROWS)
  const rows = curves.length === 0 ? [] : drawCurves(screen, curves, width, axis)
  const ticks = new Set(
    percentileTicks(axis.nines).map(p => Math.min(width - 1, Math.floor(percentileX(p, { width, nines: axis.nines })))),
  )
  const floor = Array.from({ length: width }, (_, x) => (x > 0 && ticks.has(x) ? cross : base)).join('')
  const plots: readonly StyledLine[] = [
    ...rows.map(
      (row, i): StyledLine => [
        { text: `${spoken(screen, labels.get(i) ?? '').padStart(GUTTER)}${labels.has(i) ? tick : side}` },
        ...row,
      ],
    ),
    [{ text: `${' '.repeat(GUTTER)}${corner}${floor}` }],
    percentileLine(screen.columns, width, axis.nines),
    [{ text: '' }],
    ...toText(valuesOf(percentiles.table(frame, answers, cells)))
      .trimEnd()
      .split('\n')
      .slice(2)
      .map((text): StyledLine => [{ text }]),
  ]
  const names = shown.map(run => (run.run.label === run.letter ? run.letter : `${run.letter}: ${run.run.label}`))
  const lines = screen.ascii
    ? names.join(', ') + (curves.length > 1 ? ', *: several' : '')
    : names.map((name, i) => `${name}${curves.length > 1 ? ` (${DASH_NAMES[i % DASH_NAMES.length]})` : ''}`).join(', ')
  return {
    ...specText(frame, percentiles, answers, cells),
    legend: [lines],
    plots: curves.length === 0 ? [] : plots,
  }
}

const DASH_NAMES = ['dashed', 'solid', 'dotted', 'long dashes'] as const
