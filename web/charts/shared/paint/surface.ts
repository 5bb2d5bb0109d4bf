/** Browsers refuse a context for a canvas that is too large. */
export const NO_IMAGE = 'The browser cannot create an image of this size'

/** The part of a 2D canvas that charts draw with: small enough to record in tests. Coordinates are CSS px. */
export interface Surface {
  fillStyle: string | CanvasGradient | CanvasPattern
  strokeStyle: string | CanvasGradient | CanvasPattern
  lineWidth: number
  globalAlpha: number
  imageSmoothingEnabled: boolean
  beginPath(): void
  moveTo(x: number, y: number): void
  lineTo(x: number, y: number): void
  rect(x: number, y: number, w: number, h: number): void
  closePath(): void
  fill(): void
  stroke(): void
  clip(): void
  save(): void
  restore(): void
  fillRect(x: number, y: number, w: number, h: number): void
  strokeRect(x: number, y: number, w: number, h: number): void
  setLineDash(segments: number[]): void
  drawImage(
    image: CanvasImageSource,
    sx: number,
    sy: number,
    sw: number,
    sh: number,
    dx: number,
    dy: number,
    dw: number,
    dh: number,
  ): void
}

/** Draws with a dash pattern and leaves the surface solid. */
export function dashed(surface: Surface, dash: readonly number[], draw: () => void): void {
  surface.setLineDash([...dash])
  draw()
  surface.setLineDash([])
}

/** Diagonal hatch over a rectangle: the second cue of straddling and discarding requests. */
export function hatch(surface: Surface, x: number, y: number, w: number, h: number, colour: string, step = 5): void {
  surface.save()
  surface.beginPath()
  surface.rect(x, y, w, h)
  surface.clip()
  surface.strokeStyle = colour
  surface.lineWidth = 1
  surface.beginPath()
  for (let left = -h; left < w; left += step) {
    surface.moveTo(x + left, y + h)
    surface.lineTo(x + left + h, y)
  }
  surface.stroke()
  surface.restore()
}
