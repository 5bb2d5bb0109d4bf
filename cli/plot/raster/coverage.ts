/**
 * How much of each pixel polygons cover. Each edge adds its signed area to the pixels that it crosses; the running
 * sum along a row is the share covered. Polygons of one direction that overlap count once.
 */

export interface Point {
  readonly x: number
  readonly y: number
}

export type Polygon = readonly Point[]

/** Pixels from `left`, `top` on; `data` has the share of each, 0..1. */
export interface Coverage {
  readonly left: number
  readonly top: number
  readonly w: number
  readonly h: number
  readonly data: Float32Array
}

export interface PixelBox {
  readonly x0: number
  readonly y0: number
  readonly x1: number
  readonly y1: number
}

function boundsOf(polygons: readonly Polygon[], clip: PixelBox): PixelBox | undefined {
  let [x0, y0, x1, y1] = [
    Number.POSITIVE_INFINITY,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
  ]
  for (const polygon of polygons) {
    for (const { x, y } of polygon) {
      if (x < x0) x0 = x
      if (x > x1) x1 = x
      if (y < y0) y0 = y
      if (y > y1) y1 = y
    }
  }
  const box = {
    x0: Math.max(clip.x0, Math.floor(x0)),
    y0: Math.max(clip.y0, Math.floor(y0)),
    x1: Math.min(clip.x1, Math.ceil(x1)),
    y1: Math.min(clip.y1, Math.ceil(y1)),
  }
  return box.x1 > box.x0 && box.y1 > box.y0 ? box : undefined
}

/**
 * One edge, in pixels of the box. x is kept inside: what is left of the box covers all of it, what is right of it
 * nothing.
 */
function addEdge(area: Float32Array, w: number, h: number, a: Point, b: Point): void {
  if (a.y === b.y) return
  const sign = a.y < b.y ? 1 : -1
  const [from, to] = sign > 0 ? [a, b] : [b, a]
  const slope = (to.x - from.x) / (to.y - from.y)
  const last = Math.min(h, to.y)
  let y = Math.max(0, from.y)
  while (y < last) {
    const row = Math.floor(y)
    const next = Math.min(row + 1, last)
    const x0 = Math.min(w, Math.max(0, from.x + (y - from.y) * slope))
    const x1 = Math.min(w, Math.max(0, from.x + (next - from.y) * slope))
    addSpan(area, row * (w + 2), Math.min(x0, x1), Math.max(x0, x1), (next - y) * sign)
    y = next
  }
}

/** A stretch of an edge within one row, from `low` to `high`, `tall` high. */
function addSpan(area: Float32Array, index: number, low: number, high: number, tall: number): void {
  const add = (i: number, value: number) => {
    area[index + i] = (area[index + i] ?? 0) + value
  }
  const [first, last] = [Math.floor(low), Math.floor(high)]
  if (first === last) {
    const middle = (low + high) / 2 - first
    add(first, tall * (1 - middle))
    add(first + 1, tall * middle)
    return
  }
  const per = tall / (high - low)
  // What is right of the edge in each pixel, as the difference to the pixel before.
  let [crossedBefore, before] = [0, 0]
  for (let i = first; i <= last; i += 1) {
    const [l, r] = [Math.max(low, i), Math.min(high, i + 1)]
    const crossed = (r - l) * per
    const here = crossedBefore + crossed * (i + 1 - (l + r) / 2)
    add(i, here - before)
    before = here
    crossedBefore += crossed
  }
  add(last + 1, tall - before)
}

export function coverageOf(polygons: readonly Polygon[], clip: PixelBox): Coverage | undefined {
  const box = boundsOf(polygons, clip)
  if (!box) return undefined
  const [w, h] = [box.x1 - box.x0, box.y1 - box.y0]
  const area = new Float32Array((w + 2) * h)
  for (const polygon of polygons) {
    for (let i = 0; i < polygon.length; i += 1) {
      const [a, b] = [polygon[i], polygon[(i + 1) % polygon.length]]
      if (a && b) addEdge(area, w, h, { x: a.x - box.x0, y: a.y - box.y0 }, { x: b.x - box.x0, y: b.y - box.y0 })
    }
  }
  const data = new Float32Array(w * h)
  for (let y = 0; y < h; y += 1) {
    let sum = 0
    for (let x = 0; x < w; x += 1) {
      sum += area[y * (w + 2) + x] ?? 0
      data[y * w + x] = Math.min(1, Math.abs(sum))
    }
  }
  return { left: box.x0, top: box.y0, w, h, data }
}
