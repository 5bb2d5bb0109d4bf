/** The picture of all runs at a time, on the page and in a film: fetches what it needs, and draws it. */
import { IN_FLIGHT, STARVED, WAITING } from '../queue-depth/spec'
import { ticksOf } from '../seek-map/axis/axis'
import { inCells } from '../seek-map/axis/bands'
import { classNames, classTokens, type Slots, slotsIn } from '../seek-map/layers'
import { WAITED } from '../seek-map/legend'
import { objectOfClasses, onlyOne, processOfClass } from '../seek-map/scene'
import { filtered, type Shown, type StableView } from '../shared/answers/shown'
import type { LegendEntry } from '../shared/paint/legendEntry'
import type { Palette } from '../shared/paint/palette'
import { binWidth } from '../shared/paint/ticks'
import type { Timing } from './clock'
import { hasQueue, layerFor, type PlayFacts, partsFor } from './facts'
import { figuresAt, type PlayFigures } from './figures'
import { drawHead, drawLegend, drawTitle } from './head'
import { layOutStage, type StageLayout } from './layout'
import { drawAxis, drawPartNames, drawPlot, type RunPicture } from './plot'
import { createSource, TILE_MARKS } from './source'
import { type Canvas2D, write } from './text'
import { CELL, type MapStyle, paintTile } from './tile'

export interface StageInput extends Slots {
  /** `MAX_RUNS` at most. */
  readonly shown: readonly Shown[]
  readonly view: StableView
  readonly palette: Palette
  readonly facts: PlayFacts
  readonly timing: Timing
  readonly width: number
  readonly height: number
  /** Device px per CSS px. */
  readonly ratio: number
  /** What a film adds: its title, seconds of the trace per second, and px around the picture. */
  readonly film?: { readonly title: string; readonly speed: number; readonly pad: number }
}

export interface RunFigures {
  readonly run: Shown
  readonly figures: PlayFigures
}

/** Its times are moments of the timing, or complete ns. */
export interface PlayStage {
  readonly layout: StageLayout
  /** Whether the picture of this time is known. */
  ready(time: number): boolean
  /** Fetches it; rejects with an EngineError. */
  load(time: number): Promise<void>
  /** Fetches what comes next. */
  ahead(time: number): void
  /** Draws it, when it is ready. */
  draw(context: Canvas2D, time: number): void
  figures(time: number): readonly RunFigures[]
}

/** Width of a bin of the queue depth, px. */
const QUEUE_BIN = 2

const OP_SHAPES = ['hollow', 'square', 'hatch', 'bar'] as const

function legendOf({ shown, processes, objects, facts }: StageInput): readonly LegendEntry[] {
  const { layer, classes } = facts
  const queue: readonly LegendEntry[] = shown.some(hasQueue)
    ? [
        { label: IN_FLIGHT, token: 'in-flight', shape: 'line' },
        { label: WAITING, token: 'waiting', shape: 'dash' },
        { label: STARVED, token: 'starved' },
      ]
    : []
  const flushes: readonly LegendEntry[] =
    facts.flushes && layer !== 'op' ? [{ label: 'flush', token: 'op-flush', shape: 'bar' }] : []
  const rest: readonly LegendEntry[] = [...flushes, { label: WAITED, token: 'held', shape: 'thin' }, ...queue]
  if (layer === 'density') return [{ label: 'requests', token: 'in-flight', shape: 'square' }, ...rest]
  const names = classNames(layer, { processes, objects }, shown[0]?.run)
  const tokens = classTokens(layer)
  const shape = (cls: number) =>
    layer === 'op' ? (OP_SHAPES[cls] ?? 'square') : layer === 'alignment' && cls === 3 ? 'hatch' : 'square'
  return [
    ...classes
      .filter(c => tokens[c] !== undefined)
      .map(c => ({ label: names[c] ?? 'other', token: tokens[c] ?? 'ink', shape: shape(c) })),
    ...rest,
  ]
}

/** Per run, the names of the parts of the axis, as the seek map has them. */
function partNamesOf({ shown, processes, objects, facts }: StageInput): readonly (readonly (string | undefined)[])[] {
  if (facts.layer !== 'process' && facts.layer !== 'object') return []
  const names = classNames(facts.layer, { processes, objects }, shown[0]?.run)
  return facts.partClasses.map(classes =>
    classes.map(found =>
      facts.layer === 'object'
        ? objectOfClasses(found, names)
        : processOfClass(onlyOne(found), names, { shown, processes }),
    ),
  )
}

/** What every picture says: how much of the past is in it, and what is not counted. */
const noteOf = ({ view, timing }: StageInput, axis: string): string =>
  `${axis}; the last ${binWidth(timing.window)} before now${filtered({ view }) ? '; requests hidden by filters are not drawn' : ''}`

export function createStage(input: StageInput): PlayStage {
  const { shown, palette, facts, timing, width, height, ratio, film } = input
  const layout = layOutStage(width, height, shown.length, film !== undefined)
  const plots = shown.map((run, i) => {
    const place = layout.runs[i]
    const tall = place?.past.h ?? 1
    const half = (place?.past.w ?? 2) / 2
    const layer = layerFor(facts.layer, run)
    const style: MapStyle = { palette, layer, parts: partsFor(facts, tall), ratio }
    const rows = Math.ceil(tall / CELL)
    const map = {
      filter: run.filter,
      bands: inCells(style.parts, CELL),
      w: Math.max(1, Math.round(half / CELL)),
      h: rows,
      layer,
      ...slotsIn(layer, run),
      marks: TILE_MARKS,
    }
    const size = { width: half, height: tall, queueHeight: place?.queue.h ?? 1 }
    const bins = Math.max(1, Math.round(half / QUEUE_BIN))
    const source = createSource(run, layer, timing, { map, ...(hasQueue(run) && { bins }) }, answer =>
      paintTile(answer, style, run, size, facts.mostDepth),
    )
    return { run, place, style, source, ...ticksOf(style.parts, run.filter.geometry, layout.narrow) }
  })
  const legend = legendOf(input)
  const partNames = partNamesOf(input)
  const note = noteOf(input, plots[0]?.what ?? '')
  const figuresOf = (time: number): readonly RunFigures[] =>
    plots.flatMap(({ run, source }) => {
      const moment = source.moment(time)
      return moment ? [{ run, figures: figuresAt(moment.moments, moment.k, timing.window, time - run.begin) }] : []
    })
  return {
    layout,
    ready: time => plots.every(({ source }) => source.moment(time) !== undefined && source.tiles(time) !== undefined),
    load: async time => {
      await Promise.all(plots.map(({ source }) => source.load(time)))
    },
    ahead: time => {
      for (const { source } of plots) source.ahead(time)
    },
    figures: figuresOf,
    draw(context, time) {
      const figures = figuresOf(time)
      const pad = film?.pad ?? 0
      context.setTransform(ratio, 0, 0, ratio, pad * ratio, pad * ratio)
      context.fillStyle = palette('surface')
      context.fillRect(-pad, -pad, width + 2 * pad, height + 2 * pad)
      for (const [i, { run, place, style, source, ticks, what }] of plots.entries()) {
        const [moment, tiles] = [source.moment(time), source.tiles(time)]
        const figuresOfRun = figures.find(entry => entry.run === run)
        if (!place || !moment || !tiles || !figuresOfRun) continue
        const others = figures.filter(entry => entry.run !== run)
        drawHead(context, style, place, { run, figures: figuresOfRun.figures, others }, timing.window, layout.narrow)
        drawAxis(context, style, place.past, style.parts, ticks, layout.narrow)
        const picture: RunPicture = { run, moment, figures: figuresOfRun.figures, tiles }
        drawPlot(context, style, place, picture, { t: time, window: timing.window }, facts.mostDepth, layout.narrow)
        if (style.parts.length > 1) drawPartNames(context, style, place.past, partNames[i] ?? [])
        // There the legend has no room for it.
        if (layout.narrow && style.parts.length === 1)
          write(
            context,
            palette,
            what,
            place.past.x + 6,
            place.past.y + 10,
            { size: 11, colour: 'ink-2', halo: true },
            place.past.w - 12,
          )
      }
      const [first] = plots
      if (!first) return
      if (film && layout.title)
        drawTitle(context, first.style, layout.title, film.title, clockWords(time, timing), film.speed)
      drawLegend(context, first.style, layout, legend, note)
    },
  }
}

/** `2.62 s`, with the digits that moments need. */
export function clockWords(t: number, { step }: Timing): string {
  const digits = Math.min(9, Math.max(2, Math.ceil(-Math.log10(step / 1e9))))
  return `${(t / 1e9).toFixed(digits)} s`
}
