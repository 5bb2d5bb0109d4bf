/** Paints a lane: steps on a soft area, with gaps where there is no value; lines of several runs. */
import type { Range } from '../../engine/protocol'
import { dashed, type Surface } from '../shared/paint/surface'
import { xOf } from '../shared/paint/viewport'

/** Values of equal bins over `range`; NaN: none. */
export interface LaneSteps {
  readonly range: Range
  readonly values: Float64Array
  readonly colour: string
  readonly dash: readonly number[]
  /** Area below the steps; absent: none. */
  readonly area?: string
}

export interface LaneScene {
  readonly range: Range
  readonly width: number
  readonly y: (value: number) => number
}

/** Runs of bins that have a value: first and one past the last. */
export function stretches(values: Float64Array): readonly (readonly [number, number])[] {
  const found: [number, number][] = []
  values.forEach((value, i) => {
    if (Number.isNaN(value)) return
    const last = found.at(-1)
    if (last && last[1] === i) last[1] = i + 1
    else found.push([i, i + 1])
  })
  return found
}

export function drawLane(
  surface: Surface,
  { range, values, colour, dash, area }: LaneSteps,
  { range: view, width, y }: LaneScene,
): void {
  const x = xOf(view, width)
  const bin = (range.t1 - range.t0) / values.length
  const edge = (i: number) => x(range.t0 + i * bin)
  for (const [from, to] of stretches(values)) {
    const steps = () => {
      for (let i = from; i < to; i += 1) {
        const top = y(values[i] ?? 0)
        if (i === from && area === undefined) surface.moveTo(edge(i), top)
        else surface.lineTo(edge(i), top)
        surface.lineTo(edge(i + 1), top)
      }
    }
    if (area !== undefined) {
      surface.fillStyle = area
      surface.beginPath()
      surface.moveTo(edge(from), y(0))
      steps()
      surface.lineTo(edge(to), y(0))
      surface.fill()
    }
    surface.strokeStyle = colour
    surface.lineWidth = 1.25
    dashed(surface, dash, () => {
      surface.beginPath()
      if (area !== undefined) surface.moveTo(edge(from), y(values[from] ?? 0))
      steps()
      surface.stroke()
    })
  }
}
