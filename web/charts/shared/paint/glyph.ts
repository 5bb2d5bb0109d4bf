/** Symbols on plots, with an edge so that they stand out from what is below. Distinguishable without colour. */
import type { Surface } from './surface'

/** x, y within -1..1, y downwards. */
type GlyphPoint = readonly [number, number]
export type GlyphLine = readonly GlyphPoint[]

/** Closed outlines, filled or hollow, and open lines. */
export interface Glyph {
  readonly filled?: readonly GlyphLine[]
  readonly hollow?: readonly GlyphLine[]
  readonly open?: readonly GlyphLine[]
}

/** Half the size of a symbol, px. */
export const GLYPH_REACH = 4.5
const HALO = 3.5
const STROKE = 1.5

function trace(surface: Surface, lines: readonly GlyphLine[], x: number, y: number, closed: boolean): void {
  for (const line of lines) {
    line.forEach(([dx, dy], i) => {
      if (i === 0) surface.moveTo(x + dx * GLYPH_REACH, y + dy * GLYPH_REACH)
      else surface.lineTo(x + dx * GLYPH_REACH, y + dy * GLYPH_REACH)
    })
    if (closed) surface.closePath()
  }
}

/** Draws a symbol with an edge in `halo`, so that it stands out from requests. */
export function drawGlyph(
  surface: Surface,
  { filled = [], hollow = [], open = [] }: Glyph,
  x: number,
  y: number,
  colour: string,
  halo: string,
): void {
  const path = (outlines: readonly GlyphLine[]) => {
    surface.beginPath()
    trace(surface, outlines, x, y, true)
  }
  surface.strokeStyle = halo
  surface.lineWidth = HALO
  path([...filled, ...hollow])
  trace(surface, open, x, y, false)
  surface.stroke()
  surface.fillStyle = halo
  path(hollow)
  surface.fill()
  surface.fillStyle = colour
  path(filled)
  surface.fill()
  surface.strokeStyle = colour
  surface.lineWidth = STROKE
  path(hollow)
  trace(surface, open, x, y, false)
  surface.stroke()
}

const PRECISION = 2

/** The `d` of an SVG path around (0, 0), in px: closed outlines, then open lines. */
export function glyphPath(lines: readonly GlyphLine[], closed: boolean): string {
  const place = ([x, y]: GlyphPoint) =>
    `${(x * GLYPH_REACH).toFixed(PRECISION)} ${(y * GLYPH_REACH).toFixed(PRECISION)}`
  return lines.map(line => `M${line.map(place).join('L')}${closed ? 'Z' : ''}`).join('')
}
