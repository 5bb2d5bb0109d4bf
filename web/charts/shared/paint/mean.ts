/** The mean of the full run as a dotted line, with its 95 % interval as a band. */
import type { FigureInterval } from '../../../engine/protocol'
import { dashed, type Surface } from './surface'

export interface MeanLine {
  readonly mean: number
  readonly interval: FigureInterval | undefined
  readonly colour: string
}

export interface MeanScene {
  /** Ends of the line, px. */
  readonly left: number
  readonly right: number
  readonly y: (value: number) => number
}

export function drawMean(surface: Surface, { mean, interval, colour }: MeanLine, { left, right, y }: MeanScene): void {
  if (right <= left) return
  if (interval) {
    const [low, high] = interval
    const top = high === null ? 0 : y(high)
    surface.fillStyle = colour
    surface.globalAlpha = 0.16
    surface.fillRect(left, top, right - left, Math.max(1, y(low) - top))
    surface.globalAlpha = 1
  }
  surface.strokeStyle = colour
  surface.lineWidth = 1
  dashed(surface, [1.5, 2.5], () => {
    surface.beginPath()
    surface.moveTo(left, Math.round(y(mean)) + 0.5)
    surface.lineTo(right, Math.round(y(mean)) + 0.5)
    surface.stroke()
  })
}
