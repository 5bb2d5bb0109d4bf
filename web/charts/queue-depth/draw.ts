/**
 * Paints queue depth: mean line on its min-to-max band, waiting dashed, starved time as a wash or as exact intervals.
 */
import type { DepthSeries, Range } from '../../engine/protocol'
import { dashed, type Surface } from '../shared/paint/surface'
import { xOf } from '../shared/paint/viewport'

export interface DepthScene {
  readonly range: Range
  readonly width: number
  readonly height: number
  /** The run's first event and its end; nothing is drawn outside. */
  readonly begin: number
  readonly end: number
  /** y of a depth. */
  readonly y: (depth: number) => number
  readonly colours: {
    readonly line: string
    readonly band: string
    readonly waiting: string
    readonly starved: string
    readonly edge: string
    /** Opacity of the strongest wash. */
    readonly wash: number
  }
}

/** A series and the range its bins divide. */
export interface Binned<T> {
  readonly range: Range
  readonly n: number
  readonly series: T
}

/** Starved share of coarse bins: the mean of `per` fine ones each. */
export function coarse(share: Float64Array, per: number): Float64Array {
  const out = new Float64Array(Math.ceil(share.length / per))
  for (let i = 0; i < out.length; i += 1) {
    const part = share.subarray(i * per, (i + 1) * per)
    out[i] = part.reduce((sum, value) => sum + value, 0) / part.length
  }
  return out
}

/** Share from which the wash is strongest, and the top of the strip unless a bin exceeds it. */
export const FULL_SHARE = 0.5

export function drawWash(surface: Surface, bins: Binned<Float64Array>, scene: DepthScene): void {
  const x = xOf(scene.range, scene.width)
  const bin = (bins.range.t1 - bins.range.t0) / bins.n
  surface.fillStyle = scene.colours.starved
  bins.series.forEach((share, i) => {
    const from = bins.range.t0 + i * bin
    if (share <= 0 || from >= scene.end) return
    surface.globalAlpha = Math.min(1, share / FULL_SHARE) * scene.colours.wash
    surface.fillRect(x(from), 0, x(Math.min(from + bin, scene.end)) - x(from), scene.height)
  })
  surface.globalAlpha = 1
}

/** `intervals`: start, end, start, ...; each is drawn at least a pixel wide. */
export function drawIntervals(surface: Surface, intervals: Float64Array, scene: DepthScene): void {
  const x = xOf(scene.range, scene.width)
  surface.fillStyle = scene.colours.starved
  surface.globalAlpha = scene.colours.wash
  for (let i = 0; i + 1 < intervals.length; i += 2) {
    const from = x(intervals[i] ?? 0)
    surface.fillRect(from, 0, Math.max(1, x(intervals[i + 1] ?? 0) - from), scene.height)
  }
  surface.globalAlpha = 1
}

export function drawDepth(surface: Surface, bins: Binned<DepthSeries>, scene: DepthScene): void {
  const x = xOf(scene.range, scene.width)
  const bin = (bins.range.t1 - bins.range.t0) / bins.n
  const last = Math.min(bins.n, Math.ceil((scene.end - bins.range.t0) / bin))
  const first = Math.max(0, Math.floor((scene.begin - bins.range.t0) / bin))
  if (last <= first) return
  const edge = (i: number) => x(Math.max(scene.begin, Math.min(bins.range.t0 + i * bin, scene.end)))
  const { min, max, mean, waitMean } = bins.series
  surface.fillStyle = scene.colours.band
  surface.globalAlpha = 0.55
  surface.beginPath()
  for (let i = first; i < last; i += 1) {
    // Digests have only means.
    if (Number.isNaN(max[i])) continue
    const top = scene.y(max[i] ?? 0)
    surface.rect(edge(i), top, edge(i + 1) - edge(i), scene.y(min[i] ?? 0) - top)
  }
  surface.fill()
  surface.globalAlpha = 1
  const line = (values: Float64Array) => {
    surface.beginPath()
    for (let i = first; i < last; i += 1) {
      const [middle, y] = [(edge(i) + edge(i + 1)) / 2, scene.y(values[i] ?? 0)]
      if (i === first) surface.moveTo(middle, y)
      else surface.lineTo(middle, y)
    }
    surface.stroke()
  }
  surface.lineWidth = 1.25
  surface.strokeStyle = scene.colours.waiting
  dashed(surface, [3, 2], () => line(waitMean))
  surface.lineWidth = 1.5
  surface.strokeStyle = scene.colours.line
  line(mean)
}

/** The strip below: share of each coarse bin, 0 at the bottom, `most` at `top`. */
export function drawStrip(
  surface: Surface,
  bins: Binned<Float64Array>,
  scene: DepthScene,
  top: number,
  most: number,
): void {
  const x = xOf(scene.range, scene.width)
  const bin = (bins.range.t1 - bins.range.t0) / bins.n
  bins.series.forEach((share, i) => {
    const from = bins.range.t0 + i * bin
    if (share <= 0 || from >= scene.end) return
    const [left, right] = [x(from), x(Math.min(from + bin, scene.end))]
    const tall = Math.max(1, Math.min(1, share / most) * (scene.height - top))
    const wide = Math.max(1, right - left - 1)
    surface.fillStyle = scene.colours.starved
    surface.fillRect(left, scene.height - tall, wide, tall)
    surface.fillStyle = scene.colours.edge
    surface.fillRect(left, scene.height - tall, wide, 1)
  })
}
