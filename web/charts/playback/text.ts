/** Text on a canvas. */
import type { Palette } from '../shared/paint/palette'

export type Canvas2D = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D

export interface TextStyle {
  /** px. */
  readonly size?: number
  readonly weight?: 400 | 500 | 600
  readonly mono?: true
  /** Token. */
  readonly colour?: string
  readonly align?: 'left' | 'right' | 'center'
  /** A border in the colour of the ground, where the text is above marks. */
  readonly halo?: true
}

/** Writes with the middle of the line at `y`; returns the width. What is wider than `most` is cut. */
export function write(
  context: Canvas2D,
  palette: Palette,
  text: string,
  x: number,
  y: number,
  style: TextStyle = {},
  most?: number,
): number {
  context.font = `${style.weight ?? 400} ${style.size ?? 12}px ${palette(style.mono ? 'font-mono' : 'font-ui')}`
  context.textAlign = style.align ?? 'left'
  context.textBaseline = 'middle'
  const shown = most === undefined ? text : fitting(context, text, most)
  if (style.halo) {
    context.lineJoin = 'round'
    context.lineWidth = 3
    context.strokeStyle = palette('surface')
    context.strokeText(shown, x, y)
  }
  context.fillStyle = palette(style.colour ?? 'ink')
  context.fillText(shown, x, y)
  return context.measureText(shown).width
}

function fitting(context: Canvas2D, text: string, most: number): string {
  if (context.measureText(text).width <= most) return text
  let end = text.length
  while (end > 0 && context.measureText(`${text.slice(0, end)}\u2026`).width > most) end -= 1
  return end === 0 ? '' : `${text.slice(0, end)}\u2026`
}
