/** Figures as people read them: `1,280`, `4 KiB`, `5.2 ms`, `19.5%`, `×19`. Three significant digits in prose. */
import { type Bytes, type Ns, SECTOR_BYTES, type Sector } from './units'

const MINUS = '\u2212'
const grouped = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })

/** 1280 -> `1,280`. */
export const count = (n: number): string => grouped.format(n).replace('-', MINUS)

/** In at most five characters: `9,999`, `98.8k`, `1.23M`. */
export function shortCount(n: number): string {
  if (n < 10_000) return count(n)
  const [per, unit] = n < 999_500 ? [1e3, 'k'] : n < 999_500_000 ? [1e6, 'M'] : [1e9, 'G']
  return `${figure(n / per)}${unit}`
}

/** `1 request`, `1,280 requests`. */
export const counted = (n: number, one: string, many = `${one}s`): string => `${count(n)} ${n === 1 ? one : many}`

/** Three significant digits without an exponent; whole numbers above 100 keep all of theirs. */
export function figure(x: number): string {
  const a = Math.abs(x)
  if (!Number.isFinite(x)) return 'none'
  if (a === 0) return '0'
  if (a >= 99.95) return count(Math.round(x))
  const digits = a >= 9.995 ? 1 : a >= 0.9995 ? 2 : Math.min(8, 2 - Math.floor(Math.log10(a)))
  return x.toFixed(digits).replace('-', MINUS)
}

const TIME_UNITS = [
  { from: 0.9995e9, per: 1e9, name: 's' },
  { from: 0.9995e6, per: 1e6, name: 'ms' },
  { from: 0.9995e3, per: 1e3, name: '\u00b5s' },
] as const

/** 4030000000 -> `4.03 s`; 623000 -> `623 µs`. */
export function duration(t: Ns | number): string {
  const unit = TIME_UNITS.find(u => Math.abs(t) >= u.from)
  if (unit) return `${figure(t / unit.per)} ${unit.name}`
  return t === 0 ? '0 s' : `${figure(t)} ns`
}

/** How long a run took: seconds with two digits where they tell something, `0.75 s`, so that runs are easily compared. */
export const runLength = (t: Ns | number): string => (t >= 0.0995e9 && t < 99.995e9 ? `${(t / 1e9).toFixed(2)} s` : duration(t))

/** A point on the time axis in seconds, with as many digits as `step` (ns) can tell apart. */
export function atTime(t: Ns | number, step: number): string {
  const digits = Math.max(0, Math.min(9, Math.ceil(-Math.log10(step / 1e9) - 1e-9)))
  return (t / 1e9).toFixed(digits).replace('-', MINUS)
}

/** Milliseconds for a column: always two digits after the point. */
export const ms = (t: Ns | number): string => `${(t / 1e6).toFixed(2)} ms`

/** 0.195 -> `19.5%`. */
export const share = (x: number): string => `${(x * 100).toFixed(x === 0 || x === 1 ? 0 : 1)}%`

const BYTE_UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const

/** 4096 -> `4 KiB`; whole when it is whole, else three significant digits. */
export function size(n: Bytes | number): string {
  let step = 0
  let x = n
  while (Math.abs(x) >= 1024 && step < BYTE_UNITS.length - 1) {
    x /= 1024
    step++
  }
  return `${Number.isInteger(x) ? count(x) : figure(x)} ${BYTE_UNITS[step] ?? 'B'}`
}

/** Sectors as bytes: 63 -> `31.5 KiB`. */
export const sectorSize = (n: Sector | number): string => size(n * SECTOR_BYTES)

/** 10^6 bytes, as the native tools count: `1.30 MB/s`. */
export const rate = (bytesPerSecond: number): string => `${figure(bytesPerSecond / 1e6)} MB/s`

/** Decimal megabytes: `3.9 MB`, for progress beside MB/s. */
export const megabytes = (n: number): string => (n / 1e6).toFixed(n >= 99.95e6 ? 0 : 1)

/** From one figure to another: `×19` from a factor 2 upwards, below it `+12%` or `−48%`; `same`; `new` where there was none. */
export function change(before: number, after: number): string {
  if (before === after) return 'same'
  if (before === 0) return 'new'
  const factor = after / before
  if (factor >= 2) return `\u00d7${factor >= 9.95 ? count(Math.round(factor)) : factor.toFixed(1)}`
  const percent = (factor - 1) * 100
  const digits = Math.abs(percent) < 0.95 ? 1 : 0
  if (Math.abs(percent) < 0.05) return 'same'
  return `${percent < 0 ? MINUS : '+'}${Math.abs(percent).toFixed(digits)}%`
}

const SMALL = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'] as const

/** Small whole numbers as words inside a sentence. */
export const inWords = (n: number): string => SMALL[n] ?? count(n)
