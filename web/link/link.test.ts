import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DAMAGED } from '../../tests/links'
import { ALIGNMENT_CLASSES, FLAGS, OPS } from '../engine/protocol'
import { LEVELS } from '../lib/geometry'
import { ns, sector } from '../lib/units'
import { anyAnnotation } from './annotations.testing'
import { decodeLink, encodeLink, type Link } from './link'
import { LAYOUTS, SIZES_AT } from './view'
import { headline } from './words'

const ordered = (max: number) =>
  fc.tuple(fc.integer({ min: 0, max }), fc.integer({ min: 1, max })).map(([a, d]) => [a, a + d] as const)
const geometry = fc.record({
  level: fc.constantFrom(...LEVELS),
  unit: fc.integer({ min: 1, max: 1 << 20 }).map(sector),
  dataDisks: fc.integer({ min: 1, max: 64 }),
  start: fc.nat().map(sector),
})
const name = fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' })
const byLetter = fc.dictionary(fc.constantFrom('A', 'B', 'T'), name, { minKeys: 1, noNullPrototype: true })
const url = fc.webUrl({ withQueryParameters: true, withFragments: true }).map(text => new URL(text).href)
const sha = fc.stringMatching(/^[0-9a-f]{64}$/)
const link: fc.Arbitrary<Link> = fc.record(
  {
    range: ordered(2 ** 52).map(([a, b]) => ({ t0: ns(a), t1: ns(b) })),
    lba: ordered(999_999_999_999_99).map(([a, b]) => [sector(a), sector(b)] as const),
    layer: fc.constantFrom('density', 'op', 'alignment', 'process', 'size', 'latency', 'sync', 'object'),
    stage: fc.constantFrom('q2c', 'd2c', 'q2d'),
    layout: fc.constantFrom(...LAYOUTS),
    matrix: fc
      .record(
        {
          table: fc.integer({ min: 0, max: 63 }),
          figure: fc.constantFrom('iops', 'bench.dd.rate'),
          rows: fc.uniqueArray(fc.constantFrom('kernel', 'part-1', 'idle'), { maxLength: 3 }),
          columns: fc.uniqueArray(fc.constantFrom('writers', 'label'), { maxLength: 2 }),
          base: fc.oneof(
            fc.constant('none' as const),
            fc.record({
              axis: fc.constantFrom('row' as const, 'column' as const),
              key: fc.constantFrom('', 'bfq\u0001idle0', 'a:b'),
            }),
          ),
          picture: fc.constantFrom('bars', 'threads', 'block-size'),
          show: fc.constantFrom('table', 'chart', 'matrix', 'text'),
          leftOut: fc.constantFrom(['mq-deadline'], ['6.1, rc2', 'a:b']),
          hidden: fc.constantFrom(['bench.fio.read.clat_p99', 'bench.x.y']),
          cumulative: fc.constant(true as const),
        },
        { requiredKeys: [], noNullPrototype: true },
      )
      .filter(matrix => Object.keys(matrix).length > 0),
    align: fc.constantFrom('io', 'clock', 'hand'),
    shifts: fc.dictionary(fc.constantFrom('A', 'B', 'T'), fc.nat(2 ** 40).map(ns), {
      minKeys: 1,
      noNullPrototype: true,
    }),
    trueScale: fc.constant(true as const),
    hidden: fc
      .record({
        ops: fc.uniqueArray(fc.constantFrom(...OPS)),
        flags: fc.uniqueArray(fc.constantFrom(...FLAGS)),
        processes: fc.uniqueArray(name),
        cpus: fc.uniqueArray(fc.nat(4095)),
        alignment: fc.uniqueArray(fc.constantFrom(...ALIGNMENT_CLASSES)),
        objects: fc.uniqueArray(name),
        writers: fc.uniqueArray(name),
      })
      .filter(h => Object.values(h).some(l => l.length > 0)),
    functions: fc.array(name, { minLength: 1, maxLength: 9 }),
    latency: ordered(2 ** 40).map(([a, b]) => [ns(a), ns(b)] as const),
    geometry: fc.oneof(geometry, fc.constant('none' as const)),
    geometryOf: fc.dictionary(fc.constantFrom('A', 'B', 'T'), fc.oneof(geometry, fc.constant('none' as const)), {
      minKeys: 1,
      noNullPrototype: true,
    }),
    device: name,
    order: fc.array(
      fc.oneof(
        fc.record({ trace: fc.integer({ min: 1, max: 20 }) }),
        fc.record({ trace: fc.integer({ min: 1, max: 20 }), device: name }),
      ),
      { minLength: 1, maxLength: 20 },
    ),
    baseline: fc.constantFrom('B', 'T'),
    compared: fc.constantFrom('B', 'T'),
    off: fc.uniqueArray(fc.constantFrom('A', 'C', 'T'), { minLength: 1 }),
    labels: byLetter,
    groups: byLetter,
    devices: byLetter,
    listed: fc.constantFrom('A', 'T'),
    parts: fc.uniqueArray(fc.record({ key: fc.constantFrom('kernel', 'part-1', 'x.y'), name }), {
      maxLength: 3,
      selector: part => part.key,
    }),
    cells: fc.dictionary(
      fc.constantFrom('A', 'B', 'T'),
      fc.dictionary(fc.constantFrom('kernel', 'part-1', 'x.y'), name, { minKeys: 1, noNullPrototype: true }),
      { minKeys: 1, noNullPrototype: true },
    ),
    finding: fc.integer({ min: 1, max: 9999 }),
    evidence: fc.integer({ min: 1, max: 9999 }),
    annotations: fc.array(anyAnnotation, { minLength: 1, maxLength: 5 }),
    sizesAt: fc.constantFrom(...SIZES_AT),
    bars: fc.constant('requests' as const),
    rate: fc.constant('ios' as const),
    sums: fc.array(fc.record({ trace: fc.integer({ min: 1, max: 20 }), sum: fc.stringMatching(/^[0-9a-f]{64}$/) }), {
      minLength: 1,
      maxLength: 20,
    }),
    urls: fc.array(fc.oneof(fc.record({ url }), fc.record({ url, sha })), { minLength: 1, maxLength: 20 }),
    gone: fc.uniqueArray(fc.integer({ min: 1, max: 20 }), { minLength: 1 }),
    windows: fc.array(
      fc.record(
        {
          trace: fc.integer({ min: 1, max: 20 }),
          window: fc.oneof(
            fc.nat(2 ** 40).map(from => ({ from_ns: ns(from) })),
            ordered(2 ** 50).map(([a, b]) => ({ from_ns: ns(a), to_ns: ns(b) })),
          ),
        },
        { requiredKeys: ['window'] },
      ),
      { minLength: 1, maxLength: 20 },
    ),
    sample: name,
    title: name,
  },
  { requiredKeys: [] },
)

/** As they stand in mails. */
const CANONICAL = [
  'v=1',
  'v=1&sample=idling&t=0.5..2.25&finding=2',
  'v=1&url=https%3A%2F%2Fexample.org%2Fa.tar%3Fx%3D1%26y%3D2&sha=0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef&url=https%3A%2F%2Fexample.org%2Fb.tar&opened=1,1&gone=2&win=1:0..12.5&win=10..',
  'v=1&run=2&run=1:vda&base=B&diff=A&off=C&list=B&label.A=6.1&group.A=old&group.B=old&dev=vda',
  'v=1&part=kernel:Kernel&part=part-1:idle%20ms&cell.A=kernel:6.1&cell.B=kernel:6.12&cell.B=part-1:8',
  'v=1&part=-',
  'v=1&list=B&layout=events&events=op:write%20sector:1..2',
  'v=1&sizes=completed&bars=requests&rate=ios&scale=true&lat=0.001..2&geo=none&hide=op:read&hide=process:dd%20254,1',
]

describe('the view in the address bar', () => {
  it('reads back whatever it writes', () => {
    fc.assert(
      fc.property(link, l => {
        expect(decodeLink(`#${encodeLink(l)}`)).toEqual({ link: l, problems: [] })
      }),
    )
  })
  it('survives the browser: the fragment of a URL', () => {
    fc.assert(
      fc.property(link, l => {
        const url = new URL('https://example.org/seekscope/')
        url.hash = encodeLink(l)
        expect(decodeLink(url.hash)).toEqual({ link: l, problems: [] })
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
  it('is written the same when it was read', () => {
    fc.assert(
      fc.property(link, l => {
        const text = encodeLink(l)
        expect(encodeLink(decodeLink(text).link)).toBe(text)
      }),
    )
  })
  it.each(CANONICAL)('reads and writes %s', text => {
    const { link: l, problems } = decodeLink(`#${text}`)
    expect(problems).toEqual([])
    expect(encodeLink(l)).toBe(text)
  })
  it('holds presigned addresses as they are', () => {
    const presigned =
      'https://b.s3.amazonaws.com/a%20b/t.tar?X-Amz-Credential=AK%2F2026&X-Amz-Signature=a%2Bb%3D%3D&x=1#part'
    const complete = '0123456789abcdef'.repeat(4)
    const text = encodeLink({ urls: [{ url: presigned, sha: complete }], title: 'a&url=b' })
    expect(text.split('&')).toHaveLength(4)
    expect(decodeLink(text).link.urls).toEqual([{ url: presigned, sha: complete }])
  })
  it('does not take a part of a checksum for one', () => {
    const { link, problems } = decodeLink('v=1&url=https%3A%2F%2Fexample.org%2Fa.tar&sha=0123456789abcdef')
    expect(link.urls).toEqual([{ url: 'https://example.org/a.tar' }])
    expect(problems.map(({ key }) => key)).toEqual(['sha'])
  })
  it('reads anything without an exception', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), s => {
        expect(() => decodeLink(s)).not.toThrow()
        expect(() =>
          decodeLink(`v=1&t=${s}&geo=${s}&hide=${s}&url=${s}&sha=${s}&cell.A=${s}&part=${s}&run=${s}`),
        ).not.toThrow()
      }),
    )
  })
})

describe('versions', () => {
  const newer = decodeLink('#v=2&t=1..2&layer=op&from-the-future=x')
  it('says that a link was made by a newer Seekscope, and reads what it knows', () => {
    expect(newer.link).toEqual({ range: { t0: ns(1e9), t1: ns(2e9) }, layer: 'op' })
    expect(newer.problems).toHaveLength(1)
    expect(headline(newer.problems)).toContain('made by a newer Seekscope')
  })
  it('says that a link has no version, or one that never was', () => {
    for (const fragment of ['#layer=op', '#v=0&layer=op', '#v=one&layer=op']) {
      const { link, problems } = decodeLink(fragment)
      expect(link).toEqual({ layer: 'op' })
      expect(problems).toMatchObject([{ key: 'v', why: expect.stringContaining('no version') }])
    }
  })
})

describe('damaged links', () => {
  it('are many', () => expect(DAMAGED.length).toBeGreaterThanOrEqual(40))
  it.each(DAMAGED)('$fragment', ({ fragment, expected: remaining, lost }) => {
    const { link: l, problems } = decodeLink(fragment)
    expect(l).toEqual(remaining)
    expect(problems.map(problem => problem.key)).toEqual(lost)
    if (lost.length > 0) expect(headline(problems)).toMatch(/\.$/)
  })
})
