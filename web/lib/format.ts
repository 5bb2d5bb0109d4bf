/**
 * Numbers and units as users read them: `1,280`, `4 KiB`, `5.20 ms`, `19.5%`, `×19`. Three significant digits in prose.
 * The page and the command line share these functions; terminals and plain-text mail get ASCII (`x19`, `623 us`).
 *
 * Sizes are in KiB, MiB (2^10, 2^20 bytes); throughput is in MB/s (10^6 bytes per second), as blkparse, dd and fio's
 * summary print it.
 */
import { type Bytes, type Ns, SECTOR_BYTES, type Sector } from './units'

/** The only characters that differ between a page and a terminal. */
interface Glyphs {
  readonly minus: string
  readonly times: string
  /** Prefix of microseconds. */
  readonly micro: string
}

const BYTE_UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const
const SMALL = [
  'no',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
] as const

function createFormat({ minus, times, micro }: Glyphs) {
  const timeUnits = [
    { from: 0.9995e9, per: 1e9, name: 's' },
    { from: 0.9995e6, per: 1e6, name: 'ms' },
    { from: 0.9995e3, per: 1e3, name: `${micro}s` },
  ] as const

  /**
   * 1280 -> `1,280`. As `Intl.NumberFormat` writes it, which takes 10 ms to construct: a tenth of what `seekscope
   * --version` takes.
   */
  function count(n: number): string {
    const whole = Math.round(Math.abs(n))
    const digits = whole < 1e21 ? whole.toFixed(0).replace(/\B(?=(\d{3})+$)/g, ',') : whole.toLocaleString('en-US')
    return (n < 0 && whole > 0 ? minus : '') + digits
  }

  /** 43600 -> `43,600`; so many decimals, as the engine writes them in a mail. */
  function fixed(x: number, decimals: number): string {
    const text = Math.abs(x).toFixed(decimals)
    if (text.includes('e')) return text
    const [whole = '', rest] = text.split('.')
    const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',')
    const sign = x < 0 && /[1-9]/.test(text) ? minus : ''
    return `${sign}${grouped}${rest === undefined ? '' : `.${rest}`}`
  }

  /** Three significant digits without an exponent; integers above 100 keep all of theirs. */
  function figure(x: number): string {
    const a = Math.abs(x)
    if (!Number.isFinite(x)) return 'none'
    if (a === 0) return '0'
    if (a >= 99.95) return count(Math.round(x))
    const digits = a >= 9.995 ? 1 : a >= 0.9995 ? 2 : Math.min(8, 2 - Math.floor(Math.log10(a)))
    return x.toFixed(digits).replace('-', minus)
  }

  /** At most five characters: `9,999`, `98.8k`, `1.23M`. */
  function shortCount(n: number): string {
    if (n < 10_000) return count(n)
    const [per, unit] = n < 999_500 ? [1e3, 'k'] : n < 999_500_000 ? [1e6, 'M'] : [1e9, 'G']
    return `${figure(n / per)}${unit}`
  }

  /** `1 request`, `1,280 requests`. */
  const counted = (n: number, one: string, many = `${one}s`): string => `${count(n)} ${n === 1 ? one : many}`

  /** 4030000000 -> `4.03 s`; 623000 -> `623 µs`. */
  function duration(t: Ns | number): string {
    const unit = timeUnits.find(u => Math.abs(t) >= u.from)
    if (unit) return `${figure(t / unit.per)} ${unit.name}`
    return t === 0 ? '0 s' : `${figure(t)} ns`
  }

  /** Length of a run: `0.75 s`, two decimals from 0.1 to 100 s, so that runs are easy to compare. */
  const runLength = (t: Ns | number): string =>
    t >= 0.0995e9 && t < 99.995e9 ? `${(t / 1e9).toFixed(2)} s` : duration(t)

  /** A point on the time axis in seconds, with the decimals that ticks `step` ns apart need. */
  function atTime(t: Ns | number, step: number): string {
    const digits = Math.max(0, Math.min(9, Math.ceil(-Math.log10(step / 1e9) - 1e-9)))
    return (t / 1e9).toFixed(digits).replace('-', minus)
  }

  /** Milliseconds for a column: always two decimals. */
  const ms = (t: Ns | number): string => `${(t / 1e6).toFixed(2)} ms`

  /** 0.195 -> `19.5%`. */
  const share = (x: number): string => `${(x * 100).toFixed(x === 0 || x === 1 ? 0 : 1)}%`

  /** 4096 -> `4 KiB`; three significant digits unless it is an integer. */
  function size(n: Bytes | number): string {
    let step = 0
    let x = n
    while (Math.abs(x) >= 1024 && step < BYTE_UNITS.length - 1) {
      x /= 1024
      step++
    }
    return `${Number.isInteger(x) ? count(x) : figure(x)} ${BYTE_UNITS[step] ?? 'B'}`
  }

  /** Sectors as bytes: 63 -> `31.5 KiB`. */
  const sectorSize = (n: Sector | number): string => size(n * SECTOR_BYTES)

  /** `1.30 MB/s`. */
  const rate = (bytesPerSecond: number): string => `${figure(bytesPerSecond / 1e6)} MB/s`

  /** 10^6 bytes, for progress next to MB/s: `3.9`. */
  const megabytes = (n: number): string => (n / 1e6).toFixed(n >= 99.95e6 ? 0 : 1)

  /**
   * Change from `before` to `after`: `×19` from a factor of 2, below it `+12%` or `−48%`; `same`; `new` where there was
   * none.
   */
  function change(before: number, after: number): string {
    if (before === after) return 'same'
    if (before === 0) return 'new'
    const factor = after / before
    if (factor >= 2) return `${times}${factor >= 9.95 ? count(Math.round(factor)) : factor.toFixed(1)}`
    const percent = (factor - 1) * 100
    const digits = Math.abs(percent) < 0.95 ? 1 : 0
    if (Math.abs(percent) < 0.05) return 'same'
    return `${percent < 0 ? minus : '+'}${Math.abs(percent).toFixed(digits)}%`
  }

  /** A ratio as a change: `×9.3`, `+12%`. */
  const factor = (ratio: number): string => change(1, ratio).replace('same', '+0%')

  /** Small integers as words inside a sentence. */
  const inWords = (n: number): string => SMALL[n] ?? count(n)

  return {
    count,
    fixed,
    figure,
    shortCount,
    counted,
    duration,
    runLength,
    atTime,
    ms,
    share,
    size,
    sectorSize,
    rate,
    megabytes,
    change,
    factor,
    inWords,
  }
}

/** For terminals and plain-text mail: printable ASCII. */
export const ascii = createFormat({ minus: '-', times: 'x', micro: 'u' })

/** For the page. */
export const typographic = createFormat({ minus: '\u2212', times: '\u00d7', micro: '\u00b5' })

/** Changes that the engine writes in ASCII, for the page: `-50% to x2.68` -> `−50% to ×2.68`. */
export const typographicChanges = (changes: string): string =>
  changes.replace(/(?<!\S)-(?=\d)/g, '\u2212').replace(/(?<!\S)x(?=\d)/g, '\u00d7')

export type Words = typeof typographic

export const {
  count,
  fixed,
  figure,
  shortCount,
  counted,
  duration,
  runLength,
  atTime,
  ms,
  share,
  size,
  sectorSize,
  rate,
  megabytes,
  change,
  factor,
  inWords,
} = typographic
