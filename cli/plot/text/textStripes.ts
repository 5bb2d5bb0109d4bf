/** Stripe alignment as text: shares of classes, where in the stripe requests begin, and both over time. */
import { words as alignmentWords, gridWords } from '../../../web/charts/alignment/summary'
import { ALIGNMENT_NAMES } from '../../../web/charts/shared/answers/names'
import { ofDevice, type Shown } from '../../../web/charts/shared/answers/shown'
import { partialShare } from '../../../web/charts/stripes/draw'
import { words as stripeWords } from '../../../web/charts/stripes/summary'
import { ALIGNMENT_CLASSES, type Alignment, type Geometry, type StripeTime } from '../../../web/engine/protocol'
import { count, sectorSize, share } from '../../../web/lib/format'
import { answers, type PlotFrame } from '../frame'
import { amountAxis, columnTime, GUTTER, plotColumns, timeGrid } from './axes'
import { type RunPlot, runLine, type TextChart, type TextLane, timePlots, warning, wordsOr } from './block'
import { barRows, binsPerColumn, shareRow } from './lanes'
import { createGrid, glyphs, type Screen, type StyledLine } from './screen'
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

const missing = (shown: readonly Shown[]): boolean => shown.every(run => run.filter.geometry === undefined)
const HINT = 'No geometry is set: --stripe SPEC sets one.'

export async function alignmentText(frame: PlotFrame, screen: Screen): Promise<TextChart> {
  const { shown, view } = frame
  const title = `Stripe alignment${ofDevice(shown)}`
  if (missing(shown)) {
    const facets = await answers(frame, run => run.client.query('facets', { filter: run.filter, range: view.range }))
    const known = facets.map(answer => answer.misaligned4k)
    return { title, legend: [], plots: [], words: [`${HINT} ${gridWords(shown, known)}`.trim()] }
  }
  const found = await answers(frame, async run => {
    const { geometry } = run.filter
    return geometry && run.client.query('alignment', { filter: run.filter, range: view.range, geometry })
  })
  const most = Math.max(1, ...found.map(a => a?.n ?? 0))
  const begins = found.map(a => (a ? beginsOf(screen, a) : []))
  const highest = Math.max(1, ...begins.flat())
  const bars = found.map(a => (a ? shareBars(a) : []))
  const valueWidth = Math.max(0, ...bars.flat().map(bar => bar.value.length))
  return {
    title: `${title}: requests by class; below, where in the stripe they begin`,
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
    words: shown.map((run, i) =>
      wordsOr(run, 'alignment', 'Stripe alignment', () => alignmentWords(run, found[i]) + warning(run, ['alignment'])),
    ),
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
    { name: 'partial', rows: [shareRow(screen, columns, partial)], labels: new Map(), strip: true },
  ]
}

export async function stripesText(frame: PlotFrame, screen: Screen): Promise<TextChart> {
  const { shown, view } = frame
  const title = `Position in stripe${ofDevice(shown)}`
  if (missing(shown)) return { title, legend: [], plots: [], words: [HINT] }
  const grid = timeGrid(view.range, plotColumns(screen.columns))
  const found = await answers(frame, async run => {
    const { geometry } = run.filter
    return (
      geometry &&
      run.client.query('stripeTime', {
        filter: run.filter,
        range: grid.range,
        geometry,
        w: grid.columns,
        h: STRIPE_ROWS,
      })
    )
  })
  const plots = shown.flatMap((run, i): RunPlot[] => {
    const [answer, geometry] = [found[i], run.filter.geometry]
    return answer && geometry && answer.n > 0
      ? [{ run, lanes: stripeLanes(screen, grid.columns, answer, geometry) }]
      : []
  })
  const { levels } = glyphs(screen)
  const stripe = shown.find(run => run.filter.geometry)?.filter.geometry
  const size = stripe ? `, ${stripe.dataDisks} x ${sectorSize(stripe.unit)}` : ''
  return {
    title: `${title}${size}`,
    legend: [
      legendOf(),
      columnTime(grid),
      `partial: share of stripes written partially, ${levels[0]} to ${levels.at(-1)} (all)`,
    ],
    plots: plots.length === 0 ? [] : timePlots(screen, grid, plots),
    words: shown.map((run, i) =>
      wordsOr(
        run,
        'stripes',
        'Position in stripe',
        () => stripeWords(run, run.filter.geometry, found[i]) + warning(run, ['alignment']),
      ),
    ),
  }
}
