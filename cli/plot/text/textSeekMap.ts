/**
 * The seek map as text: in braille one dot per place and moment with requests, in ASCII a letter or the density of each
 * cell.
 */
import { ticksOf } from '../../../web/charts/seek-map/axis/axis'
import type { AxisPart } from '../../../web/charts/seek-map/axis/bands'
import { mapCells, seekMap, spansOf } from '../../../web/charts/seek-map/spec'
import { courseWords, placeWords } from '../../../web/charts/seek-map/summary'
import { zoneWords } from '../../../web/charts/seek-map/zones/zones'
import { densityStep } from '../../../web/charts/shared/answers/density'
import type { Shown } from '../../../web/charts/shared/answers/shown'
import { PER_CELL } from '../../../web/charts/shared/answers/words'
import { endNoteOf } from '../../../web/charts/shared/paint/ends'
import { failureWords } from '../../../web/charts/shared/paint/failures'
import { titleOf } from '../../../web/charts/shared/spec'
import { type Band, type Grid, OPS, type Op } from '../../../web/engine/protocol'
import { count, counted } from '../../../web/lib/format'
import { sector } from '../../../web/lib/units'
import { answers, type PlotFrame } from '../frame'
import { columnTime, GUTTER, plotColumns, type TimeGrid, timeGrid } from './axes'
import { type RunPlot, type TextChart, type TextLane, timePlots, warning } from './block'
import { createDots, createGrid, DOTS_ACROSS, DOTS_DOWN, glyphs, type Hue, type Screen } from './screen'

/** Rows between two parts of the axis. */
const CUT = 1
const MIN_ROWS = 2

/**
 * Parts of the LBA axis in rows of characters: in proportion to the sectors, two at least, the highest sectors on top.
 */
export function rowParts(spans: readonly (readonly [number, number])[], rows: number): readonly AxisPart[] {
  const room = Math.max(rows - CUT * (spans.length - 1), spans.length * MIN_ROWS)
  const tall = heights(
    spans.map(([low, high]) => Math.max(1, high - low)),
    room,
  )
  const parts: AxisPart[] = []
  let bottom = room + CUT * (spans.length - 1)
  let rest = 0
  spans.forEach(([low, high], i) => {
    const exact = (tall[i] ?? MIN_ROWS) + rest
    const height = i === spans.length - 1 ? bottom : Math.max(1, Math.round(exact))
    rest = exact - height
    const [top, y0, y1] = [bottom - height, bottom - height, bottom]
    parts.push({ lba0: sector(low), lba1: sector(Math.max(high, low + 1)), top, bottom, y0, y1 })
    bottom = top - CUT
  })
  return parts
}

/** Shares of `room` in proportion; those that would get too little have the minimum, and leave less for the others. */
function heights(sizes: readonly number[], room: number): readonly number[] {
  const small = new Set<number>()
  for (;;) {
    const large = sizes.reduce((sum, size, i) => (small.has(i) ? sum : sum + size), 0)
    const left = room - small.size * MIN_ROWS
    const tall = sizes.map((size, i) => (small.has(i) ? MIN_ROWS : (size / large) * left))
    const low = [...tall.keys()].filter(i => (tall[i] ?? 0) < MIN_ROWS && !small.has(i))
    if (low.length === 0) return tall
    for (const i of low) small.add(i)
  }
}

/**
 * What the axis shows, and its ticks by row: round sizes of an axis in one part, else the first sector of each part.
 */
export function lbaAxis(parts: readonly AxisPart[]): {
  readonly what: string
  readonly labels: ReadonlyMap<number, string>
} {
  const narrow = parts.some(part => count(part.lba0).length >= GUTTER)
  const { what, ticks } = ticksOf(parts, undefined, narrow)
  if (parts.length > 1)
    return { what, labels: new Map(ticks.map(({ label }, i) => [(parts[i]?.bottom ?? 0) - 1, label])) }
  const tall = parts[0]?.bottom ?? 1
  return {
    what,
    labels: new Map(ticks.map(({ position, label }) => [Math.min(tall - 1, Math.floor(position)), label])),
  }
}

const LETTERS: Readonly<Record<Op, string>> = { read: 'r', write: 'w', discard: 'd', flush: 'f' }
const HUES: Readonly<Partial<Record<Op, Hue>>> = { read: 'read', write: 'write', discard: 'discard' }
const BOTH = '*'
/** From this step of density on a letter is a capital. */
const MANY = 3

/** Requests of one operation of a run, by cell. */
interface OpGrid {
  readonly op: Op
  readonly grid: Grid
}

const bandsOf = (parts: readonly AxisPart[], per: number): readonly Band[] =>
  parts.map(({ lba0, lba1, top, bottom }) => ({ lba0, lba1, y0: top * per, y1: bottom * per }))

async function opGrids(
  run: Shown,
  grid: TimeGrid,
  parts: readonly AxisPart[],
  rows: number,
  screen: Screen,
): Promise<readonly OpGrid[]> {
  const [across, down] = screen.ascii ? [1, 1] : [DOTS_ACROSS, DOTS_DOWN]
  const all = await Promise.all(
    OPS.map(async op => {
      const hideOps = [...new Set([...(run.filter.hideOps ?? []), ...OPS.filter(other => other !== op)])]
      const answer = await run.client.query('seekMap', {
        filter: { ...run.filter, hideOps },
        range: grid.range,
        bands: bandsOf(parts, down),
        w: grid.columns * across,
        h: rows * down,
        layer: 'density',
        marks: 0,
      })
      return { op, answer }
    }),
  )
  return all.flatMap(({ op, answer }) => (answer.kind === 'grid' && answer.n > 0 ? [{ op, grid: answer }] : []))
}

/** Smallest and largest count of each step of density, 1 to 5; some have none where counts are small. */
function stepRanges(max: number): readonly { readonly step: number; readonly from: number; readonly to: number }[] {
  const first = (step: number): number => {
    let n = Math.max(1, Math.floor(max ** ((step - 1) / 5)) - 1)
    while (n <= max && densityStep(n, max) < step) n += 1
    return n
  }
  return [1, 2, 3, 4, 5].flatMap(step => {
    const [from, to] = [first(step), step === 5 ? max : first(step + 1) - 1]
    return from <= to ? [{ step, from, to }] : []
  })
}

/** `requests per cell: . 1, : 2-3, o 4-6, # 7-12, @ 13-24`. */
export function rampLegend(screen: Screen, max: number): string {
  const { ramp } = glyphs(screen)
  const ranges = stepRanges(max).map(
    ({ step, from, to }) => `${ramp[step - 1]} ${count(from)}${to > from ? `-${count(to)}` : ''}`,
  )
  return `${PER_CELL}: ${ranges.join(', ')}`
}

interface MapDrawing {
  readonly grid: TimeGrid
  readonly parts: readonly AxisPart[]
  readonly rows: number
  /** Operations of all runs that have a place. */
  readonly ops: readonly Op[]
  /** Each operation has its own map. */
  readonly apart: boolean
  /** Largest cell of all runs. */
  readonly max: number
}

/** From this share of cells with several operations on, letters show little. */
const MIXED = 0.2

/** Share of the cells with requests in which there are several operations. */
function mixedShare(runs: readonly (readonly OpGrid[])[]): number {
  let [used, mixed] = [0, 0]
  for (const grids of runs) {
    const [first] = grids
    first?.grid.counts.forEach((_, i) => {
      const there = grids.filter(({ grid }) => (grid.counts[i] ?? 0) > 0).length
      if (there > 0) used += 1
      if (there > 1) mixed += 1
    })
  }
  return used === 0 ? 0 : mixed / used
}

/** One lane, or one per operation. */
function mapLanes(
  screen: Screen,
  run: Shown,
  grids: readonly OpGrid[],
  note: string | undefined,
  drawing: MapDrawing,
): readonly TextLane[] {
  const { grid, parts, rows, ops, apart, max } = drawing
  const { labels } = lbaAxis(parts)
  const cuts = new Set(parts.slice(0, -1).map(part => part.top - 1))
  const lanes = apart ? ops.map(op => grids.filter(g => g.op === op)) : [grids]
  return lanes.map((layers, i): TextLane => {
    const text = createGrid(grid.columns, rows)
    if (screen.ascii) putLetters(text, layers, ops.length > 1 && !apart, max)
    else putDots(text, layers, grid.columns, rows)
    if (i === 0 && note !== undefined) putNote(text, note, grid, run)
    return { rows: text.rows(), labels, cuts, ...(apart && { name: ops[i] ?? '' }) }
  })
}

function putDots(text: ReturnType<typeof createGrid>, grids: readonly OpGrid[], columns: number, rows: number): void {
  const dots = createDots(columns, rows)
  for (const { op, grid } of grids) {
    grid.counts.forEach((n, i) => {
      if (n > 0) dots.set(Math.floor(i / grid.h), i % grid.h, HUES[op])
    })
  }
  dots.onto(text)
}

function putLetters(
  text: ReturnType<typeof createGrid>,
  grids: readonly OpGrid[],
  several: boolean,
  max: number,
): void {
  const { ramp } = glyphs({ ascii: true })
  const seen = new Set<string>()
  for (const { op, grid } of grids) {
    grid.counts.forEach((n, i) => {
      if (n === 0) return
      const [x, y] = [Math.floor(i / grid.h), i % grid.h]
      const step = densityStep(n, max)
      const letter = step >= MANY ? LETTERS[op].toUpperCase() : LETTERS[op]
      text.put(x, y, several ? (seen.has(`${x} ${y}`) ? BOTH : letter) : (ramp[step - 1] ?? ''), HUES[op])
      seen.add(`${x} ${y}`)
    })
  }
}

/** After the run's end, where there is room: that it ended, and what runs longer. */
function putNote(text: ReturnType<typeof createGrid>, note: string, grid: TimeGrid, run: Shown): void {
  const from = Math.floor((run.end - grid.range.t0) / grid.bin) + 2
  for (const [i, part] of note.split('; ').entries()) {
    const isFree = Array.from(part, (_, k) => text.characterAt(from + k, i)).every(character => character === ' ')
    if (isFree && from + part.length <= grid.columns) text.write(from, i, part, 'faint')
  }
}

function legendOf(screen: Screen, { ops, apart, max }: MapDrawing): string {
  if (ops.length === 0) return 'no requests with a place'
  if (screen.ascii && (ops.length === 1 || apart))
    return `${ops.map(op => `${op}s`).join(', ')}; ${rampLegend(screen, max)}`
  if (!screen.ascii)
    return `a dot: one or more ${ops.length === 1 ? `${ops[0]}s` : `requests (${ops.map(op => `${op}s`).join(', ')})`}`
  const many = stepRanges(max).find(({ step }) => step >= MANY)?.from
  const capital = many === undefined ? '' : `; capital: ${count(many)} or more per cell, most ${count(max)}`
  return `${ops.map(op => `${LETTERS[op]} ${op}`).join(', ')}, ${BOTH} several${capital}`
}

/** Most flushes that are drawn. */
const MAX_FLUSHES = 8192

/** Flushes have no place: a row of letters below the map. */
async function flushes(
  run: Shown,
  grid: TimeGrid,
): Promise<{ readonly n: number; readonly lanes: readonly TextLane[] }> {
  const others = OPS.filter(op => op !== 'flush')
  const ask = { range: grid.range, bands: [], w: 1, h: 1, layer: 'density' as const, marks: MAX_FLUSHES }
  const answer = await run.client.query('seekMap', { filter: { ...run.filter, hideOps: others }, ...ask })
  if (answer.kind === 'grid') {
    const { ops } = await run.client.query('facets', { filter: run.filter, range: grid.asked })
    return { n: ops.flush, lanes: [] }
  }
  const row = createGrid(grid.columns, 1)
  let n = 0
  for (let i = 0; i < answer.n; i += 1) {
    const time = answer.issued[i] ?? Number.NaN
    if (!Number.isNaN(answer.lba[i] ?? 0) || time < grid.asked.t0 || time >= grid.range.t1) continue
    row.put(Math.floor((time - grid.range.t0) / grid.bin), 0, LETTERS.flush)
    n += 1
  }
  return { n, lanes: n === 0 ? [] : [{ name: 'flush', rows: row.rows(), labels: new Map(), strip: true }] }
}

export async function seekMapText(frame: PlotFrame, screen: Screen): Promise<TextChart> {
  const { shown, view } = frame
  const rows = Math.round(screen.columns / 6)
  const grid = timeGrid(view.range, plotColumns(screen.columns))
  const bands = await answers(frame, async run => {
    const ask = seekMap.queries.bands.ask(run, frame, mapCells(frame, [], 0, 0))
    return ask ? { answer: await run.client.query('bands', ask) } : {}
  })
  const parts = rowParts(spansOf(frame, bands), rows)
  const tall = Math.max(...parts.map(part => part.bottom))
  const grids = await answers(frame, run => opGrids(run, grid, parts, tall, screen))
  const ops = OPS.filter(op => grids.some(layers => layers.some(g => g.op === op)))
  const max = Math.max(1, ...grids.flatMap(layers => layers.map(g => g.grid.max)))
  const apart = ops.length > 1 && (screen.ascii ? mixedShare(grids) > MIXED : !screen.coloured)
  const drawing: MapDrawing = { grid, parts, rows: tall, ops, apart, max }
  const flushed = await answers(frame, run => flushes(run, grid))
  const plots = shown.map((run, i): RunPlot => {
    const lanes = mapLanes(screen, run, grids[i] ?? [], endNoteOf(run, shown), drawing)
    return { run, lanes: [...lanes, ...(flushed[i]?.lanes ?? [])] }
  })
  const sentences = await answers(frame, async run => {
    const zones =
      run.device.zones && (await run.client.query('zones', { device: run.device.index, range: view.range, most: 1 }))
    const ask = { filter: run.filter, range: view.range, bands: bandsOf(parts, 1), w: 1, h: tall }
    const failures = run.figures?.failed && (await run.client.query('failures', ask))
    const i = shown.indexOf(run)
    const n = (grids[i] ?? []).reduce((sum, layer) => sum + layer.grid.n, 0)
    const without = flushed[i]?.n ? ` and ${counted(flushed[i].n, 'flush', 'flushes')} without a place` : ''
    return `${placeWords(run, n, parts)}${without}.${courseWords(run)}${zoneWords(run.device, zones)}${failureWords(failures)}${warning(run, seekMap.measures(frame))}`
  })
  return {
    title: `${titleOf(seekMap, frame)}: ${lbaAxis(parts).what}`,
    legend: [legendOf(screen, drawing), columnTime(grid)],
    hues: { reads: 'read', writes: 'write', discards: 'discard' },
    plots: timePlots(screen, grid, plots, ''),
    words: sentences,
  }
}
