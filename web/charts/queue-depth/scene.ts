/** The axis of queue depth that all runs share, and the painting of one run. Pure. */
import type { DepthSeries, FigureInterval, Range } from '../../engine/protocol'
import { ns } from '../../lib/units'
import type { Shown } from '../shared/answers/shown'
import { drawMean } from '../shared/paint/mean'
import { alphaOf, type Palette } from '../shared/paint/palette'
import type { Surface } from '../shared/paint/surface'
import { amountScale, amountTicks, topOf } from '../shared/paint/ticks'
import { binsOver, xOf } from '../shared/paint/viewport'
import { type Binned, coarse, type DepthScene, drawDepth, drawIntervals, drawStrip, drawWash, FULL_SHARE } from './draw'

/** Height between depth and strip, px. */
export const GAP = 6
/** The highest line of the strip, px from its top. */
export const STRIP_TOP = 5
/** Width of a fine bin, px; the same with few requests, where every step is visible; fine bins per coarse bin. */
const BIN_PX = 2
const STEP_PX = 0.5
const COARSE = 3

/** Bins over a range, and how many of them are one coarse bin. */
export function depthBins(
  shown: readonly Shown[],
  range: Range,
  width: number,
): { readonly bins: ReturnType<typeof binsOver>; readonly group: number } {
  const seconds = (range.t1 - range.t0) / 1e9
  const few = shown.every(s => (s.device.requests / (s.info.span / 1e9 || 1)) * seconds < width / 4)
  const px = few ? STEP_PX : BIN_PX
  const group = Math.round((BIN_PX * COARSE) / px)
  return { bins: binsOver(range, width, px, group), group }
}

function maxOf(...lists: readonly Float64Array[]): number {
  let most = 0
  for (const list of lists) for (const value of list) if (value > most) most = value
  return most
}

/** Top and ticks of the axis, and the share at the top of the strip. */
export function depthAxis(
  series: readonly (Binned<DepthSeries> | undefined)[],
  group: number,
): { readonly highest: number; readonly ticks: readonly number[]; readonly stripTop: number } {
  const highest = topOf(
    Math.max(1, ...series.map(s => (s === undefined ? 0 : maxOf(s.series.max, s.series.mean, s.series.waitMean)))),
    2,
  )
  const ticks = amountTicks(highest, 2).filter(v => v <= highest)
  const stripTop = series.some(s => s !== undefined && coarse(s.series.starved, group).some(v => v > FULL_SHARE))
    ? 1
    : FULL_SHARE
  return { highest, ticks, stripTop }
}

export interface DepthPicture {
  readonly bins: Binned<DepthSeries>
  /** Exact starved intervals, when few enough are in view. */
  readonly intervals: Float64Array | undefined
  /** Mean of the full run, and its 95 % interval. */
  readonly mean: number | undefined
  readonly interval: FigureInterval | undefined
  readonly group: number
  readonly stripTop: number
  readonly highest: number
}

export interface DepthPlace {
  readonly run: Pick<Shown, 'begin' | 'end'>
  readonly range: Range
  readonly width: number
  /** Heights of the plot and of the strip below it. */
  readonly height: { readonly plot: number; readonly strip: number }
  readonly palette: Palette
}

export const depthColours = (palette: Palette): DepthScene['colours'] => ({
  line: palette('in-flight'),
  band: palette('in-flight-soft'),
  waiting: palette('waiting'),
  starved: palette('starved'),
  edge: palette('starved-line'),
  wash: alphaOf(palette('starved-wash')),
})

export function paintDepth(
  surface: Surface,
  picture: DepthPicture,
  { run, range, width, height, palette }: DepthPlace,
): void {
  const { bins, intervals, mean, interval, group, stripTop, highest } = picture
  const scene: DepthScene = {
    range,
    width,
    height: height.plot,
    begin: run.begin,
    end: run.end,
    y: amountScale(highest, height.plot),
    colours: depthColours(palette),
  }
  const rough = { ...bins, n: Math.ceil(bins.n / group), series: coarse(bins.series.starved, group) }
  const whole = {
    ...rough,
    range: { t0: bins.range.t0, t1: ns(bins.range.t0 + ((bins.range.t1 - bins.range.t0) / bins.n) * group * rough.n) },
  }
  if (intervals === undefined) drawWash(surface, whole, scene)
  else drawIntervals(surface, intervals, scene)
  drawDepth(surface, bins, scene)
  const x = xOf(range, width)
  const ends = { left: Math.max(0, x(run.begin)), right: Math.min(width, x(run.end)), y: scene.y }
  if (mean !== undefined) drawMean(surface, { mean, interval, colour: scene.colours.line }, ends)
  surface.save()
  drawStrip(
    surface,
    whole,
    { ...scene, height: height.plot + GAP + height.strip },
    height.plot + GAP + STRIP_TOP,
    stripTop,
  )
  surface.restore()
}
