/** Paints stripe alignment: shares by class as one bar, and where within the stripe requests begin. */
import { hatch, type Surface } from '../shared/paint/surface'

export interface ClassShare {
  readonly requests: number
  readonly colour: string
  /** Straddling requests carry their second cue. */
  readonly hatched: boolean
}

export function drawShares(
  surface: Surface,
  shares: readonly ClassShare[],
  total: number,
  width: number,
  height: number,
  ground: string,
): void {
  let x = 0
  for (const { requests, colour, hatched } of shares) {
    if (requests === 0) continue
    const w = Math.max(2, (requests / total) * width)
    surface.fillStyle = colour
    surface.fillRect(x, 0, Math.max(1, w - 1), height)
    if (hatched) {
      surface.globalAlpha = 0.3
      hatch(surface, x, 0, Math.max(1, w - 1), height, ground)
      surface.globalAlpha = 1
    }
    x += w
  }
}

export interface PositionScene {
  readonly width: number
  readonly height: number
  /** Most requests of one bin, of all runs. */
  readonly most: number
  /** Units of a stripe: a line at each of their boundaries. */
  readonly units: number
  readonly read: string
  readonly write: string
  readonly grid: string
}

/** 64 equal bins of the stripe; writes below, reads upon them. */
export function drawPositions(surface: Surface, reads: Float64Array, writes: Float64Array, scene: PositionScene): void {
  surface.fillStyle = scene.grid
  for (let unit = 1; unit < scene.units; unit += 1)
    surface.fillRect(Math.round((unit / scene.units) * scene.width), 0, 1, scene.height)
  const bin = scene.width / writes.length
  for (let i = 0; i < writes.length; i += 1) {
    let y = scene.height
    for (const [n, colour] of [
      [writes[i] ?? 0, scene.write],
      [reads[i] ?? 0, scene.read],
    ] as const) {
      if (n === 0) continue
      const tall = Math.max(1, (n / scene.most) * scene.height)
      y -= tall
      surface.fillStyle = colour
      surface.fillRect(i * bin, y, Math.max(1, bin - 1), tall)
    }
  }
}
