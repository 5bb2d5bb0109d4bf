import { beforeAll, describe, expect, it } from 'vitest'
import { fixture, type OpenTrace, openTrace } from '../../../../tests/engine'
import type { Marks, TraceClient } from '../../../engine/protocol'
import { type Ns, ns, sector } from '../../../lib/units'
import { clientOnAxis, infoOnAxis } from './onAxis'

/** A multiple of the bin width, so that series are comparable. */
const BY = 1.5e8
const BIN = 1e7

describe('a trace that is shifted on the axis', () => {
  let trace: OpenTrace
  let client: TraceClient
  let late: TraceClient
  let range: { t0: Ns; t1: Ns }
  beforeAll(async () => {
    trace = await openTrace(fixture('two-devices'))
    client = { query: (kind, ask) => trace.ask(kind, ask) }
    late = clientOnAxis(client, BY)
    range = { t0: ns(0), t1: ns(Math.ceil(trace.info.span / BIN) * BIN) }
  })
  const moved = () => ({ t0: ns(range.t0 + BY), t1: ns(range.t1 + BY) })
  const n = () => (range.t1 - range.t0) / BIN
  const early = () => ({ ask: { t0: ns(0), t1: moved().t1 }, bins: BY / BIN })

  it('has the same series, after bins of nothing', async () => {
    const [a, b] = [
      await client.query('depth', { device: 0, range, n: n() }),
      await late.query('depth', { device: 0, range: early().ask, n: n() + early().bins }),
    ]
    expect([...b.mean.subarray(0, early().bins)].every(v => v === 0)).toBe(true)
    for (const [i, v] of a.mean.entries()) expect(b.mean[i + early().bins]).toBeCloseTo(v, 9)
    const filter = { device: 0 }
    const rates = [
      await client.query('rate', { filter, range, n: n() }),
      await late.query('rate', { filter, range: moved(), n: n() }),
    ]
    expect(rates[1]).toEqual(rates[0])
  })
  it('has the same distributions, sizes and counts', async () => {
    const filter = { device: 0 }
    expect(await late.query('distribution', { filter, range: early().ask, stage: 'q2c' })).toEqual(
      await client.query('distribution', { filter, range, stage: 'q2c' }),
    )
    expect(await late.query('sizes', { filter, range: moved(), at: 'issued' })).toEqual(
      await client.query('sizes', { filter, range, at: 'issued' }),
    )
    expect(await late.query('facets', { filter, range: moved() })).toEqual(
      await client.query('facets', { filter, range }),
    )
    expect((await late.query('facets', { filter, range: { t0: ns(0), t1: ns(BY - 1) } })).ops).toEqual({
      read: 0,
      write: 0,
      discard: 0,
      flush: 0,
    })
  })
  it('has each mark so much later, and finds it there', async () => {
    const { lba } = trace.info.devices[0] ?? { lba: [sector(0), sector(1)] as const }
    const ask = {
      filter: { device: 0 },
      bands: [{ lba0: lba[0], lba1: lba[1], y0: 0, y1: 100 }],
      w: 100,
      h: 100,
      layer: 'op' as const,
      marks: 6000,
    }
    const [a, b] = [
      (await client.query('seekMap', { ...ask, range })) as Marks,
      (await late.query('seekMap', { ...ask, range: moved() })) as Marks,
    ]
    expect(a.n).toBeGreaterThan(100)
    for (const key of ['queued', 'issued', 'completed'] as const)
      expect([...b[key]]).toEqual([...a[key]].map(t => t + BY))
    expect([...b.lba]).toEqual([...a.lba])
    const find = { filter: ask.filter, lba: sector(a.lba[7] ?? 0), dt: ns(10), dlba: sector(1) }
    expect(await late.query('hit', { ...find, t: ns(b.issued[7] ?? 0) })).toEqual({ row: a.row[7] })
  })
  it('starves so much later', async () => {
    const [a, b] = [
      await client.query('starved', { device: 0, range, most: 10_000 }),
      await late.query('starved', { device: 0, range: moved(), most: 10_000 }),
    ]
    expect([...b.intervals]).toEqual([...a.intervals].map(t => t + BY))
  })
  it('begins, ends and lost its events so much later', () => {
    const { info } = trace
    const hole = { device: 0, cpu: 0, from: ns(5), to: ns(9), reason: 'silence' as const }
    const there = infoOnAxis({ ...info, quality: { ...info.quality, holes: [hole] } }, BY)
    expect(there.span).toBe(info.span + BY)
    expect(there.devices.map(d => d.active)).toEqual(info.devices.map(d => [d.active[0] + BY, d.active[1] + BY]))
    expect(there.quality.holes).toEqual([{ ...hole, from: 5 + BY, to: 9 + BY }])
    expect(clientOnAxis(client, 0)).toBe(client)
  })
})
