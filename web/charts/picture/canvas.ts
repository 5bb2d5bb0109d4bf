/** What stands on a canvas, as SVG: vectors where the chart draws few marks, else an image of twice its size. */
import { PAINT } from '../shared/frame/Canvas'
import { NO_IMAGE, type Surface } from '../shared/paint/surface'
import { createSvgSurface } from './svgSurface'

/** Device px a CSS px of what becomes an image. */
const SCALE = 2

/** Paints once more, on another surface. */
const paint = (canvas: HTMLCanvasElement, surface: Surface) =>
  canvas.dispatchEvent(new CustomEvent<Surface>(PAINT, { detail: surface }))

function sheet(
  width: number,
  height: number,
): { readonly canvas: HTMLCanvasElement; readonly context: CanvasRenderingContext2D } {
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(width))
  canvas.height = Math.max(1, Math.round(height))
  const context = canvas.getContext('2d')
  if (!context) throw new Error(NO_IMAGE)
  return { canvas, context }
}

function imageOf(image: CanvasImageSource, sx: number, sy: number, sw: number, sh: number): string {
  const { canvas, context } = sheet(sw, sh)
  context.drawImage(image, sx, sy, sw, sh, 0, 0, canvas.width, canvas.height)
  return canvas.toDataURL()
}

/** Markup in a coordinate system of CSS px from the canvas's corner. */
export function canvasMarkup(canvas: HTMLCanvasElement, width: number, height: number, id: string): string {
  const svg = createSvgSurface(id, imageOf)
  paint(canvas, svg)
  const vectors = svg.markup()
  if (vectors !== undefined) return vectors
  const copy = sheet(width * SCALE, height * SCALE)
  copy.context.setTransform(SCALE, 0, 0, SCALE, 0, 0)
  paint(canvas, copy.context)
  return `<image width="${width}" height="${height}" href="${copy.canvas.toDataURL()}"/>`
}
