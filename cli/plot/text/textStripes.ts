/** Stripe alignment as text: shares of classes, where in the stripe requests begin, and both over time. */
import { alignment } from '../../../web/charts/alignment/spec'
import { ALIGNMENT_NAMES } from '../../../web/charts/shared/answers/names'
import { titleOf, wholeView } from '../../../web/charts/shared/spec'
import { partialShare } from '../../../web/charts/stripes/draw'
import { PARTIAL, stripes, WHAT_PARTIAL } from '../../../web/charts/stripes/spec'
import { ALIGNMENT_CLASSES, type Alignment, type Geometry, type StripeTime } from '../../../web/engine/protocol'
import { count, sectorSize, share } from '../../../web/lib/format'
import type { PlotFrame } from '../frame'
import { lacksGeometry, loadAnswers, NO_GEOMETRY } from '../load'
import { amountAxis, columnTime, GUTTER, plotColumns, timeGrid } from './axes'
import { type RunPlot, runLine, type TextChart, type TextLane, timePlots } from './block'
import { barRows, binsPerColumn, shareRow } from './lanes'
import { createGrid, glyphs, type Screen, type StyledLine } from './screen'
import { specText } from './specText'
import { barLines, type TextBar } from './textBars'

const POSITION_ROWS = 4
const STRIPE_ROWS = 8
/** Of the classes: full, unit, inside, straddles. */
const LETTERS = ['F', 'u', 'i', 'x'] as const

const legendOf = (): string => ALIGNMENT_CLASSES.map((name, i) => `${LETTERS[i]} ${ALIGNMENT_NAMES[name]}`).join(', ')

function shareBars({ n, classes }: Alignment): readonly TextBar[] {
  return ALIGNMENT_CLASSES.map((name, i) => ({
    label: name === 'unit' ? 'unit' : ALIGNMENT_NAMES[name].replace(' stripe', '').replace(' unit', ''),
    pieces: [{ value: classes[name].requests, character: LETTERS[i] ?? '' }],
    value: `${count(classes[name].requests)} ${share(n === 0 ? 0 : classes[name].requests / n).padStart(6)}`,
  }))
}

/**
 * How many requests begin in each stretch of the stripe: the engine's bins joined, as many per column as are needed.
 */
function beginsOf(screen: Screen, { startReads, startWrites }: Alignment): readonly number[] {
  const bins = startWrites.length
  let per = 2
  while (bins / per > plotColumns(screen.columns)) per *= 2
  const joined = per / binsPerColumn(screen)
  const sum = (from: number) =>
    Array.from({ length: joined }, (_, i) => (startWrites[from + i] ?? 0) + (startReads[from + i] ?? 0)).reduce(
      (a, b) => a + b,
      0,
    )
  return Array.from({ length: bins / joined }, (_, i) => sum(i * joined))
}

/** `most`: of all runs. */
function positions(screen: Screen, values: readonly number[], most: number): readonly StyledLine[] {
  const columns = values.length / binsPerColumn(screen)
  const axis = amountAxis(most, POSITION_ROWS, true)
  const { side, tick, base, corner } = glyphs(screen)
  const rows = barRows(screen, columns, { values, top: axis.top, rows: POSITION_ROWS })
  return [
    ...rows.map(
      (row, i): StyledLine => [
        { text: `${(axis.labels.get(i) ?? '').padStart(GUTTER)}${axis.labels.has(i) ? tick : side}` },
        ...row,
      ],
    ),
    [{ text: `${'0'.padStart(GUTTER)}${corner}${base.repeat(columns)}` }],
    [{ text: `${' '.repeat(GUTTER + 1)}${'start'.padEnd(columns - 3)}end` }],
  ]
}

export async function alignmentText(frame: PlotFrame, screen: Screen): Promise<TextChart> {
  const { shown } = frame
  const cells = wholeView(frame)
  const answers = await loadAnswers(frame, alignment, () => cells)
  const { instead } = alignment.panel(frame, answers)
  if (instead !== undefined)
    return { title: titleOf(alignment, frame), legend: [], plots: [], words: [[NO_GEOMETRY, ...instead].join(' ')] }
  const found = answers.alignment.map(({ answer }) => answer)
  const most = Math.max(1, ...found.map(a => a?.n ?? 0))
  const begins = found.map(a => (a ? beginsOf(screen, a) : []))
  const highest = Math.max(1, ...begins.flat())
  const bars = found.map(a => (a ? shareBars(a) : []))
  const valueWidth = Math.max(0, ...bars.flat().map(bar => bar.value.length))
  return {
    ...specText(frame, alignment, answers, cells),
    legend: [],
    plots: shown.flatMap((run, i): StyledLine[] => {
      const answer = found[i]
      if (answer === undefined || answer.n === 0) return []
      return [
        runLine(screen, run),
        ...barLines(screen, bars[i] ?? [], most, valueWidth),
        ...positions(screen, begins[i] ?? [], highest),
      ]
    }),
  }
}

function stripeLanes(
  screen: Screen,
  columns: number,
  answer: StripeTime,
  { unit, dataDisks }: Geometry,
): readonly TextLane[] {
  const partial = Array.from({ length: columns }, (_, x) => partialShare(answer, x) ?? 0)
  const grid = createGrid(columns, answer.h)
  answer.classes.forEach((cls, i) => {
    if (cls > 0) grid.put(Math.floor(i / answer.h), i % answer.h, LETTERS[cls - 1] ?? '')
  })
  const labels = new Map<number, string>()
  for (let k = dataDisks; k > 0; k -= 1) {
    const row = Math.round((1 - k / dataDisks) * answer.h)
    if (!labels.has(row) && !labels.has(row - 1)) labels.set(row, sectorSize(k * unit))
  }
  return [
    { rows: grid.rows(), labels },
    { name: PARTIAL, rows: [shareRow(screen, columns, partial)], labels: new Map(), strip: true },
  ]
}

export async function stripesText(frame: PlotFrame, screen: Screen): Promise<TextChart> {
  if (lacksGeometry(stripes, frame))
    return { title: titleOf(stripes, frame), legend: [], plots: [], words: [NO_GEOMETRY] }
  const grid = timeGrid(frame.view.range, plotColumns(screen.columns))
  const cells = { range: grid.range, w: grid.columns, h: STRIPE_ROWS }
  const answers = await loadAnswers(frame, stripes, () => cells)
  const plots = frame.shown.flatMap((run, i): RunPlot[] => {
    const [answer, geometry] = [answers.stripes[i]?.answer, run.filter.geometry]
    return answer && geometry && answer.n > 0
      ? [{ run, lanes: stripeLanes(screen, grid.columns, answer, geometry) }]
      : []
  })
  const { levels } = glyphs(screen)
  return {
    ...specText(frame, stripes, answers, cells),
    legend: [legendOf(), columnTime(grid), `${WHAT_PARTIAL}, ${levels[0]} to ${levels.at(-1)} (all)`],
    plots: plots.length === 0 ? [] : timePlots(screen, grid, plots),
  }
}
