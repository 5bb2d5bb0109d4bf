/** Paints amounts per bin as steps: a single series in ink on a soft area, several by operation; the mean dotted. */
import type { FigureInterval, Range } from '../../engine/protocol'
import { drawMean } from '../shared/paint/mean'
import { dashed, type Surface } from '../shared/paint/surface'
import { xOf } from '../shared/paint/viewport'

/** One operation's amounts; bins divide `range`. */
export interface RateSteps {
  readonly range: Range
  readonly values: Float64Array
  readonly colour: string
  readonly dash: readonly number[]
  /** Least and most of a group's runs: the area is between them. */
  readonly band?: { readonly least: Float64Array; readonly most: Float64Array }
  /** Area below the steps; absent: none. */
  readonly area: string | undefined
  /** Mean of the full run, where it is known, and its interval. */
  readonly mean: number | undefined
  readonly interval?: FigureInterval | undefined
}

export interface StepScene {
  readonly range: Range
  readonly width: number
  readonly begin: number
  readonly end: number
  readonly y: (value: number) => number
}

export function drawSteps(surface: Surface, steps: RateSteps, scene: StepScene): void {
  const { range, values } = steps
  const x = xOf(scene.range, scene.width)
  const bin = (range.t1 - range.t0) / values.length
  const last = Math.min(values.length, Math.ceil((scene.end - range.t0) / bin))
  if (last <= 0) return
  const edge = (i: number) => x(Math.min(range.t0 + i * bin, scene.end))
  const trace = () => {
    surface.beginPath()
    surface.moveTo(edge(0), scene.y(0))
    for (let i = 0; i < last; i += 1) {
      const y = scene.y(values[i] ?? 0)
      surface.lineTo(edge(i), y)
      surface.lineTo(edge(i + 1), y)
    }
    surface.lineTo(edge(last), scene.y(0))
  }
  if (steps.area !== undefined && steps.band) {
    const { least, most } = steps.band
    surface.fillStyle = steps.area
    surface.beginPath()
    for (let i = 0; i < last; i += 1) {
      const top = scene.y(most[i] ?? 0)
      surface.rect(edge(i), top, edge(i + 1) - edge(i), scene.y(least[i] ?? 0) - top)
    }
    surface.fill()
  } else if (steps.area !== undefined) {
    surface.fillStyle = steps.area
    surface.globalAlpha = 0.55
    trace()
    surface.fill()
    surface.globalAlpha = 1
  }
  surface.strokeStyle = steps.colour
  surface.lineWidth = 1.25
  dashed(surface, steps.dash, () => {
    trace()
    surface.stroke()
  })
  if (steps.mean === undefined) return
  const { mean, interval, colour } = steps
  drawMean(
    surface,
    { mean, interval, colour },
    { left: Math.max(0, x(scene.begin)), right: Math.min(scene.width, x(scene.end)), y: scene.y },
  )
}
