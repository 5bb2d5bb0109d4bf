import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  ascii,
  atTime,
  change,
  count,
  duration,
  figure,
  fixed,
  inWords,
  megabytes,
  rate,
  runLength,
  share,
  shortCount,
  size,
} from './format'

describe('numbers and units', () => {
  it('groups counts', () => {
    expect(count(1280)).toBe('1,280')
    expect(count(6_128_003)).toBe('6,128,003')
    expect([-1280, -0.4, 0].map(count)).toEqual(['\u22121,280', '0', '0'])
    const expected = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })
    const numbers = fc.oneof(fc.integer(), fc.maxSafeInteger(), fc.double({ min: 0, max: 1e15, noNaN: true }))
    fc.assert(fc.property(numbers, n => ascii.count(n) === expected.format(n).replace(/^-0$/, '0')))
  })
  it('shortens counts where there is little room', () => {
    expect([0, 1280, 9999, 10_000, 98_765, 999_499, 1_234_567, 6_128_003].map(shortCount)).toEqual([
      '0',
      '1,280',
      '9,999',
      '10k',
      '98.8k',
      '999k',
      '1.23M',
      '6.13M',
    ])
  })
  it('keeps three significant digits in prose', () => {
    expect([2.3701, 0.84, 0.05, 19.53, 318.2, 1502, 0].map(figure)).toEqual([
      '2.37',
      '0.840',
      '0.0500',
      '19.5',
      '318',
      '1,502',
      '0',
    ])
  })
  it('chooses the unit of a duration', () => {
    expect([4.03e9, 7.768e9, 15.058e6, 623_000, 88, 0].map(duration)).toEqual([
      '4.03 s',
      '7.77 s',
      '15.1 ms',
      '623 µs',
      '88 ns',
      '0 s',
    ])
    expect(duration(999_960)).toBe('1.00 ms')
  })
  it('writes the length of runs in seconds', () => {
    expect([0.749e9, 1.516e9, 4.03e9, 128e9, 4e6].map(runLength)).toEqual([
      '0.75 s',
      '1.52 s',
      '4.03 s',
      '128 s',
      '4 ms',
    ])
  })
  it('writes sizes in KiB and rates in MB/s', () => {
    expect([512, 4096, 31.5 * 1024, 5 * 1024 ** 2, 0].map(size)).toEqual(['512 B', '4 KiB', '31.5 KiB', '5 MiB', '0 B'])
    expect(rate(1_300_000)).toBe('1.30 MB/s')
    expect(megabytes(3_900_000)).toBe('3.9')
  })
  it('writes shares with three digits', () => {
    expect([0.195, 0.029, 0, 1].map(share)).toEqual(['19.5%', '2.90%', '0%', '100%'])
  })
  it('writes a change as a factor from 2 upwards, else in percent', () => {
    expect(change(0.8, 15.3)).toBe('×19.1')
    expect(change(1.1, 8.7)).toBe('×7.91')
    expect(change(67.2, 33.2)).toBe('−51%')
    expect(change(100, 112)).toBe('+12%')
    expect(change(0, 205)).toBe('new')
    expect(change(5, 5)).toBe('same')
    expect(change(3, 0)).toBe('−100%')
  })
  it('gives a time as many digits as the step needs', () => {
    expect(atTime(2.62e9, 1e7)).toBe('2.62')
    expect(atTime(2.62e9, 1e9)).toBe('3')
    expect(atTime(1.5e9, 5e8)).toBe('1.5')
  })
  it('differs on terminals in three characters only', () => {
    expect([ascii.duration(623_000), ascii.change(0.8, 7.44), ascii.change(67.2, 33.2), ascii.count(-3)]).toEqual([
      '623 us',
      'x9.30',
      '-51%',
      '-3',
    ])
    fc.assert(
      fc.property(fc.double({ min: -1e18, max: 1e18, noNaN: true }), fc.nat(), (a, b) => {
        const both = (f: typeof ascii) => [
          f.duration(a),
          f.size(a),
          f.rate(a),
          f.figure(a),
          f.count(a),
          f.change(b, Math.abs(a)),
        ]
        const page = both({ ...ascii, duration, size, rate, figure, count, change })
        expect(page.map(text => text.replace('\u2212', '-').replace('\u00d7', 'x').replace('\u00b5', 'u'))).toEqual(
          both(ascii),
        )
        for (const text of both(ascii)) expect(text).toMatch(/^[ -~]+$/)
      }),
    )
  })
  it('writes every case as the engine does in sentences and mails', () => {
    const path = '../../parser-wasm/trace/src/quantity.cases.json'
    const cases: { unit: string; value: number; text: string }[] = JSON.parse(
      readFileSync(new URL(path, import.meta.url), 'utf8'),
    )
    expect(cases.length).toBeGreaterThan(80)
    const write = (unit: string, value: number): string => {
      if (unit === 'figure') return ascii.figure(value)
      if (unit.startsWith('fixed ')) return ascii.fixed(value, Number(unit.slice('fixed '.length)))
      return ascii.quantity(unit, value)
    }
    expect(cases.map(({ unit, value }) => `${value} ${unit}: ${write(unit, value)}`)).toEqual(
      cases.map(({ unit, value, text }) => `${value} ${unit}: ${text}`),
    )
    expect(fixed(-1242.5, 0)).toBe('\u22121,243')
  })
  it('writes a time on a clock to the microsecond', () => {
    expect(ascii.quantity('s', 1234.567891)).toBe('1,234.567891 s')
  })
  it('writes small numbers as words', () => {
    expect(inWords(4)).toBe('four')
    expect(inWords(1280)).toBe('1,280')
  })
  it('never prints an exponent, NaN or a double minus', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1e18, noNaN: true }),
        fc.double({ min: 0, max: 1e18, noNaN: true }),
        (a, b) => {
          for (const text of [figure(a), duration(a), size(a), rate(a), change(a, b)])
            expect(text).not.toMatch(/e[+-]|NaN|Infinity|undefined/)
        },
      ),
    )
  })
})
