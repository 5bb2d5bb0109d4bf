import { describe, expect, it } from 'vitest'
import type { FailureMarks } from '../../engine/protocol'
import { ns } from '../../lib/units'
import { failureEntries, failureWords } from '../shared/paint/failures'
import { onAxis } from '../shared/paint/onAxis'
import { createRecorder } from '../shared/paint/recorder'
import { layOut } from './axis/bands'
import { drawFailures, mapFailureTip } from './failures'

const marks: FailureMarks = {
  n: 7,
  at: Float64Array.of(10, 50, 60, 70),
  took: new Float64Array(4).fill(Number.NaN),
  sector: Float64Array.of(2000, 2100, 9000, Number.NaN),
  sectors: Float64Array.of(8, 8, 8, 0),
  errno: Uint32Array.of(5, 61, 5, 5),
  count: Uint32Array.of(1, 4, 1, 1),
  errors: { 5: 'EIO (I/O error)', 61: 'ENODATA (medium error)' },
}
const scene = { range: { t0: ns(0), t1: ns(100) }, width: 100, parts: layOut([[2000, 2500]], 206) }
const palette = (token: string) => token

describe('marks of failed requests', () => {
  it('are drawn where they ended, a flush at the top, and none where the sector is not on the axis', () => {
    const surface = createRecorder()
    drawFailures(surface, marks, scene, palette)
    const fills = surface.calls.filter(c => c.name === 'fill' && c.fill === 'bad')
    expect(fills).toHaveLength(3)
    const starts = surface.calls.filter(c => c.name === 'moveTo').map(c => Math.round(c.args[0] ?? 0))
    expect([...new Set(starts)]).toEqual([10, 50, 70])
    const edge = createRecorder()
    drawFailures(edge, marks, { ...scene, range: { t0: ns(0), t1: ns(70) } }, palette)
    const xs = edge.calls.filter(c => c.name === 'lineTo').map(c => c.args[0] ?? 0)
    expect(Math.max(...xs)).toBeLessThanOrEqual(100)
  })
  it('have a tip with the error, and how many there are', () => {
    const tip = mapFailureTip(marks, scene, 50, 165, { letter: 'A', moved: 0 })
    expect(tip?.title).toBe('4 failed requests')
    expect(tip?.rows).toContainEqual(['', 'error', 'ENODATA (medium error)'])
    expect(tip?.rows).toContainEqual(['', 'sector', '2,100'])
    expect(mapFailureTip(marks, scene, 30, 5, { letter: 'A', moved: 0 })).toBeUndefined()
    expect(mapFailureTip(undefined, scene, 50, 5, { letter: 'A', moved: 0 })).toBeUndefined()
  })
  it('are counted in words and in the legend; nothing without any', () => {
    expect(failureWords(marks)).toBe(' 7 requests failed: EIO (I/O error), ENODATA (medium error).')
    expect(failureWords({ ...marks, n: 0 })).toBe('')
    expect(failureWords(undefined)).toBe('')
    expect(failureEntries([marks], ['A'])).toEqual([{ label: 'failed 7', token: 'bad', shape: 'triangle' }])
    expect(failureEntries([undefined, marks], ['A', 'B'])[0]?.label).toBe('failed A 0, B 7')
    expect(failureEntries([undefined], ['A'])).toEqual([])
  })
  it('move with their run', () => {
    const moved = onAxis('failures', marks, 5) as FailureMarks
    expect([...moved.at]).toEqual([15, 55, 65, 75])
  })
})
