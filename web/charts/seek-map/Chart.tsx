/** LBA over time: where on the disk requests are, in which order, and how long each waited and was served. */
import { useCallback, useMemo } from 'react'
import type { FailureMarks, Grid, Layer, Marks, Query, ZoneMarks } from '../../engine/protocol'
import { atTime, count, counted, duration, seconds } from '../../lib/format'
import { ns, sector } from '../../lib/units'
import { type ChartFrame, canStretch, frameOf, type Shown } from '../shared/answers/shown'
import { useQuery } from '../shared/answers/useAnswers'
import { Legend } from '../shared/frame/Legend'
import { Plot, type PlotSectors } from '../shared/frame/Plot'
import { Row } from '../shared/frame/Row'
import { Figure } from '../shared/frame/SpecRow'
import type { Tip } from '../shared/frame/tips'
import { endNoteOf } from '../shared/paint/ends'
import { failureEntries } from '../shared/paint/failures'
import type { Surface } from '../shared/paint/surface'
import { xOf } from '../shared/paint/viewport'
import { type Reply, titleOf } from '../shared/spec'
import { type AxisPart, inPixels, lbaAt, sectorsPerPx, sectorY } from './axis/bands'
import { type LbaAxis, useAxis } from './axis/useAxis'
import { type CellColours, drawGrid, gridPixels, type PaintedGrid } from './cells'
import { boxOf, drawGround, drawMarks, lifeBox, type MapScene, type MarkBox } from './draw'
import { drawFailures, mapFailureTip } from './failures'
import { classNames } from './layers'
import { classesIn, WAITED } from './legend'
import { MapLegend } from './MapLegend'
import { MapTools } from './MapTools'
import { nearestMark, neighbourMark } from './nearest'
import { NARROW_ROOM, OwnerStrip, STRIP_ROOM } from './OwnerStrip'
import { CELL, cellColours, partLabel, sceneOf } from './scene'
import { mapCells, mapFigure, mapLayer, mapWords, seekMap } from './spec'
import { markTitle, table } from './summary'
import { useFailures } from './useFailures'
import { useZones } from './zones/useZones'
import { isZoned, ZoneLegend } from './zones/ZoneLegend'
import { ZoneNumbers } from './zones/ZoneNumbers'
import { drawZoneMarks, drawZones, inZone, zoneColoursOf, zoneTip } from './zones/zones'

export function SeekMap({ frame }: { readonly frame: ChartFrame }) {
  const { shown, plotWidth } = frame
  const tall = frame.sizes.seekMap
  const axis = useAxis(frame, tall)
  const layer = mapLayer(frame)
  const cells = mapCells(frame, axis.isKnown ? axis.parts : [], plotWidth, tall)
  const ownCells =
    frame.ownFrames &&
    new Map(
      [...frame.ownFrames].map(([id, part]) => [
        id,
        { frame: part, cells: mapCells(part, cells.parts, plotWidth, tall) },
      ]),
    )
  const replies = useQuery(frame, seekMap, seekMap.queries.map, cells, ownCells)
  const zoned = useZones(frame, shown, seekMap.queries.zones.channel)
  const zoneMarks = useMemo(() => zoned.map(r => r.answer), [zoned])
  const failing = useFailures(frame, shown, axis.parts, tall)
  const failures = useMemo(() => failing.map(r => r.answer), [failing])
  const failed = failureEntries(
    failures,
    shown.map(run => run.letter),
  )
  const max = Math.max(1, ...replies.map(r => (r.answer?.kind === 'grid' ? r.answer.max : 1)))
  const answers = useMemo(() => replies.map(r => r.answer), [replies])
  const classes = useMemo(() => classesIn(answers), [answers])
  const all = { bands: [], map: replies, zones: zoned, failures: failing }
  const sentences = mapWords(frame, all, axis.parts)
  const room = !hasStrip(frame, layer, true) ? 0 : frame.stacked ? NARROW_ROOM : STRIP_ROOM
  return (
    <Row
      frame={frame}
      title={titleOf(seekMap, frame)}
      {...(seekMap.chart && { chart: seekMap.chart })}
      what={frame.ownFrames ? `each run over its own length; ${axis.what}` : axis.what}
      height={tall}
      ticks={axis.ticks}
      axis={(left, i) => (
        <>
          <Cuts parts={axis.parts} x={left ? frame.axisWidth - 5 - room : 5 + room} />
          {hasStrip(frame, layer, left) && (
            <OwnerStrip
              reply={replies[i] ?? NO_REPLY}
              parts={axis.parts}
              height={tall}
              x={left ? frame.axisWidth - 7 : 1}
            />
          )}
        </>
      )}
      {...(room > 0 && { axisRoom: room })}
      zoomValue={axis.zoom}
      figure={(run, i) => <Figure frame={frame} run={run} parts={mapFigure(run, answers[i]?.n, layer)} />}
      legend={
        <>
          <MapLegend frame={frame} layer={layer} answers={answers} classes={classes} max={max} />
          {failed.length > 0 && <Legend entries={failed} />}
        </>
      }
      {...(isZoned(shown) && { legendBelow: <ZoneLegend shown={shown} marks={zoneMarks} /> })}
      controls={<MapTools frame={frame} axis={axis} layer={layer} />}
      words={sentences}
      measured={seekMap.measured}
      table={() => table(shown, answers, axis.parts, layer)}
      data={() => seekMap.data?.(frame, all, cells) ?? { title: seekMap.title, columns: [], rows: [] }}
      plot={(run, i) => (
        <MapPlot
          frame={frameOf(frame, run)}
          run={run}
          reply={replies[i] ?? {}}
          zoneMarks={zoneMarks[i]}
          failures={failures[i]}
          words={sentences[i] ?? ''}
          labelOf={part => partLabel(part, replies, i, classNames(layer, frame, run.run), frame, layer)}
          axis={axis}
          layer={layer}
          max={max}
          height={tall}
        />
      )}
    />
  )
}

const NO_REPLY: Reply<'seekMap'> = {}

/** The owners of sectors stand beside the plots, where each has an axis: of one run or two, or below each other. */
const hasStrip = ({ columns, stacked, shown }: ChartFrame, layer: Layer, left: boolean): boolean =>
  layer === 'object' && (stacked || columns <= 2) && (left || shown.length > 1)

/** Two strokes at the axis wherever it is cut. */
function Cuts({ parts, x }: { readonly parts: readonly AxisPart[]; readonly x: number }) {
  return parts.slice(0, -1).map((part, i) => {
    const y = ((parts[i + 1]?.bottom ?? 0) + part.top) / 2
    return <path key={part.top} className="axis-cut" d={`M${x - 5} ${y + 1}l9 -6M${x - 5} ${y + 6}l9 -6`} />
  })
}

interface MapPlotProps {
  readonly frame: ChartFrame
  readonly run: Shown
  readonly reply: Reply<'seekMap'>
  readonly zoneMarks: ZoneMarks | undefined
  readonly failures: FailureMarks | undefined
  readonly words: string
  /** The name of a part of the axis. */
  readonly labelOf: (part: AxisPart) => string | undefined
  readonly axis: LbaAxis
  readonly layer: Layer
  /** Largest cell of all runs. */
  readonly max: number
  readonly height: number
}

/** Paints a grid once; until the next answer the image is only stretched. */
function paint(grid: Grid, ask: Query<'seekMap'>, colours: CellColours): PaintedGrid {
  const { w, h, data } = gridPixels(grid, CELL, colours)
  const image = new OffscreenCanvas(w, h)
  image.getContext('2d')?.putImageData(new ImageData(data, w, h), 0, 0)
  return { image, w, range: ask.range, bands: inPixels(ask.bands, CELL) }
}

/** The scene, and how the run's answer, zones and failures are drawn in it. */
function useMapDrawing({ frame, run, reply, zoneMarks, failures, axis, layer, max, height }: MapPlotProps) {
  const { answer, ask } = reply
  const scene = useMemo(() => sceneOf(frame, run, axis.parts, layer, height), [frame, run, axis, layer, height])
  const painted = useMemo(
    () =>
      answer?.kind === 'grid' && ask !== undefined
        ? paint(answer, ask, cellColours(frame.palette, layer, max))
        : undefined,
    [answer, ask, frame.palette, layer, max],
  )
  const { zones } = run.device
  const zoneColours = useMemo(() => zoneColoursOf(frame.palette), [frame.palette])
  const draw = useCallback(
    (surface: Surface) => {
      drawGround(surface, scene)
      if (zones !== undefined) drawZones(surface, scene.parts, zones, scene.width, zoneColours)
      if (painted !== undefined) drawGrid(surface, painted, scene)
      else if (answer?.kind === 'marks') drawMarks(surface, answer, scene)
      if (zones !== undefined && zoneMarks !== undefined)
        drawZoneMarks(surface, zoneMarks, { ...scene, zones }, zoneColours)
      if (failures !== undefined) drawFailures(surface, failures, scene, frame.palette)
    },
    [scene, painted, answer, zones, zoneMarks, failures, zoneColours, frame.palette],
  )
  return { scene, draw }
}

/** The mark nearest to a place of the plot, as an index of the answer. */
function markNear({ frame, reply: { answer } }: MapPlotProps, scene: MapScene, t: number, y: number) {
  if (answer?.kind !== 'marks') return undefined
  return nearestMark(answer, scene, xOf(frame.view.range, frame.plotWidth)(t), y)
}

/** What is at a place, the topmost first: a failure, an action on a zone, a request, a cell. */
function mapTip(props: MapPlotProps, scene: MapScene, t: number, y: number): Tip | undefined {
  const { frame, run, reply, zoneMarks, failures, axis, layer } = props
  const { view, plotWidth } = frame
  const { answer, ask } = reply
  const { zones } = run.device
  const place = lbaAt(axis.parts, y)
  if (place === undefined) return undefined
  const failure = mapFailureTip(failures, scene, xOf(view.range, plotWidth)(t), y, run)
  if (failure !== undefined) return failure
  const action = zones && zoneMarks && zoneTip(zoneMarks, { ...scene, zones }, xOf(view.range, plotWidth)(t), y, run)
  if (action !== undefined) return action
  const i = markNear(props, scene, t, y)
  if (answer?.kind === 'marks' && i !== undefined)
    return inZone(zones, answer.lba[i] ?? place.lba, {
      ...markTip(frame, run, answer, i, layer),
      ...outlined(boxOf(answer, i, scene)),
    })
  if (answer?.kind === 'grid' && ask !== undefined) return inZone(zones, place.lba, cellTip(answer, ask, t, y))
  return inZone(zones, place.lba, {
    title: `${atTime(ns(t - run.moved), (view.range.t1 - view.range.t0) / plotWidth)} s, sector ${count(place.lba)}`,
    rows: [],
  })
}

/** The row of the request at a place, or of the nearest in time. */
async function requestAt(props: MapPlotProps, scene: MapScene, t: number, y: number | undefined) {
  const { frame, run, reply, axis } = props
  const { view, plotWidth } = frame
  const { answer } = reply
  const find = async (lba: number, dt: number, dlba: number) => {
    const place = { t: ns(t), lba: sector(lba), dt: ns(dt), dlba: sector(dlba) }
    const { row } = await run.client.query('hit', { filter: run.filter, ...place }, 'hit')
    return row < 0 ? undefined : row
  }
  const span = view.range.t1 - view.range.t0
  if (y === undefined) return find(0, span, Number.MAX_SAFE_INTEGER)
  if (answer?.kind === 'marks') {
    const i = markNear(props, scene, t, y)
    return i === undefined ? undefined : answer.row[i]
  }
  // Cells have no marks: the engine looks in a box of four pixels around the place.
  const place = lbaAt(axis.parts, y)
  return place && find(place.lba, (span / plotWidth) * 4, Math.ceil(sectorsPerPx(place.part) * 4))
}

/** Selects the request at a place, or the nearest in time. */
function pickRequest(props: MapPlotProps, scene: MapScene, t: number, y: number | undefined): void {
  const { frame, run } = props
  requestAt(props, scene, t, y).then(
    row => frame.actions.select(row === undefined ? undefined : run.id, row),
    () => undefined,
  )
}

function nextMark({ reply: { answer } }: MapPlotProps, scene: MapScene, t: number, direction: 1 | -1) {
  if (answer?.kind !== 'marks') return undefined
  const i = neighbourMark(answer, scene, t, direction)
  const box = i === undefined ? undefined : boxOf(answer, i, scene)
  return box && i !== undefined ? { t: answer.issued[i] ?? t, y: box.y + box.h / 2 } : undefined
}

function MapPlot(props: MapPlotProps) {
  const { frame, run, reply, axis, height } = props
  const { answer } = reply
  const { scene, draw } = useMapDrawing(props)
  const sectors = useMemo(
    (): PlotSectors => ({ sectorAt: y => lbaAt(axis.parts, y)?.lba, y: lba => sectorY(axis.parts, lba) }),
    [axis.parts],
  )
  const selected =
    answer?.kind === 'marks' && frame.selected?.run === run.id ? answer.row.indexOf(frame.selected.row) : -1
  const box = answer?.kind === 'marks' && selected >= 0 ? lifeBox(answer, selected, scene) : undefined
  return (
    <Plot
      frame={frame}
      run={run}
      name={seekMap.title}
      words={props.words}
      height={height}
      lines={axis.parts.length === 1 ? axis.ticks.map(tick => tick.position) : []}
      draw={draw}
      tip={(t, y) => mapTip(props, scene, t, y)}
      pick={(t, y) => pickRequest(props, scene, t, y)}
      request={(t, y) => requestAt(props, scene, t, y)}
      next={(t, direction) => nextMark(props, scene, t, direction)}
      zoomValue={axis.zoom}
      sectors={sectors}
      endNote={endNoteOf(run, frame.shown)}
      isStretchable={canStretch(frame)}
      first
      instead={reply.error?.message}
    >
      {axis.parts.length > 1 &&
        axis.parts.map(part => {
          const name = props.labelOf(part)
          return (
            name && (
              <text key={part.top} className="plot-label" x={6} y={part.top + 13}>
                {name}
              </text>
            )
          )
        })}
      <ZoneNumbers zones={run.device.zones} parts={axis.parts} width={frame.plotWidth} />
      {box && (
        <rect
          className="plot-selected"
          data-selected-mark=""
          x={box.x - 3}
          y={box.y - 3}
          width={box.w + 6}
          height={box.h + 6}
          rx={2}
        />
      )}
    </Plot>
  )
}

const outlined = (box: MarkBox | undefined): Pick<Tip, 'box'> => (box === undefined ? {} : { box })

function markTip(frame: ChartFrame, run: Shown, marks: Marks, i: number, layer: Layer): Tip {
  const [q, d, c] = [marks.queued[i] ?? Number.NaN, marks.issued[i] ?? 0, marks.completed[i] ?? Number.NaN]
  const stacked = run.device.role !== 'disk'
  const cls = classNames(layer, frame, run.run)[marks.cls[i] ?? 0]
  const rows: string[][] = [[run.letter, stacked ? 'queued' : 'issued', `${seconds(d - run.moved, 6)} s`]]
  if (!stacked && !Number.isNaN(q)) rows.push(['', WAITED, duration(d - q)])
  rows.push(['', stacked ? 'Q to C' : 'D to C', Number.isNaN(c) ? 'not completed' : duration(c - d)])
  if (layer !== 'density' && cls) rows.push(['', layer, cls])
  return { title: markTitle(marks, i), rows }
}

function cellTip(grid: Grid, ask: Query<'seekMap'>, t: number, y: number): Tip | undefined {
  const x = Math.floor(((t - ask.range.t0) / (ask.range.t1 - ask.range.t0)) * grid.w)
  const n = grid.counts[x * grid.h + Math.floor(y / CELL)] ?? 0
  if (n === 0) return undefined
  return { title: counted(n, 'request'), rows: [[`within ${duration((ask.range.t1 - ask.range.t0) / grid.w)}`]] }
}
