/** Positions and labels of ticks. */
import { scaleLinear } from 'd3'
import type { Range } from '../../../engine/protocol'
import { atTime } from '../../../lib/format'
import { xOf } from './viewport'

export interface Tick {
  /** CSS px from the left or from the top. */
  readonly position: number
  readonly label: string
}

/** Width of a character of the tick font, with room for the wider fallback fonts. */
export const CHAR = 7

/** Round times over a range; fewer when their labels are long. Labels are seconds. */
export function timeTicks(range: Range, width: number): readonly Tick[] {
  const x = xOf(range, width)
  for (let n = Math.max(2, Math.min(8, Math.floor(width / 60))); n >= 1; n -= 1) {
    const times = scaleLinear().domain([range.t0, range.t1]).ticks(n)
    const step = (times[1] ?? range.t1) - (times[0] ?? range.t0)
    const ticks = times.map(t => ({ position: x(t), label: atTime(t, step) }))
    const widest = Math.max(...ticks.map(t => t.label.length)) * CHAR + 12
    if (n === 1 || step * (width / (range.t1 - range.t0)) >= widest) return ticks
  }
  return []
}

/** A linear amount from 0 at the bottom (`height`) to `top` px below the edge for `most`. */
export function amountScale(most: number, height: number, headroom = 10): (value: number) => number {
  const scale = (height - headroom) / Math.max(most, Number.MIN_VALUE)
  return value => height - value * scale
}

/** Zero and two to four round values. */
export function amountTicks(most: number, want = 3): readonly number[] {
  return scaleLinear().domain([0, most]).ticks(want)
}

const amounts = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 6 })

/** A round amount: `1,500`, `0.5`. */
export const tickLabel = (value: number): string => amounts.format(value)

export interface AxisUnit {
  /** Base units per unit. */
  readonly per: number
  readonly name: string
}

const NS: AxisUnit = { per: 1, name: 'ns' }
const TIME_UNITS: readonly AxisUnit[] = [
  { per: 1e9, name: 's' },
  { per: 1e6, name: 'ms' },
  { per: 1e3, name: '\u00b5s' },
]

/** The unit of an axis up to `most` ns. A value that rounding left just below a unit has this unit. */
export const timeUnit = (most: number): AxisUnit => TIME_UNITS.find(({ per }) => most >= per * (1 - 1e-9)) ?? NS

/** A round time without trailing zeros: `30 ms`, `1.5 s`. */
export function binWidth(t: number): string {
  const { per, name } = timeUnit(t)
  return `${+(t / per).toPrecision(3)} ${name}`
}

/** The top of an axis: `most`, or the next round value when it is not far above. */
export function topOf(most: number, want = 3): number {
  const step = amountTicks(most, want)[1] ?? most
  const next = Math.ceil(most / step - 1e-9) * step
  return next <= most * 1.2 ? next : most
}

/** Smaller amounts are errors of rounding. */
const MIN_AMOUNT = 1e-9

/** The top of an axis of amounts; 1 where all are 0. */
export const topOfAmounts = (most: number, want?: number): number => topOf(most > MIN_AMOUNT ? most : 1, want)

const LOG_STEPS = [1, 3]

/** Round times between `low` and `high` ns on a log axis: 1 and 3 times powers of ten. */
export function logTicks(low: number, high: number, most: number): readonly number[] {
  const all: number[] = []
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power += 1) {
    for (const step of LOG_STEPS) {
      const value = step * 10 ** power
      if (value >= low * 0.999 && value <= high * 1.001) all.push(value)
    }
  }
  const tens = all.filter(v => Math.abs(Math.log10(v) - Math.round(Math.log10(v))) < 1e-6)
  if (all.length <= most) return all
  const every = Math.ceil(tens.length / most)
  return tens.filter((_, i) => i % every === 0)
}

/** y of a value on a log axis with `high` on top; values below `low`, such as 0, are at the bottom. */
export function logY(low: number, high: number, height: number): (value: number) => number {
  const [a, b] = [Math.log(low), Math.log(high)]
  return value => height - ((Math.log(Math.max(low, value)) - a) / (b - a)) * height
}
