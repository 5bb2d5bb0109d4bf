import { describe, expect, it } from 'vitest'
import type { FailureMarks } from '../../engine/protocol'
import { ns } from '../../lib/units'
import { createRecorder } from '../shared/paint/recorder'
import { heatData } from './data'
import { drawLatencyFailures, latencyFailureEntries, latencyFailureTip, latencyFailureWords } from './failures'
import { table } from './summary'

const marks: FailureMarks = {
  n: 6,
  at: Float64Array.of(10, 50, 90),
  took: Float64Array.of(1e4, 1e6, Number.NaN),
  sector: Float64Array.of(2000, 2100, 9000),
  sectors: Float64Array.of(8, 8, 8),
  errno: Uint32Array.of(5, 61, 11),
  count: Uint32Array.of(1, 4, 1),
  errors: { 5: 'EIO (I/O error)', 61: 'ENODATA (medium error)', 11: 'EAGAIN (would have waited)' },
}
const place = {
  run: { end: ns(100) },
  range: { t0: ns(0), t1: ns(100) },
  width: 100,
  height: 200,
  span: { low: 1e3, high: 1e7 },
  palette: (token: string) => token,
}
const run = { letter: 'A', moved: 0 }

describe('failed requests in the chart of latency', () => {
  it('are at their issue and latency, hollow at the foot without the stage', () => {
    const surface = createRecorder()
    drawLatencyFailures(surface, marks, place)
    const filled = surface.calls.filter(call => call.name === 'fill' && call.fill === 'bad')
    expect(filled).toHaveLength(3)
    const tops = surface.calls.filter(call => call.name === 'moveTo').map(call => call.args.map(Math.floor))
    // The point of a triangle is 4.5 px above its place: a quarter, a half and none of the four decades from below.
    expect(tops).toContainEqual([10, 145])
    expect(tops).toContainEqual([50, 45])
    expect(tops).toContainEqual([90, 191])
    const hollow = surface.calls.filter(call => call.name === 'fill' && call.fill === 'surface')
    expect(hollow).toHaveLength(3)
  })
  it('have a tip with the latency and the error', () => {
    const tip = latencyFailureTip(marks, place, 'd2c', 50, 52, run)
    expect(tip?.title).toBe('4 failed requests')
    expect(tip?.rows).toContainEqual(['', 'D2C', '1 ms'])
    expect(tip?.rows).toContainEqual(['', 'error', 'ENODATA (medium error)'])
    expect(latencyFailureTip(marks, place, 'd2c', 90, 195, run)?.rows).toContainEqual(['', 'D2C', 'none'])
    expect(latencyFailureTip(marks, place, 'd2c', 30, 20, run)).toBeUndefined()
    expect(latencyFailureTip(undefined, place, 'd2c', 50, 50, run)).toBeUndefined()
  })
  it('are counted in the legend, in words, in the table and in CSV; nothing without any', () => {
    expect(latencyFailureEntries([undefined, marks], ['A', 'B'], 'd2c').map(entry => entry.label)).toEqual([
      'failed A 0, B 6',
      'of them without D2C A 0, B 1',
    ])
    expect(latencyFailureEntries([undefined], ['A'], 'd2c')).toEqual([])
    expect(latencyFailureWords(marks, 'd2c')).toMatch(/^ 6 requests failed: .* 1 of them has no D2C\.$/)
    expect(latencyFailureWords(undefined, 'd2c')).toBe('')
    expect(table([], 'd2c', [], [marks]).columns.map(column => column.label)).toContain('failed')
    expect(table([], 'd2c', [], [undefined]).columns.map(column => column.label)).not.toContain('failed')
    const shown = [{ letter: 'A' }] as unknown as Parameters<typeof heatData>[0]
    expect(heatData(shown, [{}], [marks], 'd2c').rows).toEqual([
      ['A', 1e-8, 1e-8, 0.01, 0.01, 1, 5],
      ['A', 5e-8, 5e-8, 1, 1, 4, 61],
      ['A', 9e-8, 9e-8, '', '', 1, 11],
    ])
  })
})
