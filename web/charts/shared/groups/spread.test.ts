import { describe, expect, it } from 'vitest'
import type { DepthSeries, RateSeries } from '../../../engine/protocol'
import { ns } from '../../../lib/units'
import { rangeInWords } from './sides'
import { coversOf, depthSpread, medianOf, rateSpread, spreadOf } from './spread'

const always = () => true
const list = (...values: number[]) => Float64Array.from(values)

describe('runs of a group per bin', () => {
  it('have their middle value, or the mean of the two middle ones', () => {
    expect(medianOf([3, 1, 2])).toBe(2)
    expect(medianOf([4, 1, 2, 3])).toBe(2.5)
    expect(medianOf([7])).toBe(7)
  })

  it('have a median between the least and the most of them', () => {
    const spread = spreadOf([list(1, 5), list(3, 4), list(2, 9)], always)
    expect([...spread.median]).toEqual([2, 5])
    expect([...spread.least]).toEqual([1, 4])
    expect([...spread.most]).toEqual([3, 9])
  })

  it('count only where they were recorded', () => {
    const runs = [
      { begin: ns(0), end: ns(20) },
      { begin: ns(0), end: ns(10) },
      { begin: ns(12), end: ns(30) },
    ]
    const covers = coversOf(runs, { range: { t0: ns(0), t1: ns(40) }, n: 4 })
    expect(runs.map((_, r) => [0, 1, 2, 3].filter(bin => covers(r, bin)))).toEqual([[0, 1], [0], [1, 2]])
    const spread = spreadOf([list(4, 4, 0, 0), list(2, 0, 0, 0), list(0, 8, 6, 0)], covers)
    expect([...spread.median]).toEqual([3, 6, 6, 0])
    expect([...spread.least]).toEqual([2, 4, 6, 0])
  })

  it('keep the median of depth with the range of the means', () => {
    const series = (mean: number, waitMax: number): DepthSeries => ({
      mean: list(mean),
      min: list(0),
      max: list(99),
      waitMean: list(mean / 2),
      waitMax: list(waitMax),
      starved: list(0),
    })
    const depth = depthSpread([series(4, 3), series(2, 7), series(6, 5)], always)
    expect([depth?.mean[0], depth?.min[0], depth?.max[0], depth?.waitMean[0], depth?.waitMax[0]]).toEqual([
      4, 2, 6, 2, 7,
    ])
    expect(depthSpread([], always)).toBeUndefined()
  })

  it('have a band for each rate', () => {
    const series = (bytes: number): RateSeries => ({
      readBytes: list(bytes),
      writeBytes: list(0),
      discardBytes: list(0),
      readIos: list(bytes / 4),
      writeIos: list(0),
      discardIos: list(0),
    })
    const rates = rateSpread([series(8), series(40), series(4)], always)
    expect([rates.readBytes[0], rates.least.readBytes[0], rates.most.readBytes[0]]).toEqual([8, 4, 40])
    expect(rates.most.readIos[0]).toBe(10)
  })
})

describe('a range in words', () => {
  it('says the unit of both ends once', () => {
    expect(rangeInWords('1.32 MB/s', '1.35 MB/s')).toBe('1.32\u20131.35 MB/s')
    expect(rangeInWords('900 kB/s', '1.35 MB/s')).toBe('900 kB/s\u20131.35 MB/s')
    expect(rangeInWords('15.2', '15.6')).toBe('15.2\u201315.6')
  })
})
