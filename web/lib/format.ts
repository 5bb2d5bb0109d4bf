/**
 * Numbers and units as users read them: `1,280`, `4 KiB`, `5.20 ms`, `19.5%`, `×19.3`. Three significant digits,
 * or all digits of a whole number. The page and the command line share these functions; terminals and plain-text
 * mail get ASCII (`x19.3`, `623 us`). `trace/src/quantity.rs` writes the same digits in sentences and mails: both pass
 * the cases of `quantity.cases.json` there.
 *
 * Sizes are in KiB, MiB (2^10, 2^20 bytes); throughput is in MB/s (10^6 bytes per second), as blkparse, dd and fio's
 * summary print it.
 */
import { type Bytes, type Ns, SECTOR_BYTES, type Sector } from './units'

/** The only characters that differ between a page and a terminal. */
interface Glyphs {
  readonly minus: string
  readonly times: string
  /** Prefix of `s` in microseconds. */
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
    const rounded = Math.round(Math.abs(n))
    const digits =
      rounded < 1e21 ? rounded.toFixed(0).replace(/\B(?=(\d{3})+$)/g, ',') : rounded.toLocaleString('en-US')
    return (n < 0 && rounded > 0 ? minus : '') + digits
  }

  /** 43600 -> `43,600`; a fixed number of decimals, as in the engine's mails. */
  function fixed(x: number, decimals: number): string {
    const text = Math.abs(x).toFixed(decimals)
    if (text.includes('e')) return count(x)
    const [integer = '', rest] = text.split('.')
    const grouped = integer.replace(/\B(?=(\d{3})+$)/g, ',')
    const sign = x < 0 && /[1-9]/.test(text) ? minus : ''
    return `${sign}${grouped}${rest === undefined ? '' : `.${rest}`}`
  }

  /**
   * A whole number with all of its digits, any other with three significant ones: `8`, `5.20`, `0.0123`, `1,235`. Never
   * an exponent.
   */
  function figure(x: number): string {
    if (!Number.isFinite(x)) return 'none'
    const magnitude = Math.abs(x)
    // A share of 0.07 is 7.000000000000001 percent.
    if (Math.abs(magnitude - Math.round(magnitude)) <= 1e-9 * magnitude) return count(x)
    let [decimals, power] = [0, 1]
    // 99.95 is written as 100.
    while (magnitude * power < 99.95 && decimals < 8) {
      decimals++
      power *= 10
    }
    return fixed(x, decimals)
  }

  /** At most five characters: `9,999`, `98.8k`, `1.23M`. */
  function shortCount(n: number): string {
    if (n < 10_000) return count(n)
    const [per, unit] = n < 999_500 ? [1e3, 'k'] : n < 999_500_000 ? [1e6, 'M'] : [1e9, 'G']
    return `${figure(n / per)}${unit}`
  }

  /** `1 request`, `1,280 requests`. */
  const counted = (n: number, singular: string, plural = `${singular}s`): string =>
    `${count(n)} ${n === 1 ? singular : plural}`

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

  /** A position on the time axis, in seconds without the unit: `12.345678`. */
  const seconds = (t: Ns | number, decimals: number): string => (t / 1e9).toFixed(decimals).replace('-', minus)

  /** 0.195 -> `19.5%`. */
  const share = (x: number): string => `${figure(x * 100)}%`

  /** 4096 -> `4 KiB`. */
  function size(n: Bytes | number): string {
    let [x, step] = [Number(n), 0]
    // A value that rounds to 1,024 of a unit is written in the next one.
    while (Math.abs(x) >= 1023.5 && step < BYTE_UNITS.length - 1) {
      x /= 1024
      step++
    }
    return `${figure(x)} ${BYTE_UNITS[step] ?? 'B'}`
  }

  /** Sectors as bytes: 63 -> `31.5 KiB`. */
  const sectorSize = (n: Sector | number): string => size(n * SECTOR_BYTES)

  /** `1.30 MB/s`. */
  const rate = (bytesPerSecond: number): string => `${figure(bytesPerSecond / 1e6)} MB/s`

  /** 10^6 bytes, for progress next to MB/s: `3.9`. */
  const megabytes = (n: number): string => (n / 1e6).toFixed(n >= 99.95e6 ? 0 : 1)

  /** `×19.3` from a factor of two upwards, else `+25%`, `−48%`, `+0.3%`. */
  function factor(ratio: number): string {
    if (ratio >= 2) return `${times}${figure(ratio)}`
    const percent = (ratio - 1) * 100
    if (Math.abs(percent) < 0.05) return '+0%'
    let decimals = Math.abs(percent) < 0.95 ? 1 : 0
    // -100% would say that nothing is left.
    while (ratio > 0 && decimals < 4 && fixed(percent, decimals).startsWith(`${minus}100`)) decimals++
    return `${percent > 0 ? '+' : ''}${fixed(percent, decimals)}%`
  }

  /** Change from `before` to `after` as a factor; `same`; `new` where there was none. */
  function change(before: number, after: number): string {
    if (before === 0 && after !== 0) return 'new'
    const text = before === after ? '+0%' : factor(after / before)
    return text === '+0%' ? 'same' : text
  }

  /** A value in a unit of the engine; `-` where it does not apply. */
  function quantity(unit: string, value: number | null | undefined): string {
    if (value === null || value === undefined) return '-'
    switch (unit) {
      case 'ns':
        return duration(value)
      case 'share':
        return share(value)
      case 'bytes':
        return size(value)
      case 'bytes/s':
        return rate(value)
      case 's':
        // A time on a clock: three digits would not find it.
        return `${fixed(value, 6)} s`
      case 'KiB':
        return `${count(value)} KiB`
      case 'factor':
        return factor(value)
      case '1/s':
        return `${figure(value)}/s`
      case 'sectors':
        return value === 1 ? '1 sector' : `${figure(value)} sectors`
      default:
        return figure(value)
    }
  }

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
    seconds,
    share,
    size,
    sectorSize,
    rate,
    megabytes,
    change,
    factor,
    quantity,
    inWords,
  }
}

/** The formatter of terminals and plain-text mail: printable ASCII only. */
export const ascii = createFormat({ minus: '-', times: 'x', micro: 'u' })

/** The formatter of the page: with the typographic minus, multiplication and micro signs. */
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
  seconds,
  share,
  size,
  sectorSize,
  rate,
  megabytes,
  change,
  factor,
  quantity,
  inWords,
} = typographic
