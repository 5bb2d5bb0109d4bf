import { describe, expect, it } from 'vitest'
import type { DeviceInfo, Distribution, FailureMarks, Grid, Marks, Query, Sizes } from '../../engine/protocol'
import { ns, sector } from '../../lib/units'
import { asShares, latencyBars, lessFirst, sizeBars } from '../histograms/bars'
import { drawDifferences, drawRuns, edgesOf } from '../histograms/draw'
import { emptyWords } from '../histograms/spec'
import { histogramWords } from '../histograms/summary'
import { jointDepth } from '../overlay/spec'
import type { Shown } from '../shared/answers/shown'
import { createRecorder } from '../shared/paint/recorder'
import { differenceData } from './data'
import { differencePixels, drawAmounts, signedScale, stepColour, stepOf } from './draw'
import { mismatch, pairOf } from './pair'
import { subtractGrids, subtractSeries } from './subtract'
import { amountWords, failedWords, mapTable, mapWords, signed } from './summary'

const f64 = (...values: number[]) => Float64Array.from(values)
const grid = (counts: number[], w: number, h: number): Grid => ({
  kind: 'grid',
  w,
  h,
  n: counts.reduce((a, b) => a + b, 0),
  counts: Uint32Array.from(counts),
  cls: new Uint8Array(counts.length),
  max: Math.max(...counts),
})
const none = { kind: 'marks', n: 0 } as Marks
const run = (letter: string, more: object = {}) =>
  ({ id: letter, letter, run: { baseline: false, label: letter, ...more } }) as unknown as Shown
const device = (over: Partial<DeviceInfo> = {}): DeviceInfo => ({
  index: 0,
  dev: '254,0',
  name: 'vda',
  role: 'disk',
  events: 1,
  requests: 1,
  lba: [sector(0), sector(1000)],
  active: [ns(0), ns(1)],
  ...over,
})
const pair = { base: run('A'), other: run('B'), name: 'B \u2212 A' }
const colours = { less: [0, 0, 200], none: [200, 200, 200], more: [200, 0, 0] } as const

const failures: FailureMarks = {
  n: 5,
  at: Float64Array.of(1e9, 2e9),
  took: new Float64Array(2),
  sector: Float64Array.of(100, Number.NaN),
  sectors: Float64Array.of(8, 0),
  errno: Uint32Array.of(5, 5),
  count: Uint32Array.of(4, 1),
  errors: { 5: 'EIO (I/O error)' },
}

describe('failed requests of both runs', () => {
  const found = subtractGrids(grid([1], 1, 1), grid([3], 1, 1), 1, 1)
  const ask = {
    range: { t0: ns(0), t1: ns(4e9) },
    bands: [{ lba0: sector(0), lba1: sector(1000), y0: 0, y1: 1 }],
  } as unknown as Query<'seekMap'>

  it('are in words, in the table and in CSV', () => {
    expect(failedWords(['A', 'B'], [undefined, failures])).toEqual(['B: 5 requests failed: EIO (I/O error).'])
    const table = mapTable(pair, found, [undefined, failures])
    expect(table.columns.map(column => column.label)).toEqual(['run', 'requests', 'failed'])
    expect(table.rows).toEqual([
      ['A', 1, 0],
      ['B', 3, 5],
    ])
    const data = differenceData(pair, { ask, difference: found }, [undefined, failures])
    expect(data.columns.slice(4).map(column => column.label)).toEqual([
      ...['A', 'B', 'B \u2212 A', 'failed A', 'failed B', 'errno'],
    ])
    expect(data.rows).toEqual([
      [0, 4, 0, 1000, 1, 3, 2, '', '', ''],
      [1, 1, 100, 108, '', '', '', '', 4, 5],
      [2, 2, '', '', '', '', '', '', 1, 5],
    ])
  })
  it('leave no trace where nothing failed', () => {
    expect(failedWords(['A', 'B'], [undefined, { ...failures, n: 0 }])).toEqual([])
    expect(mapTable(pair, found, [undefined, undefined]).columns).toHaveLength(2)
    const data = differenceData(pair, { ask, difference: found }, [undefined, undefined])
    expect([data.columns.length, data.rows]).toEqual([7, [[0, 4, 0, 1000, 1, 3, 2]]])
  })
})

describe('which runs are subtracted', () => {
  it('the selected one minus the baseline, else the first other one', () => {
    const [a, b, c] = [run('A'), run('B', { baseline: true }), run('C')]
    expect(pairOf([a, b, c])?.name).toBe('A \u2212 B')
    expect(pairOf([a, b, run('C', { compared: true })])?.name).toBe('C \u2212 B')
    expect(pairOf([a, run('B', { baseline: true, compared: true })])?.name).toBe('A \u2212 B')
    expect(pairOf([a])).toBeUndefined()
  })
  it('explains why sectors of two devices are not comparable', () => {
    const said = (base: Partial<DeviceInfo>, other: Partial<DeviceInfo>) =>
      mismatch(['A', device(base)], ['B', device(other)])
    expect(said({}, {})).toBeUndefined()
    // Another name, but the same sectors; and the same name, wherever its requests fall.
    expect(said({}, { name: 'sda', dev: '8,0', lba: [sector(100), sector(1000)] })).toBeUndefined()
    expect(said({}, { lba: [sector(5000), sector(9000)] })).toBeUndefined()
    expect(said({}, { name: 'sda', dev: '8,0', lba: [sector(0), sector(4000)] })).toContain(
      'A has requests in sectors 0 to 1,000, B in 0 to 4,000',
    )
    expect(said({ name: 'md0', dev: '9,0', role: 'stacked' }, {})).toBe(
      'A shows md0, B shows vda. md0 is an array, vda is a disk: their sectors are not comparable.',
    )
  })
})

describe('the difference of two grids', () => {
  const found = subtractGrids(grid([1, 0, 4, 2], 2, 2), grid([1, 3, 0, 0], 2, 2), 2, 2)
  it('is cell by cell, and turns round with the runs', () => {
    expect([...found.changes]).toEqual([0, 3, -4, -2])
    expect(found).toMatchObject({ most: 4, n: [7, 4] })
    const back = subtractGrids(grid([1, 3, 0, 0], 2, 2), grid([1, 0, 4, 2], 2, 2), 2, 2)
    expect([...back.changes].map(v => v + 0)).toEqual([...found.changes].map(v => 0 - v))
  })
  it('takes a run without a request in view as zeros', () =>
    expect([...subtractGrids(none, grid([1, 3, 0, 0], 2, 2), 2, 2).changes]).toEqual([1, 3, 0, 0]))
  it('is painted around a neutral middle, clear where neither has a request', () => {
    const pixels = differencePixels(subtractGrids(grid([1, 0, 4, 0], 2, 2), grid([1, 0, 0, 9], 2, 2), 2, 2), 1, colours)
    const pixelAt = (x: number, y: number) => [...pixels.subarray((y * 2 + x) * 4, (y * 2 + x) * 4 + 4)]
    expect(pixelAt(0, 0)).toEqual([200, 200, 200, 255])
    expect(pixelAt(0, 1)).toEqual([0, 0, 0, 0])
    expect(pixelAt(1, 1)).toEqual([200, 0, 0, 255])
    expect(pixelAt(1, 0)[2]).toBe(200)
    expect(pixelAt(1, 0)[0]).toBeLessThan(150)
  })
  it('has as many steps on either side', () => {
    expect([stepOf(-9, 9), stepOf(-1, 9), stepOf(0, 9), stepOf(1, 9), stepOf(9, 9)]).toEqual([-5, -1, 0, 1, 5])
    expect(stepColour(-5, colours)).toEqual([0, 0, 200])
  })
  it('is summarized in words', () =>
    expect(mapWords(pair, found)).toBe(
      'Seek map of B minus A: 4 requests minus 7. Cells with more requests in B: 1, in A: 2, equal: 1. Largest difference: 4 per cell.',
    ))
})

describe('amounts over time', () => {
  const amounts = { range: { t0: ns(0), t1: ns(4) }, values: subtractSeries(f64(1, 2, 3, 3), f64(2, 2, 1, 0)) }
  it('are above zero where the other run has more', () => {
    expect([...amounts.values]).toEqual([1, 0, -2, -3])
    const surface = createRecorder()
    drawAmounts(surface, amounts, {
      range: amounts.range,
      width: 40,
      y: signedScale(3, 104),
      less: 'blue',
      more: 'red',
    })
    const bars = surface.calls.filter(c => c.name === 'fillRect').map(c => [c.fill, ...c.args.map(Math.round)])
    expect(bars).toEqual([
      ['red', 0, 35, 10, 17],
      ['blue', 20, 52, 10, 33],
      ['blue', 30, 52, 10, 50],
    ])
  })
  it('are summarized by mean and extremes', () =>
    expect(amountWords(jointDepth, pair, amounts)).toBe(
      'Queue depth of B minus A: \u22121 requests on average over the visible range, from \u22123 to +1.',
    ))
  it('have a sign', () => expect([signed(1280), signed(-0.12345), signed(0)]).toEqual(['+1,280', '\u22120.123', '0']))
})

describe('histograms of several runs', () => {
  const sizes = (sectors: number[], reads: number[]): Sizes => ({
    sectors: Float64Array.from(sectors),
    reads: Float64Array.from(reads),
    writes: new Float64Array(sectors.length),
    discards: new Float64Array(sectors.length),
  })
  const bars = sizeBars([sizes([0, 8, 16], [5, 30, 10]), sizes([8, 512], [10, 10])])
  it('have one bar for every size of any run; flushes are no size', () => {
    expect(bars.map(b => [b.label, ...b.values])).toEqual([
      ['4 KiB', 30, 10],
      ['8 KiB', 10, 0],
      ['256 KiB', 0, 10],
    ])
    expect(asShares(bars).map(b => b.values)).toEqual([
      [75, 50],
      [25, 0],
      [0, 50],
    ])
    expect(lessFirst(asShares(bars)).map(b => b.values[0])).toEqual([-25, -25, 50])
    expect(histogramWords('Request size', [pair.base, pair.other], bars, pair)).toEqual([
      'Request size of B minus A: largest differences in percentage points: 256 KiB +50, 4 KiB \u221225, 8 KiB \u221225.',
    ])
  })
  it('join the buckets of latencies by their edges', () => {
    const distribution = (edges: number[], counts: number[]) =>
      ({ edges: Float64Array.from(edges), counts: Float64Array.from(counts) }) as unknown as Distribution
    const found = latencyBars([distribution([100, 200, 400], [1, 2, 0]), distribution([200, 400, 800], [4, 8, 0])])
    expect(found.map(b => [b.low, b.high, ...b.values])).toEqual([
      [100, 200, 1, 0],
      [200, 400, 2, 4],
      [400, 800, 0, 8],
    ])
  })
  it('become a sentence where a picture would show nothing', () => {
    const shown = [pair.base, pair.other]
    const single = sizeBars([sizes([8], [3]), sizes([8], [9])])
    expect(emptyWords(shown, single, lessFirst(single), true, pair)).toBe('All requests are 4 KiB in both runs.')
    const same = sizeBars([sizes([8, 16], [3, 3]), sizes([8, 16], [3, 3])])
    expect(emptyWords(shown, same, lessFirst(same), true, pair)).toBe('The same in both runs.')
    expect(emptyWords(shown, same, same, true, undefined)).toBeUndefined()
    expect(emptyWords(shown, [], [], false, undefined)).toBe('Not read yet.')
  })
  it('draw bars side by side without overlap, and differences on both sides of zero', () => {
    const axis = { width: 216, low: 8, high: 512 }
    const edges = edgesOf(bars, axis)
    for (const [i, [left]] of edges.slice(1).entries()) expect(left).toBeGreaterThan(edges[i]?.[1] ?? 0)
    const surface = createRecorder()
    drawRuns(surface, bars, { axis, y: v => 100 - v, colours: ['a', 'b'], dashes: [[], []] })
    expect(surface.calls.filter(c => c.name === 'fillRect').map(c => [c.fill, Math.round(c.args[3] ?? 0)])).toEqual([
      ['a', 30],
      ['a', 10],
      ['b', 10],
      ['b', 10],
    ])
    const signs = createRecorder()
    drawDifferences(signs, lessFirst(bars), { axis, y: signedScale(20, 104), less: 'less', more: 'more' })
    expect(signs.calls.filter(c => c.name === 'fillRect').map(c => c.fill)).toEqual(['less', 'less', 'more'])
  })
})
