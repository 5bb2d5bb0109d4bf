/** Playback of a real recording by the real engine, without a browser. */
import { beforeAll, describe, expect, it } from 'vitest'
import { fixture, type OpenTrace, openTrace } from '../../../tests/engine'
import type { TraceClient } from '../../engine/protocol'
import { type Ns, ns } from '../../lib/units'
import type { Shown } from '../shared/answers/shown'
import { clientOnAxis } from '../shared/paint/onAxis'
import { momentAt, timingFor } from './clock'
import { behindWords, countersOf, figuresAt, isStarved, shareDone } from './figures'
import { createSource } from './source'

/** The shift of a run that the workspace moved, ns. */
const SHIFT = 1_234_567

describe('playback of partitions-bfq-1w', () => {
  let trace: OpenTrace
  let asked: string[]
  let traceClient: TraceClient
  beforeAll(async () => {
    trace = await openTrace(fixture('partitions-bfq-1w'))
    asked = []
    traceClient = {
      query: (kind, ask) => {
        asked.push(kind)
        return trace.ask(kind, ask)
      },
    }
  })
  const map = {
    filter: { device: 0 },
    bands: [{ lba0: 0, lba1: 4e6, y0: 0, y1: 100 }],
    w: 100,
    h: 100,
    layer: 'op' as const,
    marks: 500,
  }
  const sourceOf = (client: TraceClient, shift = 0) => {
    const run = {
      client,
      filter: { device: 0 },
      device: { index: 0 },
      slots: [] as readonly number[],
    } as unknown as Shown
    const range = { t0: ns(shift), t1: ns(trace.info.span + shift) }
    const timing = timingFor(range, 0.3)
    const painted: string[] = []
    const source = createSource<number>(run, 'op', timing, { map: map as never, bins: 50 }, ({ map, ask, queue }) => {
      painted.push(`${ask.range.t0}..${ask.range.t1}`)
      expect([queue?.n, queue?.series.mean.length]).toEqual([52, 52])
      return map.n
    })
    return { source, timing, painted }
  }

  it('knows a moment once it was fetched, with the figures of the other charts', async () => {
    const { source, timing } = sourceOf(traceClient)
    const t = momentAt(timing, 1.3e9)
    expect([source.moment(t), source.tiles(t)]).toEqual([undefined, undefined])
    await source.load(t)
    const moment = source.moment(t)
    if (!moment) throw new Error('not fetched')
    const figures = figuresAt(moment.moments, moment.k, timing.window, t)
    const rate = (t0: Ns, t1: Ns) => traceClient.query('rate', { filter: { device: 0 }, range: { t0, t1 }, n: 1 })
    const sum = ({ readIos, writeIos }: { readIos: Float64Array; writeIos: Float64Array }) =>
      (readIos[0] ?? 0) + (writeIos[0] ?? 0)
    expect(figures.ios).toBe(sum(await rate(ns(0), ns(t + 1))))
    expect(figures.ios).toBeGreaterThan(50)
    expect(figures.iops).toBe(sum(await rate(ns(t - timing.window + 1), ns(t + 1))) / (timing.window / 1e9))
    const depth = await traceClient.query('depth', { device: 0, range: { t0: ns(t), t1: ns(t + 1) }, n: 1 })
    expect([figures.inFlight, figures.waiting]).toEqual([depth.mean[0], depth.waitMean[0]])
    expect(source.tiles(t)?.map(({ t1 }) => t1)).toHaveLength(3)
  })

  it('fetches chunks ahead, asks for nothing twice, and drops what is far behind', async () => {
    const { source, timing, painted } = sourceOf(traceClient)
    asked.length = 0
    for (let k = 0; k < 150; k += 1) {
      const t = timing.range.t0 + k * timing.step
      await source.load(t)
      source.ahead(t)
      expect(source.moment(t)?.moments.moments).toBeGreaterThan(0)
    }
    // 150 moments are five chunks, and three more ahead.
    expect(asked.filter(kind => kind === 'playback')).toHaveLength(8)
    expect(new Set(painted).size).toBe(painted.length)
    await source.load(momentAt(timing, timing.range.t1 - 1))
    source.ahead(momentAt(timing, timing.range.t1 - 1))
    expect(source.moment(timing.range.t0)).toBeUndefined()
  })

  it('a run that was moved in time has the same state so much later', async () => {
    const [a, b] = [sourceOf(traceClient), sourceOf(clientOnAxis(traceClient, SHIFT), SHIFT)]
    for (const time of [0.2e9, 1.1e9, trace.info.span]) {
      const [t, moved] = [momentAt(a.timing, time), momentAt(b.timing, time + SHIFT)]
      expect(moved - t).toBe(SHIFT)
      await Promise.all([a.source.load(t), b.source.load(moved)])
      const [first, other] = [a.source.moment(t), b.source.moment(moved)]
      if (!first || !other) throw new Error('not fetched')
      expect(figuresAt(other.moments, other.k, b.timing.window, time)).toEqual(
        figuresAt(first.moments, first.k, a.timing.window, time),
      )
      expect([...other.moments.issued]).toEqual([...first.moments.issued].map(issued => issued + SHIFT))
    }
  })

  it('steps from event to event on the common axis', async () => {
    const late = clientOnAxis(traceClient, SHIFT)
    const { t } = await traceClient.query('nextStep', { filter: { device: 0 }, t: ns(1e9), by: 1 })
    expect(t).toBeGreaterThan(1e9)
    expect(await late.query('nextStep', { filter: { device: 0 }, t: ns(1e9 + SHIFT), by: 1 })).toMatchObject({
      t: (t ?? 0) + SHIFT,
    })
    expect(await traceClient.query('nextStep', { filter: { device: 0 }, t: ns(trace.info.span), by: 1 })).toEqual({})
  })
})

describe('counters', () => {
  const figures = {
    ios: 640,
    bytes: 2_621_440,
    totalIos: 1280,
    totalBytes: 5_242_880,
    iops: 366,
    bytesPerSecond: 1.5e6,
    inFlight: 0,
    waiting: 3,
    starved: 4.5e8,
  }
  it('are words with units, and say of which time they are', () => {
    expect(countersOf(figures, 1e9).map(({ caption, value }) => `${value} ${caption}`)).toEqual([
      '366 IOPS, last 1 s',
      '1.50 MB/s, last 1 s',
      '2.50 MiB done',
      '0 in flight',
      '3 waiting',
      '450 ms starved so far',
    ])
    const { inFlight: _, waiting: __, starved: ___, ...without } = figures
    expect(countersOf(without, 2e8).map(c => c.key)).toEqual(['iops', 'rate', 'done'])
  })
  it('say how far a run is, and that it is starved', () => {
    expect([shareDone(figures), isStarved(figures), isStarved({ ...figures, inFlight: 1 })]).toEqual([0.5, true, false])
    expect(behindWords(figures, { ...figures, ios: 1000 }, 'A')).toBe('360 behind A')
    expect(behindWords({ ...figures, ios: 1000 }, figures, 'A')).toBeUndefined()
    expect(behindWords(figures, { ...figures, ios: 1000, totalIos: 2000 }, 'A')).toBeUndefined()
  })
})
