/** Painting of the other charts. */
import { describe, expect, it } from 'vitest'
import { ns } from '../lib/units'
import { drawPositions, drawShares } from './alignment/draw'
import { drawHeat } from './latency/draw'
import { drawLine, endPoint, lastBin } from './overlay/draw'
import { crossing, drawBand, latencyAt, percentileX, upToLongest } from './percentiles/draw'
import { coarse, type DepthScene, drawDepth, drawIntervals, drawStrip, drawWash } from './queue-depth/draw'
import { barWidth, drawSizes, type SizeScene, sizeX } from './request-sizes/draw'
import { drawMean } from './shared/paint/mean'
import { createRecorder } from './shared/paint/recorder'
import { drawBar, place } from './stages/draw'
import { cutOf, segmentsOf } from './stages/segments'
import { drawSteps } from './throughput/draw'

const range = { t0: ns(0), t1: ns(100) }
const f64 = (...values: number[]) => Float64Array.from(values)

const depthScene: DepthScene = {
  range,
  width: 100,
  height: 112,
  begin: 0,
  end: 75,
  y: d => 112 - d * 25,
  colours: { line: 'line', band: 'band', waiting: 'waiting', starved: 'starved', edge: 'edge', wash: 0.6 },
}

describe('intervals', () => {
  it('of a percentile curve end where there is none or they are open', () => {
    const surface = createRecorder()
    const none = Number.NaN
    const band = { p: f64(0.1, 0.5, 0.9, 0.99), low: f64(10, 20, 30, none), high: f64(20, 40, none, none), colour: 'a' }
    drawBand(surface, band, { width: 200, height: 100, nines: 2, y: ns => 100 - ns })
    expect(surface.calls.filter(c => c.name === 'fill')).toHaveLength(1)
    const points = surface.calls.filter(c => c.name === 'moveTo' || c.name === 'lineTo').map(c => c.args[1])
    expect(points).toEqual([90, 80, 60, 80])
  })
  it('of a mean is a band around its line', () => {
    const surface = createRecorder()
    drawMean(surface, { mean: 2, interval: [1, 4], colour: 'a' }, { left: 0, right: 100, y: v => 100 - v * 10 })
    expect(surface.filled('a')).toEqual([[0, 60, 100, 30]])
    const open = createRecorder()
    drawMean(open, { mean: 2, interval: [1, null], colour: 'a' }, { left: 0, right: 100, y: v => 100 - v * 10 })
    expect(open.filled('a')).toEqual([[0, 0, 100, 90]])
    const alone = createRecorder()
    drawMean(alone, { mean: 2, interval: undefined, colour: 'a' }, { left: 0, right: 100, y: v => 100 - v * 10 })
    expect(alone.filled('a')).toEqual([])
    expect(alone.calls.filter(c => c.name === 'stroke')).toHaveLength(1)
  })
})

describe('queue depth', () => {
  const series = {
    mean: f64(1, 2, 3, 4),
    min: f64(0, 1, 2, 3),
    max: f64(2, 3, 4, 4),
    waitMean: f64(0, 1, 1, 0),
    waitMax: f64(0, 1, 1, 0),
    starved: f64(0, 0.25, 1, 1),
  }
  it('draws nothing past the end of the run', () => {
    const surface = createRecorder()
    drawDepth(surface, { range, n: 4, series }, depthScene)
    const xs = surface.calls.filter(c => c.name === 'rect').map(c => (c.args[0] ?? 0) + (c.args[2] ?? 0))
    expect(xs).toEqual([25, 50, 75])
  })
  it('dashes waiting, not the line in flight', () => {
    const surface = createRecorder()
    drawDepth(surface, { range, n: 4, series }, depthScene)
    expect(surface.calls.filter(c => c.name === 'stroke').map(c => [c.stroke, c.dash.length > 0])).toEqual([
      ['waiting', true],
      ['line', false],
    ])
  })
  it('washes by share, at most as strong as the theme allows', () => {
    const surface = createRecorder()
    drawWash(surface, { range, n: 4, series: series.starved }, depthScene)
    expect(surface.calls.filter(c => c.name === 'fillRect').map(c => c.alpha)).toEqual([0.3, 0.6])
  })
  it('draws exact intervals at least a pixel wide', () => {
    const surface = createRecorder()
    drawIntervals(surface, f64(10, 10.2, 50, 60), depthScene)
    expect(surface.filled('starved').map(r => r[2])).toEqual([1, 10])
  })
  it('tops the strip at 50 %, never without an edge', () => {
    const surface = createRecorder()
    drawStrip(surface, { range, n: 4, series: series.starved }, { ...depthScene, height: 144 }, 123, 0.5)
    expect(surface.filled('starved').map(r => r[3])).toEqual([10.5, 21])
    expect(surface.filled('edge')).toHaveLength(2)
  })
  it('averages fine bins into coarse ones', () => expect([...coarse(f64(1, 0, 0.5, 1), 3)]).toEqual([0.5, 1]))
})

describe('throughput', () => {
  it('steps from zero to zero, and dots the mean', () => {
    const surface = createRecorder()
    const steps = { range, values: f64(1, 2), colour: 'ink', dash: [], area: 'soft', mean: 1.5 }
    drawSteps(surface, steps, { range, width: 100, begin: 0, end: 100, y: v => 64 - v * 20 })
    const points = surface.calls.filter(c => c.name === 'lineTo' || c.name === 'moveTo').map(c => c.args)
    expect(points.slice(0, 6)).toEqual([
      [0, 64],
      [0, 44],
      [50, 44],
      [50, 24],
      [100, 24],
      [100, 64],
    ])
    expect(surface.calls.at(-1)?.dash.length).toBeGreaterThan(0)
  })
})

describe('latency map', () => {
  it('puts high latencies on top and marks a lone request of the tail', () => {
    const surface = createRecorder()
    const counts = new Uint32Array(4)
    counts[0] = 1 // column 0, top row
    counts[3] = 9 // column 1, bottom row
    const grid = { range, low: 1, high: 100, w: 2, h: 2, counts }
    drawHeat(surface, grid, {
      range,
      width: 100,
      height: 132,
      end: 100,
      y: v => 132 - (Math.log10(v) / 2) * 132,
      max: 9,
      steps: ['1', '2', '3', '4', '5'],
      levels: [10],
      tail: 5,
      mark: 'mark',
      line: 'ink',
    })
    expect(surface.filled('mark')[0]?.[1]).toBeLessThan(66)
    const [x, y, w, h] = surface.filled('5')[0] ?? []
    expect([x, w]).toEqual([50, 50])
    expect(y).toBeCloseTo(66)
    expect(h).toBeCloseTo(66)
  })
})

describe('percentiles', () => {
  const p = f64(0, 0.5, 0.9, 0.99, 0.999)
  it('give each further nine the same width', () => {
    const scene = { width: 300, nines: 3 }
    expect(percentileX(0, scene)).toBeCloseTo(0)
    expect(percentileX(0.9, scene)).toBeCloseTo(100)
    expect(percentileX(0.999, scene)).toBeCloseTo(300)
  })
  it('find the one point where curves cross', () => {
    const a = { p, ns: f64(5, 7, 9, 10, 11) }
    const b = { p, ns: f64(3, 4, 5, 300, 800) }
    const cross = crossing(a, b, 3)
    expect(cross?.faster).toBe(1)
    expect(cross?.p).toBeGreaterThan(0.9)
    expect(cross?.p).toBeLessThan(0.99)
    expect(cross && latencyAt(b, cross.p)).toBeCloseTo(cross?.ns ?? 0, 3)
    expect(cross?.beyond).toBeGreaterThan(20)
  })
  it('end at the longest request', () => {
    const curve = upToLongest({ p, ns: f64(5, 7, 9, 10, 11), n: 50, max: ns(42) })
    expect([...curve.p]).toEqual([0, 0.5, 0.9, 0.98])
    expect(curve.ns.at(-1)).toBe(42)
  })
  it('have no crossing when one is faster throughout', () =>
    expect(crossing({ p, ns: f64(1, 2, 3, 4, 5) }, { p, ns: f64(2, 4, 6, 8, 10) }, 3)).toBeUndefined())
})

describe('stages', () => {
  const all = [
    { stage: 'q2c', n: 9, mean: 20, median: 1 },
    { stage: 'q2d', n: 9, mean: 15, median: 1 },
    { stage: 'd2c', n: 9, mean: 5, median: 1 },
  ] as never
  const stageTime = (stage: string) => ({ stage, n: 3, mean: 9, median: 9 })
  it('use the finest cut that every run has', () => {
    expect(cutOf([all])).toEqual(['q2d', 'd2c'])
    const full = ['q2g', 'g2i', 'i2d', 'g2d', 'd2c'].map(stageTime) as never
    const direct = ['q2g', 'g2d', 'd2c'].map(stageTime) as never
    expect(cutOf([full, full])).toEqual(['q2g', 'g2i', 'i2d', 'd2c'])
    expect(cutOf([full, direct])).toEqual(['q2g', 'g2d', 'd2c'])
    expect(cutOf([full, []])).toEqual(['q2g', 'g2i', 'i2d', 'd2c'])
    expect(cutOf([[stageTime('q2c')] as never])).toEqual(['q2c'])
    expect(segmentsOf(all, ['q2d', 'd2c']).map(s => s.mean)).toEqual([15, 5])
    expect(segmentsOf([], ['q2d', 'd2c'])).toEqual([])
  })
  it('are placed one after the other on one scale', () => {
    expect(place([10, 30], 80, 400)).toEqual([
      { x: 0, w: 50 },
      { x: 50, w: 150 },
    ])
    const surface = createRecorder()
    drawBar(
      surface,
      [
        { value: 0.001, colour: 'tiny' },
        { value: 30, colour: 'large' },
      ],
      'edge',
      80,
      400,
      4,
      22,
    )
    expect(surface.filled('tiny')[0]?.[2]).toBe(1)
  })
})

describe('request sizes', () => {
  const sizes = { sectors: f64(8, 16, 2048), reads: f64(0, 1, 0), writes: f64(100, 0, 50), discards: f64(0, 0, 0) }
  const scene: SizeScene = {
    width: 280,
    height: 48,
    low: 8,
    high: 2048,
    most: 100,
    colours: { read: 'r', write: 'w', discard: 'd' },
  }
  it('are on a log axis inside the plot', () => {
    expect(sizeX(8, scene) - barWidth(sizes, scene) / 2).toBeGreaterThanOrEqual(0)
    expect(sizeX(2048, scene) + barWidth(sizes, scene) / 2).toBeLessThanOrEqual(280)
    expect(sizeX(16, scene) - sizeX(8, scene)).toBeCloseTo((sizeX(2048, scene) - sizeX(8, scene)) / 8)
  })
  it('keep a single request visible', () => {
    const surface = createRecorder()
    drawSizes(surface, sizes, scene)
    expect(surface.filled('r')[0]?.[3]).toBe(1)
    expect(surface.filled('w').map(r => r[3])).toEqual([48, 24])
  })
})

describe('alignment', () => {
  it('hatches straddling requests and fills the bar', () => {
    const surface = createRecorder()
    drawShares(
      surface,
      [
        { requests: 25, colour: 'full', hatched: false },
        { requests: 0, colour: 'unit', hatched: false },
        { requests: 75, colour: 'straddle', hatched: true },
      ],
      100,
      400,
      18,
      'surface',
    )
    expect(surface.filled('full')[0]?.slice(0, 3)).toEqual([0, 0, 99])
    expect(surface.filled('unit')).toEqual([])
    expect(surface.filled('straddle')[0]?.slice(0, 3)).toEqual([100, 0, 299])
    expect(surface.calls.filter(c => c.name === 'clip')).toHaveLength(1)
  })
  it('stacks reads on writes', () => {
    const surface = createRecorder()
    drawPositions(surface, f64(5, 0), f64(5, 0), {
      width: 100,
      height: 40,
      most: 10,
      units: 4,
      read: 'r',
      write: 'w',
      grid: 'g',
    })
    expect(surface.filled('w')[0]?.slice(1)).toEqual([20, 49, 20])
    expect(surface.filled('r')[0]?.slice(1)).toEqual([0, 49, 20])
    expect(surface.filled('g')).toHaveLength(3)
  })
})

describe('overlay', () => {
  const line = { range, values: f64(1, 2, 3, 4), begin: 0, end: 50, colour: 'b', dash: [6, 3] }
  it('ends a line where its run ends', () => {
    const surface = createRecorder()
    drawLine(surface, line, { range, width: 100, y: v => v })
    expect(lastBin(line)).toBe(2)
    expect(surface.calls.filter(c => c.name !== 'stroke' && c.name !== 'beginPath')).toHaveLength(2)
    expect(endPoint(line, { range, width: 100, y: v => v })).toEqual({ x: 37.5, y: 2 })
  })
})
