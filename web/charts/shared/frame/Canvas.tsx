/**
 * A canvas in device pixels. It draws in a layout effect when `draw` changes, so that axes and marks are always of the
 * same frame.
 */
import { useLayoutEffect, useRef } from 'react'
import type { Surface } from '../paint/surface'

/** Event that makes a canvas paint on the surface in its `detail`: for saved pictures of any size. */
export const PAINT = 'paint-on'

export interface CanvasProps {
  readonly width: number
  readonly height: number
  /** Keep its identity stable: a new function draws again. */
  readonly draw: (surface: Surface) => void
}

export function Canvas({ width, height, draw }: CanvasProps) {
  const ref = useRef<HTMLCanvasElement>(null)
  useLayoutEffect(() => {
    const canvas = ref.current
    const context = canvas?.getContext('2d')
    if (!canvas || !context) return
    const ratio = devicePixelRatio || 1
    const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)]
    if (canvas.width !== w) canvas.width = w
    if (canvas.height !== h) canvas.height = h
    context.setTransform(ratio, 0, 0, ratio, 0, 0)
    context.clearRect(0, 0, width, height)
    draw(context)
    const onPaint = (event: Event) => draw((event as CustomEvent<Surface>).detail)
    canvas.addEventListener(PAINT, onPaint)
    return () => canvas.removeEventListener(PAINT, onPaint)
  }, [draw, width, height])
  return <canvas ref={ref} style={{ width, height }} />
}
