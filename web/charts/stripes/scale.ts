/** The axis of positions within a stripe. */
import type { Geometry } from '../../engine/protocol'
import { sectorSize } from '../../lib/format'
import type { StripeSizes } from '../shared/paint/palette'
import type { Tick } from '../shared/paint/ticks'
import { stripeTop } from './draw'

/** Least distance of two labels, px. */
const LABEL = 16

/** Height of the share and of the stripe below it, px. */
export const heightOf = (sizes: StripeSizes): number => stripeTop(sizes) + sizes.stripe

/** Boundaries of units, and the top of the share. */
export function stripeTicks({ unit, dataDisks }: Geometry, sizes: StripeSizes): readonly Tick[] {
  const every = Math.max(1, Math.ceil(LABEL / (sizes.stripe / dataDisks)))
  const positions = Array.from({ length: Math.floor(dataDisks / every) + 1 }, (_, k) => k * every)
  const place = (k: number): Tick => ({
    position: heightOf(sizes) - (k / dataDisks) * sizes.stripe,
    label: k === 0 ? '0' : sectorSize(k * unit),
  })
  return [{ position: 0, label: '100%' }, ...positions.map(place)]
}
