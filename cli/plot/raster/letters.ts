/** Texts as polygons. */
import type { Point, Polygon } from './coverage'
import type { Font, OutlinePoint } from './font'

/** Straight pieces per curve: letters are small. */
const PIECES = 5

const between = (a: OutlinePoint, b: OutlinePoint): OutlinePoint => ({
  x: (a.x + b.x) / 2,
  y: (a.y + b.y) / 2,
  on: true,
})

/**
 * A contour as a polygon: a point off the curve bends the line between its neighbours; between two of them there is one
 * on the curve.
 */
function flattened(contour: readonly OutlinePoint[]): readonly Point[] {
  const points = contour.flatMap((point, i) => {
    const next = contour[(i + 1) % contour.length]
    return next && !point.on && !next.on ? [point, between(point, next)] : [point]
  })
  const start = points.findIndex(point => point.on)
  if (start < 0) return []
  const turned = [...points.slice(start), ...points.slice(0, start + 1)]
  const out: Point[] = []
  turned.forEach((point, i) => {
    const [before, after] = [turned[i - 1], turned[i + 1]]
    if (point.on || !before || !after) {
      out.push(point)
      return
    }
    for (let k = 1; k < PIECES; k += 1) {
      const t = k / PIECES
      const [a, b, c] = [(1 - t) ** 2, 2 * t * (1 - t), t ** 2]
      out.push({ x: a * before.x + b * point.x + c * after.x, y: a * before.y + b * point.y + c * after.y })
    }
  })
  return out
}

/** `x`, `y`: begin of the baseline; all in pixels. */
export function letterPolygons(
  font: Font,
  text: string,
  { x, y, size }: Point & { readonly size: number },
): readonly Polygon[] {
  const scale = size / font.unitsPerEm
  const out: Polygon[] = []
  let left = x
  for (const character of text) {
    const glyph = font.glyphOf(character.codePointAt(0) ?? 0)
    for (const contour of font.outline(glyph))
      out.push(flattened(contour).map(point => ({ x: left + point.x * scale, y: y - point.y * scale })))
    left += font.advance(glyph) * scale
  }
  return out
}
