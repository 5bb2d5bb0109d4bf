/** A surface of pixels: what the charts of the page paint on a canvas, without a browser. */
import type { Surface } from '../../../web/charts/shared/paint/surface'
import { type Coverage, coverageOf, type PixelBox, type Point, type Polygon } from './coverage'
import type { PixelImage } from './png'
import { outlineOf } from './stroke'

/** Red, green, blue 0..255. */
type Colour = readonly [number, number, number]

export interface Raster extends PixelImage {
  readonly data: Uint8ClampedArray
}

export const createRaster = (w: number, h: number): Raster => ({ w, h, data: new Uint8ClampedArray(w * h * 4) })

/** Of `#rgb`, `#rrggbb` and `#rrggbbaa`; the tokens have no others. */
export function colourOf(text: string): { readonly rgb: Colour; readonly alpha: number } {
  if (!text.startsWith('#')) throw new Error(`not a colour: ${text}`)
  const digits = text.slice(1)
  const full = digits.length < 6 ? [...digits].map(d => d + d).join('') : digits
  const [r = 0, g = 0, b = 0, a = 255] = (full.match(/../g) ?? []).map(pair => Number.parseInt(pair, 16))
  return { rgb: [r, g, b], alpha: a / 255 }
}

/** Puts a colour over a pixel that may be transparent. */
function blend(data: Uint8ClampedArray, index: number, [r, g, b]: Colour, share: number): void {
  if (share <= 0) return
  const below = ((data[index + 3] ?? 0) / 255) * (1 - share)
  const alpha = share + below
  data[index] = (r * share + (data[index] ?? 0) * below) / alpha
  data[index + 1] = (g * share + (data[index + 1] ?? 0) * below) / alpha
  data[index + 2] = (b * share + (data[index + 2] ?? 0) * below) / alpha
  data[index + 3] = alpha * 255
}

/** Fills polygons, which are in pixels. */
export function fillPolygons(
  raster: Raster,
  polygons: readonly Polygon[],
  clip: PixelBox,
  colour: string,
  opacity = 1,
): void {
  const covered: Coverage | undefined = coverageOf(polygons, clip)
  if (!covered) return
  const { rgb, alpha } = colourOf(colour)
  const { left, top, w, h, data } = covered
  for (let y = 0; y < h; y += 1) {
    for (let x = 0; x < w; x += 1)
      blend(raster.data, ((top + y) * raster.w + left + x) * 4, rgb, (data[y * w + x] ?? 0) * alpha * opacity)
  }
}

interface KeptState {
  readonly fillStyle: Surface['fillStyle']
  readonly strokeStyle: Surface['strokeStyle']
  readonly lineWidth: number
  readonly globalAlpha: number
  readonly imageSmoothingEnabled: boolean
  readonly dash: readonly number[]
  readonly clip: PixelBox
}

interface RasterPlace {
  readonly x: number
  readonly y: number
  readonly w: number
  readonly h: number
  /** Pixels per CSS px. */
  readonly scale: number
}

const rectangle = (x: number, y: number, w: number, h: number): Polygon => [
  { x, y },
  { x: x + w, y },
  { x: x + w, y: y + h },
  { x, y: y + h },
]

const within = (a: PixelBox, b: PixelBox): PixelBox => ({
  x0: Math.max(a.x0, b.x0),
  y0: Math.max(a.y0, b.y0),
  x1: Math.min(a.x1, b.x1),
  y1: Math.min(a.y1, b.y1),
})

/**
 * A part of the raster, in CSS px from its corner; nothing is painted outside. Clips are rectangles: charts use no
 * others.
 */
export function createRasterSurface(raster: Raster, { x: left, y: top, w, h, scale }: RasterPlace): Surface {
  let clip: PixelBox = within(
    { x0: 0, y0: 0, x1: raster.w, y1: raster.h },
    {
      x0: Math.floor(left * scale),
      y0: Math.floor(top * scale),
      x1: Math.ceil((left + w) * scale),
      y1: Math.ceil((top + h) * scale),
    },
  )
  let dash: readonly number[] = []
  let paths: { points: Point[]; closed: boolean }[] = []
  const states: KeptState[] = []
  const pixel = (x: number, y: number): Point => ({ x: (left + x) * scale, y: (top + y) * scale })
  const boxed = (x: number, y: number, w: number, h: number): Polygon =>
    rectangle((left + x) * scale, (top + y) * scale, w * scale, h * scale)
  const fill = (polygons: readonly Polygon[], style: Surface['fillStyle']) =>
    fillPolygons(raster, polygons, clip, String(style), surface.globalAlpha)
  const stroke = (lines: readonly { readonly points: readonly Point[]; readonly closed: boolean }[]) => {
    const width = surface.lineWidth * scale
    const pattern = dash.map(length => length * scale)
    fill(
      lines.flatMap(({ points, closed }) => outlineOf(points, closed, width, pattern)),
      surface.strokeStyle,
    )
  }
  const surface: Surface = {
    fillStyle: '#000',
    strokeStyle: '#000',
    lineWidth: 1,
    globalAlpha: 1,
    imageSmoothingEnabled: true,
    beginPath() {
      paths = []
    },
    moveTo(x, y) {
      paths.push({ points: [pixel(x, y)], closed: false })
    },
    lineTo(x, y) {
      const last = paths.at(-1)
      if (last) last.points.push(pixel(x, y))
      else surface.moveTo(x, y)
    },
    rect(x, y, w, h) {
      paths.push({ points: [...boxed(x, y, w, h)], closed: true })
    },
    closePath() {
      const last = paths.at(-1)
      if (last) last.closed = true
    },
    fill() {
      fill(
        paths.map(path => path.points),
        surface.fillStyle,
      )
    },
    stroke() {
      stroke(paths)
    },
    clip() {
      const points = paths.flatMap(path => path.points)
      const [xs, ys] = [points.map(p => p.x), points.map(p => p.y)]
      clip = within(clip, {
        x0: Math.round(Math.min(...xs)),
        y0: Math.round(Math.min(...ys)),
        x1: Math.round(Math.max(...xs)),
        y1: Math.round(Math.max(...ys)),
      })
    },
    save() {
      const { fillStyle, strokeStyle, lineWidth, globalAlpha, imageSmoothingEnabled } = surface
      states.push({ fillStyle, strokeStyle, lineWidth, globalAlpha, imageSmoothingEnabled, dash, clip })
    },
    restore() {
      const state = states.pop()
      if (!state) return
      const { dash: savedDash, clip: box, ...rest } = state
      Object.assign(surface, rest)
      dash = savedDash
      clip = box
    },
    fillRect(x, y, w, h) {
      fill([boxed(x, y, w, h)], surface.fillStyle)
    },
    strokeRect(x, y, w, h) {
      stroke([{ points: boxed(x, y, w, h), closed: true }])
    },
    setLineDash(segments) {
      dash = [...segments]
    },
    drawImage(image, sx, sy, sw, sh, dx, dy, dw, dh) {
      const { w: width, data } = image as unknown as PixelImage
      const from = pixel(dx, dy)
      const [wide, tall] = [dw * scale, dh * scale]
      const box = within(clip, {
        x0: Math.round(from.x),
        y0: Math.round(from.y),
        x1: Math.round(from.x + wide),
        y1: Math.round(from.y + tall),
      })
      for (let y = box.y0; y < box.y1; y += 1) {
        const row = Math.floor(sy + ((y + 0.5 - from.y) / tall) * sh)
        for (let x = box.x0; x < box.x1; x += 1) {
          const pixel = (row * width + Math.floor(sx + ((x + 0.5 - from.x) / wide) * sw)) * 4
          blend(
            raster.data,
            (y * raster.w + x) * 4,
            [data[pixel] ?? 0, data[pixel + 1] ?? 0, data[pixel + 2] ?? 0],
            ((data[pixel + 3] ?? 0) / 255) * surface.globalAlpha,
          )
        }
      }
    },
  }
  return surface
}
