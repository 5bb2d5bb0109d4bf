/** Dimensions whose values are quantities: threads, block sizes, depths, times. Lines can be drawn over them. */

/** Maps values to positions on the axis. */
export interface QuantityAxis {
  readonly key: string
  readonly name: string
  /** Values as written in the text, by ascending amount. */
  readonly points: readonly { readonly value: string; readonly amount: number }[]
  /** `log2`: all are powers of two; `log`: they cover a wide range. */
  readonly scale: 'linear' | 'log2' | 'log'
}

/** Dimensions that number things: the distance of two of their values means nothing. */
const NUMBERED = new Set(
  `kernel version release commit build run runs repeat date disk device dev file cpu core test step id identifier
   label host port line scheduler filesystem`.split(/\s+/),
)
/** Words around a number that is a quantity: `qd32`, `8 threads`, `Hmean 4`. */
const COUNTED =
  /^(?:qd|iodepth|depth|threads?|jobs?|numjobs|writers?|readers?|clients?|procs?|processes|tasks?|users?|streams?|[HA]mean|bs|t|w|r)$/i

const SIZES = 'kmgt'
const TIMES: Readonly<Record<string, number>> = { ns: 1, us: 1e3, '\u00b5s': 1e3, ms: 1e6, s: 1e9, sec: 1e9, min: 6e10 }

interface WrittenQuantity {
  readonly amount: number
  readonly kind: 'count' | 'size' | 'time'
  /** The words around the number, with the number left out. */
  readonly words: string
}

/** Parses `4k`, `64 KiB`, `8 threads`, `0.5 s`; absent for what is no number. */
function quantityOf(text: string): WrittenQuantity | undefined {
  const [, wordsBefore = '', digits, behind = ''] =
    /^(?:([a-z]+)[\s=_-]*)?(\d[\d,]*(?:\.\d+)?)\s*([a-z\u00b5]*)$/i.exec(text.trim()) ?? []
  if (digits === undefined) return undefined
  const number = Number(digits.replaceAll(',', ''))
  if (wordsBefore !== '' && !COUNTED.test(wordsBefore)) return undefined
  const [, prefix] = /^([kmgt])(?:i?b)?$/i.exec(behind) ?? []
  if (prefix !== undefined) {
    const power = SIZES.indexOf(prefix.toLowerCase()) + 1
    return { amount: number * 1024 ** power, kind: 'size', words: wordsBefore }
  }
  if (/^b(?:ytes)?$/i.test(behind)) return { amount: number, kind: 'size', words: wordsBefore }
  const time = TIMES[behind]
  if (time !== undefined) return { amount: number * time, kind: 'time', words: wordsBefore }
  if (behind !== '' && !COUNTED.test(behind)) return undefined
  return { amount: number, kind: 'count', words: `${wordsBefore} ${behind}` }
}

/** Ratio of values from which a linear axis would hide the small ones. */
const WIDE = 32

function scaleOf(amounts: readonly number[]): QuantityAxis['scale'] {
  const [low = 0, high = 0] = [amounts[0], amounts.at(-1)]
  if (low <= 0) return 'linear'
  if (amounts.every(amount => Number.isInteger(Math.log2(amount)))) return 'log2'
  return high / low >= WIDE ? 'log' : 'linear'
}

/** The axis of a dimension; absent if its values are no quantities, or it has only one. */
export function quantityAxis(
  { key, name }: { readonly key: string; readonly name: string },
  values: readonly string[],
): QuantityAxis | undefined {
  const words = key.toLowerCase().split(/[-_.]/)
  // A `number of dds` is a quantity, a `test number` is none.
  if (words.at(-1) === 'number' || words.some(word => NUMBERED.has(word))) return undefined
  const quantities = [...new Set(values)].map(value => ({ value, quantity: quantityOf(value) }))
  const points = quantities
    .flatMap(({ value, quantity }) => (quantity ? [{ value, amount: quantity.amount, quantity }] : []))
    .toSorted((a, b) => a.amount - b.amount)
  const kinds = new Set(points.map(({ quantity }) => quantity.kind))
  // A size without a unit is in bytes: `512`, `4k`.
  const isOneKind = kinds.size === 1 || (kinds.size === 2 && !kinds.has('time'))
  const isOneName = new Set(points.map(({ quantity }) => quantity.words.trim())).size === 1
  const isDistinct = new Set(points.map(({ amount }) => amount)).size === points.length
  if (points.length < 2 || points.length < quantities.length || !isOneKind || !isOneName || !isDistinct)
    return undefined
  return {
    key,
    name,
    points: points.map(({ value, amount }) => ({ value, amount })),
    scale: scaleOf(points.map(({ amount }) => amount)),
  }
}

/** Position of an amount on the axis, 0..1. */
export function placeOn({ points, scale }: QuantityAxis, amount: number): number {
  const coordinate = (value: number) => (scale === 'linear' ? value : Math.log2(value))
  const [low, high] = [coordinate(points[0]?.amount ?? 0), coordinate(points.at(-1)?.amount ?? 1)]
  return (coordinate(amount) - low) / (high - low)
}
