/** Paints one run's bar: stages in fixed order on one scale, with a name where it fits. */
import type { Surface } from '../shared/paint/surface'

export interface BarSegment {
  /** In the unit of the scale. */
  readonly value: number
  readonly colour: string
}

export interface SegmentBox {
  readonly x: number
  readonly w: number
}

/** Position and width of each segment, px. */
export function place(values: readonly number[], most: number, width: number): readonly SegmentBox[] {
  let left = 0
  return values.map(value => {
    const w = (value / most) * width
    const placed = { x: left, w }
    left += w
    return placed
  })
}

/** Segments side by side, a pixel apart where they are wide enough. */
export function drawBar(
  surface: Surface,
  segments: readonly BarSegment[],
  most: number,
  width: number,
  y: number,
  height: number,
): void {
  const placed = place(
    segments.map(s => s.value),
    most,
    width,
  )
  segments.forEach((segment, i) => {
    const box = placed[i]
    if (box === undefined || segment.value <= 0) return
    surface.fillStyle = segment.colour
    surface.fillRect(box.x, y, Math.max(1, box.w - (box.w > 4 ? 1 : 0)), height)
  })
}
