/** Positions within the stripe: painting, words and table. */
import { describe, expect, it } from 'vitest'
import type { StripeTime } from '../../engine/protocol'
import { ns, sector } from '../../lib/units'
import type { Shown } from '../shared/answers/shown'
import { createRecorder } from '../shared/paint/recorder'
import { drawStripes, partialShare } from './draw'
import { partWords, table, words } from './summary'

const range = { t0: ns(0), t1: ns(100) }
const run = { letter: 'A' } as Shown
const geometry = { level: 'raid5', unit: sector(512), dataDisks: 4, start: sector(0) } as const

/** Two columns of four rows: a full stripe, then a write that straddles from the second row up. */
const answer: StripeTime = {
  w: 2,
  h: 4,
  n: 2,
  atStart: 1,
  counts: Uint32Array.of(1, 1, 1, 1, 1, 1, 0, 0),
  begins: Uint32Array.of(0, 0, 0, 1, 0, 1, 0, 0),
  classes: Uint8Array.of(1, 1, 1, 1, 4, 4, 0, 0),
  max: 1,
  full: Float64Array.of(3, 0),
  partial: Float64Array.of(1, 0),
}
const scene = {
  answered: range,
  range,
  width: 100,
  sizes: { share: 24, gap: 6, stripe: 100 },
  end: 100,
  units: 4,
  classes: ['full', 'unit', 'inside', 'straddles'],
  ground: 'ground',
  grid: 'grid',
  begin: 'begin',
  partial: 'partial',
}

describe('positions within the stripe', () => {
  it('paints runs of one class as one, the start of the stripe at the bottom', () => {
    const surface = createRecorder()
    drawStripes(surface, answer, scene)
    expect(surface.filled('full')).toEqual([[0, 30, 50, 100]])
    expect(surface.filled('straddles')).toEqual([[50, 30, 50, 50]])
    expect(surface.filled('begin').map(([x, y = 0, , h = 0]) => [x, y + h])).toEqual([
      [0, 130],
      [50, 80],
    ])
  })
  it('draws the share of partial stripes, and nothing where none was written', () => {
    const surface = createRecorder()
    drawStripes(surface, answer, scene)
    expect(surface.filled('partial')).toEqual([[0, 18.5, 50, 5.5]])
    expect([0, 1].map(column => partialShare(answer, column))).toEqual([0.25, undefined])
  })
  it('draws nothing past the end of the run', () => {
    const surface = createRecorder()
    drawStripes(surface, answer, { ...scene, end: 40 })
    expect(surface.filled('full')).toEqual([[0, 30, 40, 100]])
    expect(surface.filled('straddles')).toEqual([])
  })
  it('is summarized in words', () => {
    expect(partWords(answer)).toBe('1 of 4 stripes partial')
    expect(words(run, geometry, answer)).toBe(
      'Position in stripe of A, stripes of 4 x 256 KiB: 1 of 2 requests start at a stripe boundary; 1 of 4 stripes written partially (25%).',
    )
    expect(words(run, undefined, undefined)).toBe('Position in stripe of A: no geometry is set.')
    const reads = { ...answer, full: new Float64Array(2), partial: new Float64Array(2) }
    expect(words(run, geometry, reads)).toContain('no stripes were written')
  })
  it('lists columns in which a request starts', () => {
    expect(table([run], [{ answer, range }]).rows).toEqual([
      ['A', 0, 1, 3, 1, 25],
      ['A', 50e-9, 1, 0, 0, ''],
    ])
  })
})
