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

/** A segment must be so wide to have an outline, px. */
const MIN_OUTLINED = 3

/** Segments side by side, a pixel apart where they are wide enough; the palest stages need their outline in `edge`. */
export function drawBar(
  surface: Surface,
  segments: readonly BarSegment[],
  edge: string,
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
    const w = Math.max(1, box.w - (box.w > 4 ? 1 : 0))
    surface.fillRect(box.x, y, w, height)
    if (w < MIN_OUTLINED) return
    surface.strokeStyle = edge
    surface.lineWidth = 1
    surface.strokeRect(box.x + 0.5, y + 0.5, w - 1, height - 1)
  })
}
