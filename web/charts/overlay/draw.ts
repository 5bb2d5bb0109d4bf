/** Paints one line per run on the same plot, distinguished by colour, dash and a letter at its end. */
import type { Range } from '../../engine/protocol'
import { dashed, type Surface } from '../shared/paint/surface'
import { xOf } from '../shared/paint/viewport'

export interface RunLine {
  /** Values of equal bins over `range`. */
  readonly range: Range
  readonly values: Float64Array
  readonly begin: number
  readonly end: number
  readonly colour: string
  readonly dash: readonly number[]
}

export interface LineScene {
  readonly range: Range
  readonly width: number
  readonly y: (value: number) => number
}

/** Number of bins before the run's end. */
export function lastBin(line: RunLine): number {
  const bin = (line.range.t1 - line.range.t0) / line.values.length
  return Math.max(0, Math.min(line.values.length, Math.ceil((line.end - line.range.t0) / bin)))
}

/** The end of a line in the plot; `undefined` when none of it is in view. */
export function endPoint(line: RunLine, scene: LineScene): { readonly x: number; readonly y: number } | undefined {
  const last = lastBin(line)
  if (last === 0 || line.end < scene.range.t0) return undefined
  const bin = (line.range.t1 - line.range.t0) / line.values.length
  const x = xOf(scene.range, scene.width)(Math.min(line.range.t0 + (last - 0.5) * bin, line.end))
  return { x: Math.min(x, scene.width), y: scene.y(line.values[last - 1] ?? 0) }
}

export function drawLine(surface: Surface, line: RunLine, scene: LineScene): void {
  const x = xOf(scene.range, scene.width)
  const bin = (line.range.t1 - line.range.t0) / line.values.length
  const last = lastBin(line)
  const first = Math.max(0, Math.floor((line.begin - line.range.t0) / bin))
  surface.strokeStyle = line.colour
  surface.lineWidth = 1.5
  dashed(surface, line.dash, () => {
    surface.beginPath()
    for (let i = first; i < last; i += 1) {
      const [middle, y] = [x(Math.min(line.range.t0 + (i + 0.5) * bin, line.end)), scene.y(line.values[i] ?? 0)]
      if (i === first) surface.moveTo(middle, y)
      else surface.lineTo(middle, y)
    }
    surface.stroke()
  })
}
