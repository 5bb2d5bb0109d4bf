/** The stripe ruler: boundaries, units and numbers of stripes, where the axis is zoomed in far enough. */
import type { Geometry } from '../../../engine/protocol'
import type { Surface } from '../../shared/paint/surface'
import type { Tick } from '../../shared/paint/ticks'
import { type AxisPart, sectorsPerPx, yWithin } from './bands'

/** Least heights of a stripe, a unit and a stripe number, px. */
const STRIPE_PX = 8
const UNIT_PX = 4
const NUMBER_PX = 13

export interface RulerColours {
  readonly odd: string
  readonly unit: string
  readonly boundary: string
}

/** Whether the stripes of a part are tall enough to be drawn. */
export function rulerFits(part: AxisPart, geometry: Geometry | undefined): geometry is Geometry {
  return geometry !== undefined && (geometry.unit * geometry.dataDisks) / sectorsPerPx(part) >= STRIPE_PX
}

/** Number and first sector of each stripe that overlaps a part. */
function stripesIn(part: AxisPart, geometry: Geometry): readonly { readonly number: number; readonly lba: number }[] {
  const stripe = geometry.unit * geometry.dataDisks
  const stripes: { number: number; lba: number }[] = []
  for (let k = Math.floor((part.lba0 - geometry.start) / stripe); geometry.start + k * stripe < part.lba1; k += 1) {
    stripes.push({ number: k, lba: geometry.start + k * stripe })
  }
  return stripes
}

export function drawRuler(
  surface: Surface,
  part: AxisPart,
  geometry: Geometry,
  width: number,
  colours: RulerColours,
): void {
  const stripe = geometry.unit * geometry.dataDisks
  const unitTall = geometry.unit / sectorsPerPx(part)
  const clip = (y: number) => Math.min(part.bottom, Math.max(part.top, y))
  const line = (y: number, colour: string) => {
    if (y < part.top || y > part.bottom) return
    surface.fillStyle = colour
    surface.fillRect(0, Math.round(y) - 0.5, width, 1)
  }
  for (const { number, lba } of stripesIn(part, geometry)) {
    const [top, bottom] = [clip(yWithin(part, lba + stripe)), clip(yWithin(part, lba))]
    if (number % 2 !== 0) {
      surface.fillStyle = colours.odd
      surface.fillRect(0, top, width, bottom - top)
    }
    if (unitTall >= UNIT_PX) {
      for (let unit = 1; unit < geometry.dataDisks; unit += 1)
        line(yWithin(part, lba + unit * geometry.unit), colours.unit)
    }
    line(yWithin(part, lba), colours.boundary)
  }
}

/** `stripe 45` in the middle of each stripe that is tall enough. */
export function stripeTicks(part: AxisPart, geometry: Geometry): readonly Tick[] {
  const stripe = geometry.unit * geometry.dataDisks
  const tall = stripe / sectorsPerPx(part)
  const every = Math.max(1, Math.ceil(NUMBER_PX / tall))
  return stripesIn(part, geometry)
    .filter(({ number }) => number >= 0 && number % every === 0)
    .map(({ number, lba }) => ({ position: yWithin(part, lba + stripe / 2), label: `stripe ${number}` }))
    .filter(({ position }) => position > part.top && position < part.bottom)
}

/**
 * The first boundary within (begin, end) that a straddling request crosses: of a stripe when there is one, else of a
 * unit.
 */
export function crossed(begin: number, end: number, geometry: Geometry): number | undefined {
  for (const step of [geometry.unit * geometry.dataDisks, geometry.unit]) {
    const boundary = geometry.start + (Math.floor((begin - geometry.start) / step) + 1) * step
    if (boundary < end) return boundary
  }
  return undefined
}
