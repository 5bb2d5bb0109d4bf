/** LBA over time: where on the disk requests are, in which order, and how long each waited and was served. */
import type { FailureMarks, Layer, ObjectUse, Query, QueryAnswer } from '../../engine/protocol'
import { counted } from '../../lib/format'
import { layerOf } from '../../state/filter'
import { shortPath } from '../../state/runs/objects'
import type { Shown } from '../shared/answers/shown'
import { FAILURE_CELL, failureEntries, failureWords } from '../shared/paint/failures'
import type { Surface } from '../shared/paint/surface'
import type { Answers, Cells, FigurePart, LegendPart, RowSpec, RunsFrame } from '../shared/spec'
import { outermost, ticksOf } from './axis/axis'
import { type AxisPart, GAP_SHARE, inCells, inPixels, layOut, MAX_PARTS, unionOf } from './axis/bands'
import { drawGrid, gridPixels } from './cells'
import { mapData } from './data'
import { drawGround, drawMarks, type MapScene } from './draw'
import { drawFailures, failuresAsk } from './failures'
import { classNames, slotsIn } from './layers'
import { classEntries, classesIn, lineEntries, perCell } from './legend'
import { ownerStrip } from './owners'
import { CELL, cellColours, MAX_MARKS, partLabel, sceneOf } from './scene'
import { TITLE, table, words } from './summary'
import { drawZoneMarks, drawZones, zoneColoursOf, zonesAsk, zoneWords } from './zones/zones'

export interface MapQueries {
  readonly bands: 'bands'
  readonly map: 'seekMap'
  readonly zones: 'zones'
  readonly failures: 'failures'
}

export interface MapCells extends Cells {
  /** Parts of the LBA axis; empty until it is known. */
  readonly parts: readonly AxisPart[]
  /** Size of the plot, px. */
  readonly width: number
  readonly height: number
}

export const mapLayer = ({ shown, view }: Pick<RunsFrame, 'shown' | 'view'>): Layer =>
  layerOf(
    shown.map(run => run.run),
    view,
  )

export const mapCells = (
  { view }: Pick<RunsFrame, 'view'>,
  parts: readonly AxisPart[],
  width: number,
  height: number,
): MapCells => ({
  range: view.range,
  w: Math.max(1, Math.round(width / CELL)),
  h: Math.ceil(height / CELL),
  marks: { w: Math.round(width / FAILURE_CELL), h: Math.ceil(height / FAILURE_CELL) },
  ...{ parts, width, height },
})

const answersIn = <T>(replies: readonly { readonly answer?: T }[]): readonly (T | undefined)[] =>
  replies.map(({ answer }) => answer)

/** The object that had most of the time in the device: `89% of the time is rnd.0.0`. */
function busiestObject({ figures, info }: Shown): readonly FigurePart[] {
  const { top = [], all } = figures?.objects ?? {}
  const most = top.reduce<ObjectUse | undefined>((a, b) => (a === undefined || b.d2c_ns > a.d2c_ns ? b : a), undefined)
  if (most === undefined || !all?.d2c_ns) return []
  const label = shortPath(
    most.name,
    (info.objects ?? []).map(({ name }) => name),
  )
  return [{ strong: `${Math.round((most.d2c_ns / all.d2c_ns) * 100)}%` }, ` of the time is ${label}`, 'scope']
}

/** The figure beside a run that has `n` requests on the map. */
export function mapFigure(run: Shown, n: number | undefined, layer: Layer): readonly FigurePart[] {
  const turns = run.figures?.interleaving?.switch_share
  if (!run.info.complete) return [`${counted(n ?? 0, 'request')} so far`]
  const busiest = layer === 'object' ? busiestObject(run) : []
  if (busiest.length > 0) return busiest
  if (turns === undefined || turns === 0) return n === undefined ? [] : [counted(n, 'request')]
  return [{ strong: `${Math.round(turns * 100)}%` }, ' switch process', { unreliable: ['interleaving'] }, 'scope']
}

/** What the page has in the legend and in tips. */
function detailsOf(run: Shown, answers: Answers<MapQueries>, i: number, layer: Layer): readonly string[] {
  const n = answers.map[i]?.answer?.n ?? 0
  const isCounted = mapFigure(run, n, layer).some(
    part => typeof part === 'string' && part.startsWith(counted(n, 'request')),
  )
  const sentences = failureWords(answers.failures[i]?.answer) + zoneWords(run.device, answers.zones[i]?.answer)
  const bare = sentences.trim().replace(/\.$/, '').replaceAll('. ', '; ')
  return [...(isCounted ? [] : [counted(n, 'request')]), bare]
}

export const mapWords = (
  frame: RunsFrame,
  { map, zones, failures }: Pick<Answers<MapQueries>, 'map' | 'zones' | 'failures'>,
  parts: readonly AxisPart[],
): readonly string[] =>
  frame.shown.map(
    (run, i) =>
      words(run, map[i]?.answer, parts, mapLayer(frame)) +
      zoneWords(run.device, zones[i]?.answer) +
      failureWords(failures[i]?.answer),
  )

/** Cells where there are many requests, else one mark each. */
function paintMap(
  surface: Surface,
  { answer, ask }: { readonly answer?: QueryAnswer<'seekMap'>; readonly ask?: Query<'seekMap'> },
  scene: MapScene,
  colours: ReturnType<typeof cellColours>,
): void {
  if (answer?.kind === 'marks') drawMarks(surface, answer, scene)
  if (answer?.kind !== 'grid' || ask === undefined) return
  const image = gridPixels(answer, CELL, colours)
  drawGrid(
    surface,
    { image: image as unknown as CanvasImageSource, w: image.w, range: ask.range, bands: inPixels(ask.bands, CELL) },
    scene,
  )
}

const reachOf = (shown: readonly Shown[]): readonly (readonly [number, number])[] =>
  shown.flatMap(run => (run.device.lba[1] > run.device.lba[0] ? [run.device.lba] : []))

/** Parts of the disk with requests, or all between the first and the last request. */
export function spansOf(
  { shown }: Pick<RunsFrame, 'shown'>,
  bands: readonly { readonly answer?: QueryAnswer<'bands'> }[],
): readonly (readonly [number, number])[] {
  const union = unionOf(bands.map(({ answer }) => answer?.bands ?? []))
  const reach = reachOf(shown)
  return union.length > 0 ? union : [reach.length > 0 ? outermost(reach) : [0, 1]]
}

const failuresOf = (answers: Answers<MapQueries>): readonly (FailureMarks | undefined)[] => answersIn(answers.failures)

export const seekMap: RowSpec<MapQueries, MapCells> = {
  kind: 'row',
  name: 'seek-map',
  title: TITLE,
  namesDevice: true,
  chart: 'seekMap',
  measured: 'seek-map',
  queries: {
    bands: {
      kind: 'bands',
      channel: 'bands',
      ask: (run, { extent }) => ({
        filter: run.filter,
        range: { ...extent, t1: run.info.span },
        most: MAX_PARTS,
        gapShare: GAP_SHARE,
      }),
    },
    map: {
      kind: 'seekMap',
      channel: 'seek-map',
      ask(run, frame, { parts, range, w, h }) {
        if (parts.length === 0) return undefined
        const layer = mapLayer(frame)
        return {
          filter: run.filter,
          range,
          bands: inCells(parts, CELL),
          ...{ w, h },
          layer: layer === 'alignment' && run.filter.geometry === undefined ? 'op' : layer,
          ...slotsIn(layer, run),
          marks: MAX_MARKS,
        }
      },
    },
    zones: { kind: 'zones', channel: 'seek-map-zones', ask: (run, { view }) => zonesAsk(run, view.range) },
    failures: {
      kind: 'failures',
      channel: 'seek-map-failures',
      ask: (run, { view }, { parts, width, height }) =>
        run.figures?.failed ? failuresAsk(run, view.range, parts, width, height) : undefined,
    },
  },
  cells(frame, { bands = [] }) {
    const height = frame.sizes.seekMap
    return mapCells(frame, layOut(spansOf(frame, bands), height), frame.plotWidth, height)
  },
  measures: () => ['seek'],
  subject: () => '',
  words: (frame, answers, { parts }) => mapWords(frame, answers, parts),
  table: (frame, { map }, { parts }) => table(frame.shown, answersIn(map), parts, mapLayer(frame)),
  data(frame, answers) {
    const layer = mapLayer(frame)
    const names = (run: Shown) => classNames(layer, frame, run.run)
    return mapData(frame.shown, answers.map, answersIn(answers.zones), failuresOf(answers), layer, names)
  },
  row(frame, answers, { parts, height }) {
    const { shown, palette } = frame
    const layer = mapLayer(frame)
    const { what, ticks } = ticksOf(parts, shown[0]?.filter.geometry, false)
    const maps = answersIn(answers.map)
    const max = Math.max(1, ...maps.map(map => (map?.kind === 'grid' ? map.max : 1)))
    const names = classNames(layer, frame, shown[0]?.run)
    const entries = layer === 'density' ? [] : classEntries(layer, classesIn(maps), names)
    const letters = shown.map(run => run.letter)
    const failed = failureEntries(failuresOf(answers), letters)
    const most: readonly LegendPart[] = max > 1 ? [layer === 'density' ? { most: max } : { words: perCell(max) }] : []
    const colours = cellColours(palette, layer, max)
    const zoneColours = zoneColoursOf(palette)
    return {
      what,
      height,
      ticks,
      lines: parts.length === 1 ? ticks.map(tick => tick.position) : [],
      zeros: [],
      legend: [{ entries: [...entries, ...lineEntries(maps), ...failed] }, ...most],
      figure: (run, i) => mapFigure(run, maps[i]?.n, layer),
      details: (run, i) => detailsOf(run, answers, i, layer),
      draw(surface, run, i) {
        const scene = sceneOf(frame, run, parts, layer, height)
        const { zones } = run.device
        drawGround(surface, scene)
        if (zones !== undefined) drawZones(surface, scene.parts, zones, scene.width, zoneColours)
        paintMap(surface, answers.map[i] ?? {}, scene, colours)
        const [marks, failing] = [answers.zones[i]?.answer, answers.failures[i]?.answer]
        if (zones !== undefined && marks !== undefined) drawZoneMarks(surface, marks, { ...scene, zones }, zoneColours)
        if (failing !== undefined) drawFailures(surface, failing, scene, palette)
      },
      labels: (_, i) =>
        parts.length < 2
          ? []
          : parts.flatMap(part => {
              const text = partLabel(part, answers.map, i, names, frame, layer)
              return text ? [{ x: 6, y: part.top + 13, text }] : []
            }),
      ...(layer === 'object' && { strip: (_: Shown, i: number) => ownerStrip(answers.map[i] ?? {}, parts, height) }),
      cuts: parts.slice(0, -1).map((part, i) => ((parts[i + 1]?.bottom ?? 0) + part.top) / 2),
      ends: true,
    }
  },
}
