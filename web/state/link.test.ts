import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ALIGNMENT_CLASSES, FLAGS, OPS } from '../engine/protocol'
import { LEVELS } from '../lib/geometry'
import { ns, sector } from '../lib/units'
import { decodeLink, encodeLink, type Link } from './link'
import { LAYOUTS } from './types'

const ordered = (max: number) => fc.tuple(fc.integer({ min: 0, max }), fc.integer({ min: 1, max })).map(([a, d]) => [a, a + d] as const)
const geometry = fc.record({
  level: fc.constantFrom(...LEVELS),
  unit: fc.integer({ min: 1, max: 1 << 20 }).map(sector),
  dataDisks: fc.integer({ min: 1, max: 64 }),
  start: fc.nat().map(sector),
})
const name = fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' })
const byLetter = fc.dictionary(fc.constantFrom('A', 'B', 'T'), name, { minKeys: 1, noNullPrototype: true })
const link: fc.Arbitrary<Link> = fc.record(
  {
    range: ordered(2 ** 52).map(([a, b]) => ({ t0: ns(a), t1: ns(b) })),
    lba: ordered(999_999_999_999_99).map(([a, b]) => [sector(a), sector(b)] as const),
    layer: fc.constantFrom('density', 'op', 'alignment', 'process', 'size', 'latency', 'sync'),
    stage: fc.constantFrom('q2c', 'd2c', 'q2d'),
    layout: fc.constantFrom(...LAYOUTS),
    matrix: fc
      .record(
        {
          figure: fc.constantFrom('iops', 'bench.dd.rate'),
          rows: fc.uniqueArray(fc.constantFrom('kernel', 'part-1', 'idle'), { maxLength: 3 }),
          columns: fc.uniqueArray(fc.constantFrom('writers', 'label'), { maxLength: 2 }),
          base: fc.oneof(
            fc.constant('none' as const),
            fc.record({ axis: fc.constantFrom('row' as const, 'column' as const), key: fc.constantFrom('', 'bfq\u0001idle0', 'a:b') }),
          ),
        },
        { requiredKeys: [], noNullPrototype: true },
      )
      .filter(matrix => Object.keys(matrix).length > 0),
    align: fc.constantFrom('io', 'clock', 'hand'),
    shifts: fc.dictionary(fc.constantFrom('A', 'B', 'T'), fc.nat(2 ** 40).map(ns), { minKeys: 1, noNullPrototype: true }),
    trueScale: fc.constant(true as const),
    hidden: fc
      .record({
        ops: fc.uniqueArray(fc.constantFrom(...OPS)),
        flags: fc.uniqueArray(fc.constantFrom(...FLAGS)),
        processes: fc.uniqueArray(name),
        cpus: fc.uniqueArray(fc.nat(4095)),
        alignment: fc.uniqueArray(fc.constantFrom(...ALIGNMENT_CLASSES)),
      })
      .filter(h => Object.values(h).some(l => l.length > 0)),
    latency: ordered(2 ** 40).map(([a, b]) => [ns(a), ns(b)] as const),
    geometry: fc.oneof(geometry, fc.constant('none' as const)),
    geometryOf: fc.dictionary(fc.constantFrom('A', 'B', 'T'), fc.oneof(geometry, fc.constant('none' as const)), {
      minKeys: 1,
      noNullPrototype: true,
    }),
    device: name,
    order: fc.array(
      fc.oneof(fc.record({ trace: fc.integer({ min: 1, max: 20 }) }), fc.record({ trace: fc.integer({ min: 1, max: 20 }), device: name })),
      { minLength: 1, maxLength: 20 },
    ),
    baseline: fc.constantFrom('B', 'T'),
    compared: fc.constantFrom('B', 'T'),
    off: fc.uniqueArray(fc.constantFrom('A', 'C', 'T'), { minLength: 1 }),
    labels: byLetter,
    groups: byLetter,
    devices: byLetter,
    sample: name,
    title: name,
  },
  { requiredKeys: [] },
)

describe('the view in the address bar', () => {
  it('reads back whatever it writes', () => {
    fc.assert(
      fc.property(link, l => {
        expect(decodeLink(`#${encodeLink(l)}`)).toEqual(l)
      }),
    )
  })
  it('survives the browser: the fragment of a URL', () => {
    fc.assert(
      fc.property(link, l => {
        const url = new URL('https://example.org/seekscope/')
        url.hash = encodeLink(l)
        expect(decodeLink(url.hash)).toEqual(l)
      }),
    )
  })
  it('is readable', () => {
    const text = encodeLink({
      range: { t0: ns(5e8), t1: ns(2_250_000_001) },
      geometry: { level: 'raid5', unit: sector(512), dataDisks: 4, start: sector(0) },
      sample: 'raid5',
    })
    expect(text).toBe('v=1&sample=raid5&t=0.5..2.250000001&geo=unit=256KiB,disks=4,start=0s,level=raid5')
  })
  it('leaves out what is broken and keeps the rest', () => {
    expect(decodeLink('#v=1&t=5..2&layer=op&lba=x..y&geo=unit=0&hide=op:nonsense&stage=d2c&geo.Z=none')).toEqual({ layer: 'op', stage: 'd2c' })
  })
  it('reads nothing from another version or from noise', () => {
    expect(decodeLink('#v=2&t=1..2')).toEqual({})
    fc.assert(
      fc.property(fc.string(), s => {
        expect(() => decodeLink(s)).not.toThrow()
      }),
    )
    fc.assert(
      fc.property(fc.string(), s => {
        expect(() => decodeLink(`v=1&t=${s}&geo=${s}&hide=${s}`)).not.toThrow()
      }),
    )
  })
})
