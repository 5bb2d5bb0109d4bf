/** Paints latency over time: one cell per bin and log step, darker where more requests fall; p50 and p99 dotted. */
import type { Range } from '../../engine/protocol'
import { densityStep } from '../shared/answers/density'
import { dashed, type Surface } from '../shared/paint/surface'
import { xOf } from '../shared/paint/viewport'

/** Column-major counts over `range` and low..high ns, high on top. */
export interface HeatGrid {
  readonly range: Range
  readonly low: number
  readonly high: number
  readonly w: number
  readonly h: number
  readonly counts: Uint32Array
}

export interface HeatScene {
  readonly range: Range
  readonly width: number
  readonly height: number
  readonly end: number
  /** y of a latency. */
  readonly y: (ns: number) => number
  /** Largest cell of all runs. */
  readonly max: number
  readonly steps: readonly string[]
  /** Percentiles as dotted lines. */
  readonly levels: readonly number[]
  /** A single request beyond this is drawn as a mark, not a cell. */
  readonly tail: number
  readonly mark: string
  readonly line: string
}

/** Side of a mark of a single request, px. */
const MARK = 3

export function drawHeat(surface: Surface, grid: HeatGrid, scene: HeatScene): void {
  const x = xOf(scene.range, scene.width)
  const bin = (grid.range.t1 - grid.range.t0) / grid.w
  const ratio = Math.log(grid.high / grid.low) / grid.h
  const valueAt = (row: number) => grid.high * Math.exp(-row * ratio)
  const rows = Array.from({ length: grid.h + 1 }, (_, row) => scene.y(valueAt(row)))
  for (let column = 0; column < grid.w; column += 1) {
    const left = x(grid.range.t0 + column * bin)
    const right = x(Math.min(grid.range.t0 + (column + 1) * bin, Math.max(scene.end, grid.range.t0 + column * bin)))
    if (right < 0 || left > scene.width) continue
    for (let row = 0; row < grid.h; row += 1) {
      const n = grid.counts[column * grid.h + row] ?? 0
      if (n === 0) continue
      const [top, bottom] = [rows[row] ?? 0, rows[row + 1] ?? 0]
      if (n === 1 && valueAt(row + 1) > scene.tail) {
        surface.fillStyle = scene.mark
        surface.fillRect((left + right - MARK) / 2, (top + bottom - MARK) / 2, MARK, MARK)
        continue
      }
      surface.fillStyle = scene.steps[densityStep(n, scene.max) - 1] ?? scene.mark
      surface.fillRect(left, top, Math.max(MARK, right - left), Math.max(MARK, bottom - top))
    }
  }
  surface.strokeStyle = scene.line
  surface.lineWidth = 1
  dashed(surface, [1.5, 2.5], () => {
    surface.beginPath()
    for (const level of scene.levels) {
      const y = Math.round(scene.y(level)) + 0.5
      surface.moveTo(Math.max(0, x(0)), y)
      surface.lineTo(Math.min(scene.width, x(scene.end)), y)
    }
    surface.stroke()
  })
}
