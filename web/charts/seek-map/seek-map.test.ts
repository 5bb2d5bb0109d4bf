import { describe, expect, it } from 'vitest'
import type { Geometry, Grid, Marks, Query } from '../../engine/protocol'
import { ns, sector } from '../../lib/units'
import { createRecorder } from '../shared/paint/recorder'
import { inCells, inPixels, layOut, lbaAt, sectorsPerPx, unionOf, yWithin } from './axis/bands'
import { crossed, rulerFits, stripeTicks } from './axis/ruler'
import { drawGrid, gridPixels } from './cells'
import { boxOf, drawGround, drawMarks, lifeBox, MARK_MIN, MARK_TALL, type MapScene, PAST_MIN } from './draw'
import { shortened } from './layers'
import { nearestMark, neighbourMark } from './nearest'
import { onlyClassOf } from './scene'

const four: [number, number][] = [0, 1, 2, 3].map(k => [2048 + k * 500_000, 2048 + k * 500_000 + 2560])

describe('bands', () => {
  it('join runs, keep gaps, and never exceed the limit', () => {
    expect(unionOf([four, four.map(([a, b]) => [a + 100, b + 100])])).toEqual(four.map(([a, b]) => [a, b + 100]))
    expect(
      unionOf(
        [
          [
            [0, 10],
            [100, 110],
            [105, 300],
            [5000, 5010],
          ],
        ],
        0.001,
        2,
      ),
    ).toEqual([
      [0, 300],
      [5000, 5010],
    ])
    expect(unionOf([])).toEqual([])
  })
  it('stack parts without overlap, highest sectors on top, filling the plot', () => {
    const parts = layOut(four, 202)
    expect(parts.at(-1)?.top).toBe(0)
    expect(parts[0]?.bottom).toBe(202)
    for (let i = 1; i < parts.length; i += 1) expect((parts[i - 1]?.top ?? 0) - (parts[i]?.bottom ?? 0)).toBe(8)
    const heights = parts.map(p => p.bottom - p.top)
    expect(Math.max(...heights) - Math.min(...heights)).toBeLessThanOrEqual(2)
  })
  it('give a small part enough height to be seen', () => {
    const parts = layOut(
      [
        [0, 8],
        [1e6, 2e6],
      ],
      202,
    )
    expect((parts[0]?.bottom ?? 0) - (parts[0]?.top ?? 0)).toBeGreaterThanOrEqual(20)
  })
  it('find the sector under a y, and back', () => {
    const parts = layOut(four, 202)
    const [part] = parts
    if (part === undefined) throw new Error('no part')
    expect(lbaAt(parts, yWithin(part, 3000))?.lba).toBeCloseTo(3000, -1)
    expect(lbaAt(parts, 500)?.lba).toBe(part.lba0)
    expect(sectorsPerPx(part)).toBeGreaterThan(10)
  })
  it('have a row of cells at least, however coarse these are', () => {
    const parts = layOut(four, 202)
    for (const cell of [2, 6, 500]) {
      const bands = inCells(parts, cell)
      expect(bands.map(b => [b.lba0, b.lba1])).toEqual(parts.map(p => [p.lba0, p.lba1]))
      for (const [i, { y0, y1 }] of inPixels(bands, cell).entries()) {
        expect(y1 - y0).toBeGreaterThanOrEqual(cell)
        expect(Math.abs(y0 - (parts[i]?.y0 ?? 0))).toBeLessThanOrEqual(cell / 2)
      }
    }
  })
})

const geometry: Geometry = { level: 'raid5', unit: sector(512), dataDisks: 4, start: sector(0) }
const colours = {
  odd: 'odd',
  unit: 'unit',
  boundary: 'boundary',
  held: 'held',
  ink: 'ink',
  surface: 'surface',
  page: 'page',
  line: 'line',
  flush: 'flush',
}
const scene = (more: Partial<MapScene> = {}): MapScene => ({
  range: { t0: ns(0), t1: ns(100) },
  width: 100,
  height: 206,
  end: Number.POSITIVE_INFINITY,
  parts: layOut([[0, 2048 * 4]], 206),
  geometry: undefined,
  byAlignment: false,
  classes: ['full', 'unit', 'inside', 'straddle'],
  colours,
  ...more,
})

function marks(
  rows: readonly { q?: number; d: number; c: number; lba: number; n: number; cls?: number; op?: number }[],
): Marks {
  const list = (f: (r: (typeof rows)[number]) => number) => Float64Array.from(rows, f)
  return {
    kind: 'marks',
    n: rows.length,
    row: Uint32Array.from(rows.keys()),
    queued: list(r => r.q ?? Number.NaN),
    issued: list(r => r.d),
    completed: list(r => r.c),
    lba: list(r => r.lba),
    sectors: list(r => r.n),
    cls: Uint8Array.from(rows, r => r.cls ?? 0),
    op: Uint8Array.from(rows, r => r.op ?? 1),
  }
}

describe('marks', () => {
  it('run from issue to completion, and are never too small to be seen', () => {
    const box = boxOf(marks([{ d: 10, c: 30, lba: 0, n: 2048 }]), 0, scene())
    expect(box?.x).toBe(10)
    expect(box?.w).toBe(20)
    expect(box?.h).toBeCloseTo(50)
    const tiny = boxOf(marks([{ d: 10, c: 10.01, lba: 4000, n: 1 }]), 0, scene())
    expect(tiny?.w).toBe(MARK_MIN)
    expect(tiny?.h).toBe(MARK_TALL)
  })
  it('reach the edge when not completed', () =>
    expect(boxOf(marks([{ d: 40, c: Number.NaN, lba: 0, n: 8 }]), 0, scene())?.w).toBe(60))
  it('are not drawn where the axis is cut', () =>
    expect(boxOf(marks([{ d: 1, c: 2, lba: 99_999, n: 8 }]), 0, scene())).toBeUndefined())
  it('begin with the time they waited', () => {
    const held = lifeBox(marks([{ q: 5, d: 20, c: 30, lba: 0, n: 8 }]), 0, scene())
    expect([held?.x, held?.w]).toEqual([5, 25])
  })
  it('show waiting time only from one pixel on', () => {
    const surface = createRecorder()
    drawMarks(
      surface,
      marks([
        { q: 5, d: 20, c: 30, lba: 0, n: 8 },
        { q: 49.5, d: 50, c: 60, lba: 0, n: 8 },
      ]),
      scene(),
    )
    expect(surface.filled('held')).toHaveLength(1)
    expect(surface.filled('held')[0]?.[0]).toBe(5)
    expect(surface.filled('held')[0]?.[2]).toBe(15)
  })
  it('draw reads hollow and flushes as full-height ticks', () => {
    const surface = createRecorder()
    drawMarks(
      surface,
      marks([
        { d: 10, c: 30, lba: 0, n: 2048, op: 0 },
        { d: 50, c: 55, lba: 0, n: 0, op: 3 },
      ]),
      scene(),
    )
    expect(surface.calls.filter(c => c.name === 'strokeRect')).toHaveLength(1)
    expect(surface.filled('flush')[0]?.[3]).toBe(206)
  })
  it('shorten flush ticks where they would cover everything', () => {
    const surface = createRecorder()
    drawMarks(
      surface,
      marks(Array.from({ length: 20 }, (_, i) => ({ d: i * 5, c: i * 5 + 1, lba: 0, n: 0, op: 3 }))),
      scene(),
    )
    expect(surface.filled('flush').every(r => (r[3] ?? 0) < 10)).toBe(true)
  })
  it('put the part past a boundary in ink, at least 3 px tall', () => {
    const surface = createRecorder()
    drawMarks(surface, marks([{ d: 10, c: 30, lba: 63, n: 2048, cls: 3 }]), scene({ geometry, byAlignment: true }))
    const [past] = surface.filled('ink')
    expect(past?.[3]).toBe(PAST_MIN)
    expect((past?.[1] ?? 0) + PAST_MIN).toBeCloseTo(yWithin(scene().parts[0] as never, 2048))
  })
})

describe('pointing', () => {
  const two = marks([
    { q: 1, d: 20, c: 30, lba: 0, n: 8 },
    { d: 60, c: 70, lba: 4096, n: 8 },
  ])
  it('finds the mark within reach, else the waiting line', () => {
    const box = boxOf(two, 1, scene())
    expect(nearestMark(two, scene(), 65, (box?.y ?? 0) + 3)).toBe(1)
    expect(nearestMark(two, scene(), 8, (boxOf(two, 0, scene())?.y ?? 0) + 1)).toBe(0)
    expect(nearestMark(two, scene(), 90, 150)).toBeUndefined()
  })
  it('goes from mark to mark in time', () => {
    expect(neighbourMark(two, scene(), 0, 1)).toBe(0)
    expect(neighbourMark(two, scene(), 20, 1)).toBe(1)
    expect(neighbourMark(two, scene(), 60, -1)).toBe(0)
    expect(neighbourMark(two, scene(), 60, 1)).toBeUndefined()
  })
})

describe('ruler', () => {
  it('appears only where stripes are tall enough', () => {
    const [near] = layOut([[0, 2048 * 4]], 206)
    const [far] = layOut([[0, 2048 * 400]], 206)
    expect(near && rulerFits(near, geometry)).toBe(true)
    expect(far && rulerFits(far, geometry)).toBe(false)
    expect(near && rulerFits(near, undefined)).toBe(false)
  })
  it('numbers stripes from the start of the array', () => {
    const [part] = layOut([[2048 * 40 + 63, 2048 * 44 + 63]], 206)
    const from63 = { ...geometry, start: sector(63) }
    expect(part && stripeTicks(part, from63).map(t => t.label)).toEqual([
      'stripe 40',
      'stripe 41',
      'stripe 42',
      'stripe 43',
    ])
  })
  it('finds the stripe boundary first, then the unit boundary', () => {
    expect(crossed(63, 63 + 2048, geometry)).toBe(2048)
    expect(crossed(500, 600, geometry)).toBe(512)
    expect(crossed(0, 512, geometry)).toBeUndefined()
  })
  it('tints odd stripes and draws cuts only up to the run\u2019s end', () => {
    const surface = createRecorder()
    drawGround(surface, scene({ geometry }))
    expect(surface.filled('odd')).toHaveLength(2)
    const cut = createRecorder()
    drawGround(cut, scene({ parts: layOut(four, 206), end: 40 }))
    expect(cut.filled('page').map(r => r[2])).toEqual([40, 40, 40])
  })
})

describe('grid', () => {
  const grid: Grid = {
    kind: 'grid',
    w: 4,
    h: 4,
    n: 4,
    counts: Uint32Array.from([1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 1]),
    cls: new Uint8Array(16),
    max: 2,
  }
  const steps = [
    [10, 0, 0],
    [20, 0, 0],
    [30, 0, 0],
    [40, 0, 0],
    [50, 0, 0],
  ] as const
  const pixelAt = (data: Uint8ClampedArray, w: number, x: number, y: number) => [
    ...data.slice((y * w + x) * 4, (y * w + x) * 4 + 4),
  ]
  it('is column-major, and a lone cell becomes at least 4 x 4 px', () => {
    const { w, h, data } = gridPixels(grid, 2, { max: 2, steps, classes: undefined })
    expect([w, h]).toEqual([8, 8])
    expect(pixelAt(data, w, 0, 0)).toEqual([10, 0, 0, 255])
    expect(pixelAt(data, w, 2, 2)).toEqual([10, 0, 0, 255])
    expect(pixelAt(data, w, 3, 3)).toEqual([0, 0, 0, 0])
    expect(pixelAt(data, w, 6, 4)).toEqual([50, 0, 0, 255])
    expect(pixelAt(data, w, 5, 4)).toEqual([0, 0, 0, 0])
  })
  it('is stretched to its range while the view moves', () => {
    const surface = createRecorder()
    const parts = layOut([[0, 1000]], 206)
    const painted = {
      image: {} as CanvasImageSource,
      w: 100,
      range: { t0: ns(0), t1: ns(100) },
      bands: [{ lba0: sector(0), lba1: sector(1000), y0: 3, y1: 203 }],
    }
    drawGrid(surface, painted, scene({ parts, range: { t0: ns(25), t1: ns(75) } }))
    expect(surface.calls.find(c => c.name === 'drawImage')?.args).toEqual([0, 3, 100, 200, -50, 3, 200, 200])
  })
})

describe('legend', () => {
  it('joins the names of consecutive partitions', () => {
    expect(shortened(['dd vda1', 'dd vda2', 'dd vda3'])).toBe('dd on vda1…3')
    expect(shortened(['dd 254,1', 'dd 254,2'])).toBe('dd on 254,1…2')
    expect(shortened(['dd vda1', 'cp vda2'])).toBeUndefined()
    expect(shortened(['dd vda1'])).toBeUndefined()
  })
})

describe('the class of a part of the axis', () => {
  const bands: Query<'seekMap'>['bands'] = [
    { lba0: sector(0), lba1: sector(8), y0: 0, y1: 1 },
    { lba0: sector(80), lba1: sector(88), y0: 1, y1: 2 },
  ]
  const ask: Query<'seekMap'> = {
    filter: { device: 0 },
    range: { t0: ns(0), t1: ns(9) },
    bands,
    w: 2,
    h: 2,
    layer: 'process',
    marks: 0,
  }
  // Columns of two rows each: the second part has requests of two classes.
  const grid = { kind: 'grid', w: 2, h: 2, counts: [3, 1, 2, 1], cls: [4, 0, 4, 2] } as unknown as Grid

  it('is known where all requests have the same', () => {
    expect(bands.map(band => onlyClassOf(band, grid, ask))).toEqual([4, undefined])
  })
  it('is unknown without requests, and for a part that was not asked for', () => {
    const empty = { ...grid, counts: [0, 1, 0, 1] } as unknown as Grid
    expect(onlyClassOf({ lba0: sector(0), lba1: sector(8) }, empty, ask)).toBeUndefined()
    expect(onlyClassOf({ lba0: sector(7), lba1: sector(8) }, grid, ask)).toBeUndefined()
  })
})
