/**
 * What a picture consists of, in CSS px: boxes, lines, texts, and the paintings of charts. Written as SVG or as PNG.
 */
import { createSvgSurface, escaped } from '../../../web/charts/picture/svgSurface'
import { hatch, type Surface } from '../../../web/charts/shared/paint/surface'
import type { Font } from '../raster/font'
import { type FontWeight, textWidth } from '../raster/fonts'
import { letterPolygons } from '../raster/letters'
import { encodePng, type PixelImage } from '../raster/png'
import { createRaster, createRasterSurface, fillPolygons, type Raster } from '../raster/raster'

interface TextLook {
  readonly size: number
  readonly colour: string
  readonly weight?: FontWeight
  readonly anchor?: 'start' | 'middle' | 'end'
  /** Colour of a margin around the letters, for texts on a painting. */
  readonly halo?: string
}

interface SheetText extends TextLook {
  readonly kind: 'text'
  readonly x: number
  /** Of the baseline. */
  readonly y: number
  readonly text: string
}

interface SheetPainting {
  readonly kind: 'painting'
  readonly x: number
  readonly y: number
  readonly w: number
  readonly h: number
  readonly draw: (surface: Surface) => void
}

type SheetItem = SheetText | SheetPainting

export interface Sheet {
  readonly items: readonly SheetItem[]
  /** Of a text, in the font of PNGs. */
  widthOf(text: string, size: number, weight?: FontWeight): number
  text(x: number, y: number, text: string, look: TextLook): void
  /** `draw` paints in px from the corner; nothing outside is shown. */
  paint(x: number, y: number, w: number, h: number, draw: (surface: Surface) => void): void
  box(x: number, y: number, w: number, h: number, colour: string): void
  hatched(x: number, y: number, w: number, h: number, colour: string, ground: string): void
}

export type FontSet = Readonly<Record<FontWeight, Font>>

export function createSheet(fonts: FontSet): Sheet {
  const items: SheetItem[] = []
  const sheet: Sheet = {
    items,
    widthOf: (text, size, weight = 400) => textWidth(fonts[weight], text, size),
    text: (x, y, text, look) => void items.push({ kind: 'text', x, y, text, ...look }),
    paint: (x, y, w, h, draw) => void items.push({ kind: 'painting', x, y, w, h, draw }),
    box(x, y, w, h, colour) {
      sheet.paint(x, y, w, h, surface => {
        surface.fillStyle = colour
        surface.fillRect(0, 0, w, h)
      })
    },
    hatched(x, y, w, h, colour, ground) {
      sheet.paint(x, y, w, h, surface => {
        surface.fillStyle = colour
        surface.fillRect(0, 0, w, h)
        hatch(surface, 0, 0, w, h, ground, 4)
      })
    },
  }
  return sheet
}

export interface SheetSize {
  readonly width: number
  readonly height: number
  readonly ground: string
}

/** Device pixels per CSS px, for dense screens and print. */
const SCALE = 2
const HALO = 3

const wholePlace = ({ x, y, w, h }: SheetPainting) => ({ x, y, w, h, scale: SCALE })

/** A part of an image as a PNG for the SVG. */
function imageUrl(image: PixelImage, sx: number, sy: number, sw: number, sh: number): string {
  const [w, h] = [Math.max(1, Math.round(sw)), Math.max(1, Math.round(sh))]
  const data = new Uint8Array(w * h * 4)
  for (let y = 0; y < h; y += 1)
    data.set(image.data.subarray(((y + sy) * image.w + sx) * 4, ((y + sy) * image.w + sx + w) * 4), y * w * 4)
  return pngUrl({ w, h, data })
}

const pngUrl = (image: PixelImage): string => `data:image/png;base64,${encodePng(image).toString('base64')}`

/** Vectors, or an image where there are too many marks for an SVG. */
function paintingMarkup(item: SheetPainting, id: string): string {
  const svg = createSvgSurface(id, (image, ...part) => imageUrl(image as unknown as PixelImage, ...part))
  item.draw(svg)
  let inside = svg.markup()
  if (inside === undefined) {
    const raster = createRaster(Math.ceil(item.w * SCALE), Math.ceil(item.h * SCALE))
    item.draw(createRasterSurface(raster, { ...wholePlace(item), x: 0, y: 0 }))
    inside = `<image width="${item.w}" height="${item.h}" href="${pngUrl(raster)}"/>`
  }
  return inside === '' ? '' : `<svg x="${item.x}" y="${item.y}" width="${item.w}" height="${item.h}">${inside}</svg>`
}

const round = (value: number): string => String(Math.round(value * 100) / 100)

/** Viewers may have a wider font: each text is as long as it was measured. */
function textMarkup(
  { x, y, text, size, colour, weight = 400, anchor = 'start', halo }: SheetText,
  fonts: FontSet,
): string {
  const place = anchor === 'start' ? '' : ` text-anchor="${anchor}"`
  const margin = halo === undefined ? '' : ` stroke="${halo}" stroke-width="${HALO}" paint-order="stroke"`
  const long =
    text.trim().length > 1
      ? ` textLength="${round(textWidth(fonts[weight], text, size))}" lengthAdjust="spacingAndGlyphs"`
      : ''
  return `<text x="${round(x)}" y="${round(y)}" font-size="${size}" font-weight="${weight}" fill="${colour}"${place}${margin}${long}>${escaped(text)}</text>`
}

export function svgOf({ items }: Sheet, { width, height, ground }: SheetSize, fonts: FontSet, family: string): string {
  const body = items.map((item, i) => (item.kind === 'text' ? textMarkup(item, fonts) : paintingMarkup(item, `p${i}`)))
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${escaped(`Roboto, ${family}`)}"><rect width="100%" height="100%" fill="${ground}"/>${body.join('')}</svg>\n`
}

function drawText(
  raster: Raster,
  { x, y, text, size, colour, weight = 400, anchor = 'start', halo }: SheetText,
  fonts: FontSet,
): void {
  const font = fonts[weight]
  const width = anchor === 'start' ? 0 : textWidth(font, text, size) / (anchor === 'middle' ? 2 : 1)
  const polygons = letterPolygons(font, text, { x: (x - width) * SCALE, y: y * SCALE, size: size * SCALE })
  const whole = { x0: 0, y0: 0, x1: raster.w, y1: raster.h }
  if (halo !== undefined) {
    const reach = (HALO / 2) * SCALE
    for (const [dx, dy] of AROUND) {
      const moved = polygons.map(polygon => polygon.map(p => ({ x: p.x + dx * reach, y: p.y + dy * reach })))
      fillPolygons(raster, moved, whole, halo)
    }
  }
  fillPolygons(raster, polygons, whole, colour)
}

/** Directions in which letters are moved for their margin. */
const AROUND = Array.from({ length: 12 }, (_, i) => [Math.cos((i / 6) * Math.PI), Math.sin((i / 6) * Math.PI)] as const)

export function pngOf({ items }: Sheet, { width, height, ground }: SheetSize, fonts: FontSet): Buffer {
  const raster = createRaster(width * SCALE, height * SCALE)
  const all = createRasterSurface(raster, { x: 0, y: 0, w: width, h: height, scale: SCALE })
  all.fillStyle = ground
  all.fillRect(0, 0, width, height)
  for (const item of items) {
    if (item.kind === 'text') drawText(raster, item, fonts)
    else item.draw(createRasterSurface(raster, wholePlace(item)))
  }
  return encodePng(raster)
}
