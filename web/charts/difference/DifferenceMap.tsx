/** The seek map of one run minus that of another: where on the disk, and when, one of them has more requests. */
import { useCallback, useMemo } from 'react'
import type { DeviceInfo, FailureMarks, Query, ZoneMarks } from '../../engine/protocol'
import { count, duration } from '../../lib/format'
import { inCells, inPixels, lbaAt } from '../seek-map/axis/bands'
import { type LbaAxis, useAxis } from '../seek-map/axis/useAxis'
import { drawGrid, type PaintedGrid } from '../seek-map/cells'
import { drawFailures, mapFailureTip } from '../seek-map/failures'
import { useFailures } from '../seek-map/useFailures'
import { useZones } from '../seek-map/zones/useZones'
import { ZoneLegend } from '../seek-map/zones/ZoneLegend'
import { ZoneNumbers } from '../seek-map/zones/ZoneNumbers'
import { drawZoneMarks, drawZones, inZone, zoneColoursOf, zoneTip, zoneWords } from '../seek-map/zones/zones'
import type { ChartFrame, Shown } from '../shared/answers/shown'
import { useAnswers } from '../shared/answers/useAnswers'
import { LOG_SCALE } from '../shared/answers/words'
import { Legend, LegendMore, LegendWord } from '../shared/frame/Legend'
import { Panel } from '../shared/frame/Panel'
import { Plot } from '../shared/frame/Plot'
import { Row } from '../shared/frame/Row'
import type { Tip } from '../shared/frame/tips'
import { failureEntries } from '../shared/paint/failures'
import { rgbOf, runToken } from '../shared/paint/palette'
import type { Surface } from '../shared/paint/surface'
import { xOf } from '../shared/paint/viewport'
import { differenceData } from './data'
import { type DifferenceColours, differencePixels, stepColour } from './draw'
import { mismatch, type Pair } from './pair'
import { difference, mapAxis, mapTitle, moreIn, needsDevice, selectDevice } from './spec'
import { subtractGrids } from './subtract'
import { failedWords, mapTable, mapWords, signed } from './summary'

/** Side of a cell, CSS px: coarser than in the seek map, since requests of two runs rarely fall into the same pixel. */
const CELL = 6

type ZonesOfDevice = NonNullable<DeviceInfo['zones']>

interface DifferenceMapProps {
  /** One plot over the full width. */
  readonly frame: ChartFrame
  readonly pair: Pair
}

export function DifferenceMap({ frame, pair }: DifferenceMapProps) {
  const why = mismatch([pair.base.letter, pair.base.device], [pair.other.letter, pair.other.device])
  if (why === undefined) return <Cells frame={frame} pair={pair} />
  return (
    <Panel title={mapTitle(pair)} what={needsDevice(pair)} words={[why]} measured={difference.measured}>
      <p className="chart-sentence">{`${why} ${selectDevice(pair)}`}</p>
    </Panel>
  )
}

/** Both answers must be of the same query: until both have arrived, the last picture stays. */
function useDifferenceGrid({ view, plotWidth }: ChartFrame, shown: readonly Shown[], axis: LbaAxis, height: number) {
  const replies = useAnswers(
    'seekMap',
    shown,
    run =>
      axis.isKnown
        ? {
            filter: run.filter,
            range: view.range,
            bands: inCells(axis.parts, CELL),
            w: Math.max(1, Math.round(plotWidth / CELL)),
            h: Math.ceil(height / CELL),
            layer: 'density',
            marks: 0,
          }
        : undefined,
    'difference-map',
  )
  const [base, other] = replies
  const found = useMemo((): FoundDifference | undefined => {
    if (base?.answer === undefined || other?.answer === undefined || base.ask === undefined || other.ask === undefined)
      return undefined
    const same = JSON.stringify([base.ask.range, base.ask.bands]) === JSON.stringify([other.ask.range, other.ask.bands])
    const { ask } = base
    return same ? { ask, difference: subtractGrids(base.answer, other.answer, ask.w, ask.h) } : undefined
  }, [base, other])
  return { found, error: base?.error ?? other?.error }
}

interface FoundDifference {
  readonly ask: Query<'seekMap'>
  readonly difference: ReturnType<typeof subtractGrids>
}

/** Paints the difference once; until the next answer the image is only stretched. */
function paint({ ask, difference: grid }: FoundDifference, colours: DifferenceColours): PaintedGrid {
  const [width, height] = [grid.w * CELL, grid.h * CELL]
  const image = new OffscreenCanvas(width, height)
  image.getContext('2d')?.putImageData(new ImageData(differencePixels(grid, CELL, colours), width, height), 0, 0)
  return { image, w: width, range: ask.range, bands: inPixels(ask.bands, CELL) }
}

interface MapMarks {
  /** Zones of the device; absent where it has none. */
  readonly zones: ZonesOfDevice | undefined
  /** Marks by run, as in all lists below. */
  readonly zoneMarks: readonly (ZoneMarks | undefined)[]
  readonly failures: readonly (FailureMarks | undefined)[]
}

function useMapMarks(frame: ChartFrame, shown: readonly Shown[], axis: LbaAxis, height: number): MapMarks {
  const zoned = useZones(frame, shown, 'difference-zones')
  const zoneMarks = useMemo(() => zoned.map(r => r.answer), [zoned])
  const failing = useFailures(frame, shown, axis.parts, height, 'difference-failures')
  const failures = useMemo(() => failing.map(r => r.answer), [failing])
  // Both have the same device; the types of its zones may be known of one run only.
  const zones =
    shown.find(run => run.device.zones?.conventional)?.device.zones ?? shown.find(run => run.device.zones)?.device.zones
  return { zones, zoneMarks, failures }
}

function useDrawing(
  { view, palette, plotWidth }: ChartFrame,
  shown: readonly Shown[],
  axis: LbaAxis,
  height: number,
  painted: PaintedGrid | undefined,
  { zones, zoneMarks, failures }: MapMarks,
) {
  const zoneColours = useMemo(() => zoneColoursOf(palette), [palette])
  const scene = useMemo(
    () => ({ range: view.range, width: plotWidth, height, parts: axis.parts }),
    [view.range, plotWidth, height, axis],
  )
  const draw = useCallback(
    (surface: Surface) => {
      surface.fillStyle = palette('page')
      axis.parts.slice(0, -1).forEach((part, i) => {
        const above = axis.parts[i + 1]
        if (above) surface.fillRect(0, above.bottom, plotWidth, part.top - above.bottom)
      })
      if (zones) drawZones(surface, axis.parts, zones, plotWidth, zoneColours)
      if (painted) drawGrid(surface, painted, scene)
      zoneMarks.forEach((marks, i) => {
        if (marks && zones)
          drawZoneMarks(
            surface,
            marks,
            { ...scene, zones },
            { ...zoneColours, mark: palette(runToken(shown[i]?.letter ?? '')) },
          )
      })
      for (const marks of failures) if (marks) drawFailures(surface, marks, scene, palette)
    },
    [painted, axis, plotWidth, scene, palette, zones, zoneMarks, zoneColours, failures, shown],
  )
  /** The tip of a failure or of a zone's mark, which lie above the cells; a failure of the last run lies above all. */
  const markTip = (t: number, y: number): Tip | undefined => {
    const x = xOf(view.range, plotWidth)(t)
    const failure = shown
      .map((run, i) => mapFailureTip(failures[i], scene, x, y, run))
      .findLast(found => found !== undefined)
    if (failure !== undefined || zones === undefined) return failure
    for (const [i, marks] of zoneMarks.entries()) {
      const run = shown[i]
      const action = run && marks && zoneTip(marks, { ...scene, zones }, x, y, run)
      if (action !== undefined) return action
    }
    return undefined
  }
  return { draw, markTip }
}

function cellTip(
  { ask, difference: grid }: FoundDifference,
  pair: Pair,
  { parts }: LbaAxis,
  zones: ZonesOfDevice | undefined,
  t: number,
  y: number,
): Tip | undefined {
  const x = Math.floor(((t - ask.range.t0) / (ask.range.t1 - ask.range.t0)) * grid.w)
  const i = x * grid.h + Math.floor(y / CELL)
  const [sum, change] = [grid.sum[i] ?? 0, grid.changes[i] ?? 0]
  if (sum === 0) return undefined
  const place = lbaAt(parts, y)
  return inZone(zones, place?.lba ?? 0, {
    title: `${signed(change)} requests within ${duration((ask.range.t1 - ask.range.t0) / grid.w)}${place ? `, near sector ${count(place.lba)}` : ''}`,
    rows: [
      [pair.base.letter, count((sum - change) / 2)],
      [pair.other.letter, count((sum + change) / 2)],
    ],
  })
}

function Cells({ frame, pair }: DifferenceMapProps) {
  const { palette, plotWidth } = frame
  const height = frame.sizes.seekMap
  const shown = useMemo(() => [pair.base, pair.other], [pair])
  const letters = shown.map(run => run.letter)
  const axis = useAxis({ ...frame, shown }, height)
  const { found, error } = useDifferenceGrid(frame, shown, axis, height)
  const marks = useMapMarks(frame, shown, axis, height)
  const { zones, zoneMarks, failures } = marks
  const colours = useMemo(
    (): DifferenceColours => ({
      less: rgbOf(palette('diff-less')),
      none: rgbOf(palette('diff-none')),
      more: rgbOf(palette('diff-more')),
    }),
    [palette],
  )
  const painted = useMemo(() => found && paint(found, colours), [found, colours])
  const { draw, markTip } = useDrawing(frame, shown, axis, height, painted, marks)
  const failed = failureEntries(failures, letters)
  const zoned = shown.flatMap((run, i) =>
    run.device.zones ? [`${run.letter}:${zoneWords(run.device, zoneMarks[i])}`] : [],
  )
  const words = [mapWords(pair, found?.difference), ...zoned, ...failedWords(letters, failures)].join(' ')
  return (
    <Row
      joint
      frame={frame}
      title={mapTitle(pair)}
      what={mapAxis(axis.what)}
      height={height}
      ticks={axis.ticks}
      zoomValue={axis.zoom}
      words={[words]}
      legend={
        <>
          <Scale pair={pair} most={found?.difference.most ?? 0} colours={colours} />
          {failed.length > 0 && <Legend entries={failed} />}
        </>
      }
      {...(zones && { legendBelow: <ZoneLegend shown={shown} marks={zoneMarks} coloured /> })}
      measured={difference.measured}
      table={() => mapTable(pair, found?.difference, failures)}
      data={() => differenceData(pair, found, failures)}
      plot={run => (
        <Plot
          frame={frame}
          run={{ ...run, letter: pair.name }}
          joint={[pair.base, pair.other]}
          name="Difference map"
          words={words}
          height={height}
          lines={axis.parts.length === 1 ? axis.ticks.map(tick => tick.position) : []}
          draw={draw}
          tip={(t, y) => markTip(t, y) ?? (found && cellTip(found, pair, axis, zones, t, y))}
          zoomValue={axis.zoom}
          first
          lost={[]}
          instead={error?.message}
        >
          <ZoneNumbers zones={zones} parts={axis.parts} width={plotWidth} />
        </Plot>
      )}
    />
  )
}

/** The steps of both sides with the largest difference of one cell. */
function Scale({
  pair,
  most,
  colours,
}: {
  readonly pair: Pair
  readonly most: number
  readonly colours: DifferenceColours
}) {
  if (most === 0)
    return (
      <span className="legend">
        <LegendWord>no differences</LegendWord>
      </span>
    )
  const steps = most === 1 ? [-1, 0, 1] : [-5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5]
  return (
    <span className="legend legend-item">
      <LegendWord>{moreIn(pair.base)}</LegendWord>
      {count(most)}
      <span className="legend-steps">
        {steps.map(step => (
          <i key={step} style={{ background: `rgb(${stepColour(step, colours).join(' ')})` }} />
        ))}
      </span>
      {count(most)}
      <span>
        <LegendWord>{moreIn(pair.other)}</LegendWord>
        {most > 1 && <LegendMore>{`, ${LOG_SCALE}`}</LegendMore>}
      </span>
    </span>
  )
}
