/** Paints exact request sizes: one bar per size on a log axis, operations stacked. */
import type { Sizes } from '../../engine/protocol'
import type { Surface } from '../shared/paint/surface'

export interface SizeScene {
  readonly width: number
  readonly height: number
  /** Smallest and largest size of all runs, sectors. */
  readonly low: number
  readonly high: number
  /** Most requests of one size, of all runs. */
  readonly most: number
  readonly colours: { readonly read: string; readonly write: string; readonly discard: string }
}

/** Bars are this wide at most, px. */
const BAR = 10

/** Middle of a size's bar: log2, half a bar from both edges. */
export function sizeX(sectors: number, scene: Pick<SizeScene, 'width' | 'low' | 'high'>): number {
  const span = Math.log2(scene.high / scene.low)
  const room = scene.width - BAR - 4
  return BAR / 2 + 2 + (span === 0 ? 0.5 : Math.log2(sectors / scene.low) / span) * room
}

/** Powers of two on the axis, as many as there is room for. */
export function sizeTicks(width: number, low: number, high: number): readonly number[] {
  const ticks: number[] = []
  for (let s = 2 ** Math.ceil(Math.log2(low)); s <= high; s *= 2) ticks.push(s)
  const every = Math.max(1, Math.ceil((ticks.length * 58) / width))
  return ticks.filter((_, i) => i % every === 0)
}

export const totalOf = (sizes: Sizes, i: number): number =>
  (sizes.reads[i] ?? 0) + (sizes.writes[i] ?? 0) + (sizes.discards[i] ?? 0)

/** Bars are as wide as the nearest two sizes allow, at least 2 px. */
export function barWidth(sizes: Sizes, scene: SizeScene): number {
  let least = BAR
  for (let i = 1; i < sizes.sectors.length; i += 1)
    least = Math.min(least, sizeX(sizes.sectors[i] ?? 1, scene) - sizeX(sizes.sectors[i - 1] ?? 1, scene) - 1)
  return Math.max(2, least)
}

export function drawSizes(surface: Surface, sizes: Sizes, scene: SizeScene): void {
  const width = barWidth(sizes, scene)
  const scale = scene.height / scene.most
  const layers = [
    [sizes.writes, scene.colours.write],
    [sizes.reads, scene.colours.read],
    [sizes.discards, scene.colours.discard],
  ] as const
  sizes.sectors.forEach((sectors, i) => {
    if (sectors <= 0) return
    const x = sizeX(sectors, scene) - width / 2
    const total = totalOf(sizes, i)
    let y = scene.height
    // Bars are at least one pixel high: a single request stays visible.
    const stretch = total > 0 ? Math.max(1, 1 / (total * scale)) : 1
    for (const [counts, colour] of layers) {
      const tall = (counts[i] ?? 0) * scale * stretch
      if (tall <= 0) continue
      y -= tall
      surface.fillStyle = colour
      surface.fillRect(x, y, width, tall)
    }
  })
}
