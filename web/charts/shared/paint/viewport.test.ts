import { describe, expect, it } from 'vitest'
import { ns } from '../../../lib/units'
import { between, binsOver, roundUp, timeAt, xOf, zoomSpan } from './viewport'

const range = { t0: ns(1e9), t1: ns(9e9) }

describe('time and pixels', () => {
  it('maps both ways to the same place', () => {
    const x = xOf(range, 532)
    expect(x(1e9)).toBe(0)
    expect(x(9e9)).toBe(532)
    expect(timeAt(range, 532, x(3.3e9))).toBeCloseTo(3.3e9, 3)
  })
  it('orders a drag to the left', () => expect(between(5, 2)).toEqual({ t0: 2, t1: 5 }))
})

describe('bins', () => {
  it('are round and at least as wide as asked', () => {
    expect(roundUp(30)).toBe(30)
    expect(roundUp(31.7)).toBe(40)
    expect(roundUp(0.7e6)).toBe(0.8e6)
    expect(binsOver({ t0: ns(0), t1: ns(8e9) }, 532, 2).bin).toBe(30e6)
  })
  it('keep their edges while the view pans within a bin', () => {
    const a = binsOver({ t0: ns(100e6), t1: ns(8095e6) }, 532, 2)
    const b = binsOver({ t0: ns(101e6), t1: ns(8096e6) }, 532, 2)
    expect(b).toEqual(a)
    expect(a.range.t0 % a.bin).toBe(0)
    expect(a.range.t0).toBeLessThanOrEqual(100e6)
    expect(a.range.t1).toBeGreaterThanOrEqual(8095e6)
    expect((a.range.t1 - a.range.t0) / a.n).toBeCloseTo(a.bin, 6)
  })
})

describe('grouped bins', () => {
  it('begin at a whole group, so that coarse bins keep their edges too', () => {
    const { range: r, n, bin } = binsOver({ t0: ns(100e6), t1: ns(8095e6) }, 532, 2, 3)
    expect(r.t0 % (3 * bin)).toBe(0)
    expect(n % 3).toBe(0)
  })
})

describe('zoom of sectors', () => {
  it('keeps the sector under the pointer, and stays inside the whole', () => {
    const [low, high] = zoomSpan([0, 1000], 250, 2, [0, 1000], 8)
    expect([low, high]).toEqual([125, 625])
    expect(zoomSpan([0, 1000], 0, 0.5, [0, 1000], 8)).toEqual([0, 1000])
    const [a, b] = zoomSpan([100, 110], 105, 100, [0, 1000], 8)
    expect(b - a).toBe(8)
  })
})
