/** A chart as text: title, legend, one plot per run on the same axes, the time axis, and the facts in words. */
import { lostIn, lostWords, WHY_UNRELIABLE } from '../../../web/charts/shared/answers/lost'
import type { Shown } from '../../../web/charts/shared/answers/shown'
import { wrapped } from '../../../web/lib/text/plainText'
import { columnTicks, GUTTER, type TimeGrid } from './axes'
import {
  createGrid,
  cutTo,
  glyphs,
  type Hue,
  headOf,
  type Screen,
  type Span,
  type StyledLine,
  spoken,
  widthOf,
} from './screen'

/** Rows that share a value axis. */
export interface TextLane {
  /** Written in the gutter, in the first row without a tick. */
  readonly name?: string
  readonly rows: readonly StyledLine[]
  /** Ticks by row. */
  readonly labels: ReadonlyMap<number, string>
  /** Rows at which the axis is cut. */
  readonly cuts?: ReadonlySet<number>
  /** One row below the axis. */
  readonly strip?: true
}

export interface RunPlot {
  readonly run: Shown
  readonly lanes: readonly TextLane[]
}

export interface TextChart {
  /** What the chart shows, with unit and bin. */
  readonly title: string
  /** Statements; those that fit are on one line. */
  readonly legend: readonly string[]
  /** Words of the legend that have a colour. */
  readonly hues?: Readonly<Record<string, Hue>>
  readonly plots: readonly StyledLine[]
  readonly words: readonly string[]
}

const line = (text: string): StyledLine => [{ text }]

/** Where the run has its name, above its plot. */
export function runLine(screen: Screen, run: Shown, more = ''): StyledLine {
  const label = spoken(screen, run.run.label)
  const head = label === run.letter ? run.letter : `${run.letter}  ${label}`
  return line(cutTo(more ? `${head}, ${spoken(screen, more)}` : head, screen.columns))
}

const SIDE = (label: string, side: string): Span => ({ text: `${label.padStart(GUTTER)}${side}` })

function laneLines(screen: Screen, { name, rows, labels, cuts, strip }: TextLane): readonly StyledLine[] {
  const { side, tick, cut } = glyphs(screen)
  const named = strip ? 0 : Array.from(rows.keys()).find(row => !labels.has(row) && !cuts?.has(row))
  return rows.map((row, i) => {
    const label = labels.get(i) ?? (name !== undefined && i === named ? name : '')
    return [SIDE(spoken(screen, cutTo(label, GUTTER)), cuts?.has(i) ? cut : labels.has(i) ? tick : side), ...row]
  })
}

/** The zero line: solid while the run lasts, with a cross at each tick. */
function baseLine(screen: Screen, grid: TimeGrid, run: Shown, zero: string): StyledLine {
  const { base, corner, cross, over } = glyphs(screen)
  const ticks = new Set(columnTicks(grid).map(tick => tick.column))
  const row = createGrid(grid.columns, 1)
  for (let x = 0; x < grid.columns; x += 1) {
    const from = grid.range.t0 + x * grid.bin
    const lasts = from < run.end && from + grid.bin > run.begin
    row.put(x, 0, x > 0 && ticks.has(x) ? cross : lasts ? base : over)
  }
  return [SIDE(zero, corner), ...(row.rows()[0] ?? [])]
}

/** Labels of the time axis, in seconds; the last one is followed by the unit. */
function timeLine(grid: TimeGrid, columns: number): StyledLine {
  const left = GUTTER + 1
  const row = createGrid(columns, 1)
  let free = 0
  const ticks = columnTicks(grid)
  for (const [i, { column, label }] of ticks.entries()) {
    const text = i === ticks.length - 1 ? `${label} s` : label
    const start = Math.min(left + column - Math.floor((label.length - 1) / 2), columns - text.length)
    if (start < free) continue
    row.write(start, 0, text)
    free = start + text.length + 1
  }
  return row.rows()[0] ?? []
}

/** Where events of the run's device were lost; absent where none were. */
function lossLane(screen: Screen, grid: TimeGrid, run: Shown): readonly TextLane[] {
  const spans = lostIn(run).filter(l => l.t1 >= grid.range.t0 && l.t0 <= grid.range.t1)
  if (spans.length === 0) return []
  const row = createGrid(grid.columns, 1)
  const column = (t: number) => Math.floor((t - grid.range.t0) / grid.bin)
  for (const { t0, t1 } of spans) {
    for (let x = Math.max(0, column(t0)); x <= Math.min(grid.columns - 1, column(t1)); x += 1)
      row.put(x, 0, glyphs(screen).lost, 'lost')
  }
  return [{ name: 'lost', rows: row.rows(), labels: new Map(), strip: true }]
}

/** The plots of all runs, one above the other, and one time axis. */
export function timePlots(
  screen: Screen,
  grid: TimeGrid,
  plots: readonly RunPlot[],
  zero = '0',
): readonly StyledLine[] {
  const lines: StyledLine[] = []
  for (const { run, lanes } of plots) {
    lines.push(runLine(screen, run))
    const all = [...lanes, ...lossLane(screen, grid, run)]
    for (const lane of all) {
      lines.push(...laneLines(screen, lane))
      if (!lane.strip) lines.push(baseLine(screen, grid, run, zero))
    }
  }
  return [...lines, timeLine(grid, screen.columns)]
}

/** What the words of a run end with: lost events, or figures that its clock makes unreliable. */
export function warning(run: Shown, names: readonly string[]): string {
  const lost = lostWords(run)
  if (lost !== '') return lost
  return names.some(name => run.figures?.spoiled?.includes(name)) ? ` Unreliable: ${WHY_UNRELIABLE}.` : ''
}

/** Statements in lines, as many per line as there is room for. */
function packed(statements: readonly string[], width: number): readonly string[] {
  const lines: string[] = []
  for (const statement of statements) {
    const last = lines.at(-1)
    if (last !== undefined && widthOf(last) + 2 + widthOf(statement) <= width)
      lines[lines.length - 1] = `${last}; ${statement}`
    else lines.push(statement)
  }
  return lines
}

/** A line in which some words have their colour. */
const tinted = (text: string, hues: Readonly<Record<string, Hue>>): StyledLine =>
  text
    .split(/\b/)
    .map((part): Span => (Object.hasOwn(hues, part) && hues[part] ? { text: part, hue: hues[part] } : { text: part }))

/** All lines of a chart. */
export function chartLines(
  screen: Screen,
  { title, legend, hues = {}, plots, words }: TextChart,
): readonly StyledLine[] {
  const texts = (list: readonly string[], indent: string) =>
    list.flatMap(text => wrapped(spoken(screen, text), screen.columns, indent, { widthOf, headOf }))
  const head = texts(packed(legend, screen.columns), '').map(text => tinted(text, hues))
  return [...texts([title], '').map(line), ...head, ...plots, ...texts(words, '   ').map(line)]
}
