/**
 * Lines with a width as polygons: a box per segment, and a small disc at each joint. All of one direction, so that they
 * may overlap.
 */
import type { Point, Polygon } from './coverage'

/** Corners of a disc. */
const CORNERS = 8

function boxOf(a: Point, b: Point, half: number): Polygon {
  const [dx, dy] = [b.x - a.x, b.y - a.y]
  const length = Math.hypot(dx, dy)
  const [nx, ny] = [(-dy / length) * half, (dx / length) * half]
  return [
    { x: a.x - nx, y: a.y - ny },
    { x: b.x - nx, y: b.y - ny },
    { x: b.x + nx, y: b.y + ny },
    { x: a.x + nx, y: a.y + ny },
  ]
}

const discOf = ({ x, y }: Point, half: number): Polygon =>
  Array.from({ length: CORNERS }, (_, i) => {
    const angle = (i / CORNERS) * 2 * Math.PI
    return { x: x + Math.cos(angle) * half, y: y + Math.sin(angle) * half }
  })

/** The dashes of a line, as lines. */
function dashesOf(points: readonly Point[], pattern: readonly number[]): readonly (readonly Point[])[] {
  const total = pattern.reduce((a, b) => a + b, 0)
  if (total <= 0) return [points]
  const found: Point[][] = []
  let [index, left] = [0, pattern[0] ?? 0]
  let current: Point[] | undefined = points[0] ? [points[0]] : undefined
  for (let i = 1; i < points.length; i += 1) {
    const [a, b] = [points[i - 1], points[i]]
    if (!a || !b) continue
    const length = Math.hypot(b.x - a.x, b.y - a.y)
    let position = 0
    while (length - position > left) {
      position += left
      const point = { x: a.x + ((b.x - a.x) * position) / length, y: a.y + ((b.y - a.y) * position) / length }
      if (current) found.push([...current, point])
      current = current ? undefined : [point]
      index = (index + 1) % pattern.length
      left = Math.max(pattern[index] ?? 0, 1e-3)
    }
    left -= length - position
    if (current) current.push(b)
  }
  if (current && current.length > 1) found.push(current)
  return found
}

function linePolygons(points: readonly Point[], half: number): readonly Polygon[] {
  const out: Polygon[] = []
  for (let i = 1; i < points.length; i += 1) {
    const [a, b] = [points[i - 1], points[i]]
    if (!a || !b || (a.x === b.x && a.y === b.y)) continue
    out.push(boxOf(a, b, half))
    if (i > 1) out.push(discOf(a, half))
  }
  return out
}

export function outlineOf(
  points: readonly Point[],
  closed: boolean,
  width: number,
  pattern: readonly number[],
): readonly Polygon[] {
  const [first] = points
  const all = closed && first ? [...points, first] : points
  const lines = pattern.length > 0 ? dashesOf(all, pattern) : [all]
  return lines.flatMap(line => linePolygons(line, width / 2))
}
