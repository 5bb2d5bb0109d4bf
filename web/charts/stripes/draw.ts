/**
 * Paints positions within the stripe over time, coloured by class, and above them the share of stripes written
 * partially.
 */
import type { Range, StripeTime } from '../../engine/protocol'
import type { StripeSizes } from '../shared/paint/palette'
import { hatch, type Surface } from '../shared/paint/surface'
import { xOf } from '../shared/paint/viewport'

/** Number of the class that straddles, counted from 1. */
const STRADDLES = 4
/** Least height of the mark where requests begin, px. */
const BEGIN = 2

export interface StripeScene {
  /** The range that the columns of the answer divide. */
  readonly answered: Range
  readonly range: Range
  readonly width: number
  readonly sizes: StripeSizes
  readonly end: number
  /** Units of a stripe: a line at each of their boundaries. */
  readonly units: number
  /** Colours by class, in the order of the list of classes. */
  readonly classes: readonly string[]
  readonly ground: string
  readonly grid: string
  readonly begin: string
  readonly partial: string
}

/** y at which the stripe begins below the share, px. */
export const stripeTop = ({ share, gap }: StripeSizes): number => share + gap

/** More units than this have no boundary lines. */
const LINES = 16

export function drawStripes(surface: Surface, answer: StripeTime, scene: StripeScene): void {
  const x = xOf(scene.range, scene.width)
  const bin = (scene.answered.t1 - scene.answered.t0) / answer.w
  const { share, stripe } = scene.sizes
  const top = stripeTop(scene.sizes)
  const tall = stripe / answer.h
  surface.fillStyle = scene.grid
  if (scene.units <= LINES) {
    for (let unit = 0; unit <= scene.units; unit += 1)
      surface.fillRect(0, Math.round(top + (unit / scene.units) * stripe) - (unit > 0 ? 1 : 0), scene.width, 1)
  }
  surface.fillRect(0, share, scene.width, 1)
  for (let column = 0; column < answer.w; column += 1) {
    const from = scene.answered.t0 + column * bin
    const left = x(from)
    const wide = Math.max(2, x(Math.min(from + bin, scene.end)) - left)
    if (from >= scene.end || left > scene.width || left + wide < 0) continue
    drawShare(surface, answer, column, scene, left, wide)
    drawColumn(surface, answer, column, scene, left, wide)
    surface.fillStyle = scene.begin
    for (let row = 0; row < answer.h; row += 1) {
      if ((answer.begins[column * answer.h + row] ?? 0) > 0)
        surface.fillRect(left, top + (row + 1) * tall - Math.max(BEGIN, tall), wide, Math.max(BEGIN, tall))
    }
  }
}

/** Neighbouring rows of one class are one rectangle. */
function drawColumn(
  surface: Surface,
  answer: StripeTime,
  column: number,
  scene: StripeScene,
  left: number,
  wide: number,
): void {
  const top = stripeTop(scene.sizes)
  const tall = scene.sizes.stripe / answer.h
  for (let row = 0; row < answer.h; ) {
    const cls = answer.classes[column * answer.h + row] ?? 0
    let end = row + 1
    while (end < answer.h && answer.classes[column * answer.h + end] === cls) end += 1
    if (cls > 0) {
      const [y, h] = [top + row * tall, (end - row) * tall]
      surface.fillStyle = scene.classes[cls - 1] ?? scene.begin
      surface.fillRect(left, y, wide, h)
      if (cls === STRADDLES) {
        surface.globalAlpha = 0.3
        hatch(surface, left, y, wide, h, scene.ground)
        surface.globalAlpha = 1
      }
    }
    row = end
  }
}

function drawShare(
  surface: Surface,
  answer: StripeTime,
  column: number,
  scene: StripeScene,
  left: number,
  wide: number,
): void {
  const share = partialShare(answer, column)
  if (share === undefined || share === 0) return
  const h = Math.max(1, share * (scene.sizes.share - 2))
  surface.fillStyle = scene.partial
  surface.fillRect(left, scene.sizes.share - h, wide, h)
}

/** Share of the stripes of a column that were written partially; absent where none was written. */
export function partialShare(
  { full, partial }: Pick<StripeTime, 'full' | 'partial'>,
  column: number,
): number | undefined {
  const [whole, part] = [full[column] ?? 0, partial[column] ?? 0]
  return whole + part === 0 ? undefined : part / (whole + part)
}
