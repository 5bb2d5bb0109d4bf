/** The seek map in pictures, painted by the code of the page. */
import { outermost, ticksOf } from '../../../web/charts/seek-map/axis/axis'
import { GAP_SHARE, inCells, inPixels, layOut, MAX_PARTS, unionOf } from '../../../web/charts/seek-map/axis/bands'
import { type CellColours, drawGrid, gridPixels } from '../../../web/charts/seek-map/cells'
import { drawGround, drawMarks, type MapScene } from '../../../web/charts/seek-map/draw'
import { drawFailures, failuresAsk } from '../../../web/charts/seek-map/failures'
import { classNames } from '../../../web/charts/seek-map/layers'
import { classEntries, classesIn, lineEntries } from '../../../web/charts/seek-map/legend'
import { CELL, cellColours, MAX_MARKS, partName, sceneOf } from '../../../web/charts/seek-map/scene'
import { drawZoneMarks, drawZones, zoneColoursOf, zoneWords } from '../../../web/charts/seek-map/zones/zones'
import { ofDevice } from '../../../web/charts/shared/answers/shown'
import { failureEntries, failureWords } from '../../../web/charts/shared/paint/failures'
import type { Surface } from '../../../web/charts/shared/paint/surface'
import type { LegendPart } from '../../../web/charts/shared/spec'
import type { Query, QueryAnswer } from '../../../web/engine/protocol'
import { counted } from '../../../web/lib/format'
import { layerOf } from '../../../web/state/filter'
import { answers } from '../frame'
import type { PictureFrame } from './pictureFrame'
import { dagger, type PictureRow } from './pictureRow'

/** Cells where there are many requests, else one mark each. */
function drawMap(
  surface: Surface,
  map: QueryAnswer<'seekMap'> | undefined,
  ask: Pick<Query<'seekMap'>, 'range' | 'bands'> | undefined,
  scene: MapScene,
  colours: CellColours,
): void {
  if (map?.kind === 'marks') drawMarks(surface, map, scene)
  if (map?.kind !== 'grid' || ask === undefined) return
  const image = gridPixels(map, CELL, colours)
  drawGrid(
    surface,
    { image: image as unknown as CanvasImageSource, w: image.w, range: ask.range, bands: inPixels(ask.bands, CELL) },
    scene,
  )
}

export async function seekMapRow(frame: PictureFrame): Promise<PictureRow> {
  const { shown, view, extent, plotWidth, palette, sheet } = frame
  const height = frame.sizes.seekMap
  const layer = layerOf(frame.runs, view)
  const found = await answers(frame, run =>
    run.client.query('bands', {
      filter: run.filter,
      range: { ...extent, t1: run.info.span },
      most: MAX_PARTS,
      gapShare: GAP_SHARE,
    }),
  )
  const union = unionOf(found.map(answer => answer.bands))
  const reach = shown.flatMap(run => (run.device.lba[1] > run.device.lba[0] ? [run.device.lba] : []))
  const parts = layOut(union.length > 0 ? union : [reach.length > 0 ? outermost(reach) : [0, 1]], height)
  const { what, ticks } = ticksOf(parts, shown[0]?.filter.geometry, false)
  const own = layer === 'alignment' ? undefined : layer
  const asks = shown.map(run => ({
    filter: run.filter,
    range: view.range,
    bands: inCells(parts, CELL),
    w: Math.max(1, Math.round(plotWidth / CELL)),
    h: Math.ceil(height / CELL),
    layer: own ?? (run.filter.geometry === undefined ? ('op' as const) : ('alignment' as const)),
    ...(layer === 'process' && { slots: run.slots }),
    marks: MAX_MARKS,
  }))
  const maps = await Promise.all(shown.map((run, i) => run.client.query('seekMap', asks[i] as (typeof asks)[number])))
  const zoned = await answers(
    frame,
    async run =>
      run.device.zones && run.client.query('zones', { device: run.device.index, range: view.range, most: 8192 }),
  )
  const failures = await answers(
    frame,
    async run =>
      run.figures?.failed && run.client.query('failures', failuresAsk(run, view.range, parts, plotWidth, height)),
  )
  const failed = failureEntries(
    failures,
    shown.map(run => run.letter),
  )
  const max = Math.max(1, ...maps.map(map => (map.kind === 'grid' ? map.max : 1)))
  const names = classNames(layer, frame.processes, shown[0]?.run)
  const entries = layer === 'density' ? [] : classEntries(layer, classesIn(maps), names)
  const most: LegendPart[] =
    max > 1 ? (layer === 'density' ? [{ most: max }] : [{ words: `up to ${max} per cell` }]) : []
  const zoneColours = zoneColoursOf(palette)
  return {
    title: `Seek map${ofDevice(shown)}`,
    chart: 'seekMap',
    what,
    height,
    ticks,
    lines: parts.length === 1 ? ticks.map(tick => tick.at) : [],
    zeros: [],
    legend: [{ entries: [...entries, ...lineEntries(maps), ...failed] }, ...most],
    figure: run => {
      const turns = run.figures?.interleaving?.switch_share
      const n = maps[shown.indexOf(run)]?.n ?? 0
      const switching = turns ? `, ${Math.round(turns * 100)}% switch process${dagger(run, ['interleaving'])}` : ''
      const failing = failureWords(failures[shown.indexOf(run)]).replace(/^ (.*)\.$/, '; $1')
      return `${counted(n, 'request')}${switching}${failing}${zoneWords(run.device, zoned[shown.indexOf(run)]).replace(/^ (.*)\.$/, '; $1')}`
    },
    draw: (surface, run) => {
      const i = shown.indexOf(run)
      const scene = sceneOf(frame, run, parts, layer, height)
      const { zones } = run.device
      drawGround(surface, scene)
      if (zones !== undefined) drawZones(surface, scene.parts, zones, scene.width, zoneColours)
      drawMap(surface, maps[i], asks[i], scene, cellColours(palette, layer, max))
      const [marks, failing] = [zoned[i], failures[i]]
      if (zones !== undefined && marks !== undefined) drawZoneMarks(surface, marks, { ...scene, zones }, zoneColours)
      if (failing !== undefined) drawFailures(surface, failing, scene, palette)
    },
    annotate: (run, x, y) => {
      if (parts.length < 2) return
      const i = shown.indexOf(run)
      for (const part of parts) {
        const name = partName(part, maps[i], asks[i], names, frame, layer)
        if (name)
          sheet.text(x + 6, y + part.top + 13, name, { size: 11, colour: palette('ink-2'), halo: palette('surface') })
      }
    },
    cuts: parts.slice(0, -1).map((part, i) => ((parts[i + 1]?.bottom ?? 0) + part.top) / 2),
    ends: true,
  }
}
