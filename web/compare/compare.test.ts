import { describe, expect, it } from 'vitest'
import type { StageSummary, SummaryDevice } from '../engine/summary'
import { FIGURES } from './figures'
import { applicationRows, barShare, cell, differences, signed, verdictOf } from './rows'
import { asCsv, asText } from './summary'

const stage = (mean: number): StageSummary => ({
  n: 1280,
  min: mean,
  mean,
  p50: mean,
  p90: mean,
  p95: mean,
  p99: mean,
  p999: mean,
  p9999: mean,
  max: mean,
})
const device = (more: Partial<SummaryDevice>): SummaryDevice => ({
  dev: '254,0',
  role: 'disk',
  span_ns: 4.03e9,
  events: { Q: 1280, D: 1280, C: 1280 },
  bytes: { read: 0, write: 5_242_880, discard: 0 },
  throughput: { read_bps: 0, write_bps: 1.3e6, iops: 318 },
  depth: { mean: 2.37, p50: 2, p95: 4, max: 4 },
  latency_ns: { q2d: stage(0.8e6), d2c: stage(7.47e6) },
  latency_bio_ns: {},
  sizes: { queued: [], issued: [{ sectors: 8, reads: 0, writes: 1280, discards: 0 }], completed: [] },
  seek: { issued: { n: 1, mean_abs: 1, median_abs: 1, sequential_share: 0, per_second_64k: 280 } },
  merges: { back: 0, front: 0, requests: 0 },
  flush: { preflush: 0, flush: 0, fua: 0, busy_share: 0 },
  ...more,
})
const a = device({})
const b = device({
  span_ns: 7.77e9,
  throughput: { read_bps: 0, write_bps: 0.67e6, iops: 165 },
  depth: { mean: 0.84, p50: 1, p95: 1, max: 3 },
  latency_ns: { q2d: stage(15.3e6), d2c: stage(5.09e6) },
  seek: { issued: { n: 1, mean_abs: 1, median_abs: 1, sequential_share: 0, per_second_64k: 18 } },
})
const found = differences([a, b], 0)
const row = (key: string) => {
  const hit = found.rows.find(r => r.key === key)
  if (hit === undefined) throw new Error(`no row ${key}`)
  return hit
}

describe('figures', () => {
  it('have keys of their own', () => expect(new Set(FIGURES.map(f => f.key)).size).toBe(FIGURES.length))
  it('have a good side only where there is one', () => {
    const good = (key: string) => FIGURES.find(f => f.key === key)?.good
    expect(['span', 'write_bps', 'starved.share', 'q2c.p99'].map(good)).toEqual(['less', 'more', 'less', 'less'])
    expect(['depth.mean', 'seek.issued.per_second_64k', 'size.issued.mean', 'merges.back', 'events.Q'].map(good)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ])
  })
  it('do not apply where the device has none', () => {
    const { depth: _, ...stacked } = a
    expect(FIGURES.find(f => f.key === 'depth.mean')?.value(stacked)).toBeUndefined()
    expect(FIGURES.find(f => f.key === 'q2c.mean')?.value(a)).toBeUndefined()
  })
})

describe('rows', () => {
  it('share one unit, that of the largest value', () => {
    expect(row('span')).toMatchObject({ unit: 's', values: [4.03, 7.77] })
    expect(row('q2d.mean')).toMatchObject({ unit: 'ms', values: [0.8, 15.3] })
    expect(row('write_bps')).toMatchObject({ unit: 'MB/s', values: [1.3, 0.67] })
    expect(row('bytes.write')).toMatchObject({ unit: 'MiB', values: [5, 5] })
  })
  it('are judged only where there is a good side', () => {
    expect(verdictOf(row('span'), 0, 1)).toBe('worse')
    expect(verdictOf(row('d2c.mean'), 0, 1)).toBe('better')
    expect(verdictOf(row('depth.mean'), 0, 1)).toBe('changed')
    expect(verdictOf(row('bytes.write'), 0, 1)).toBe('same')
    expect(verdictOf(row('span'), 1, 0)).toBeUndefined()
  })
  it('turn around with the baseline', () => {
    const turned = differences([a, b], 1).rows.find(r => r.key === 'span')
    expect(turned && verdictOf(turned, 1, 0)).toBe('better')
  })
  it('name what is zero in all runs instead of listing it', () => {
    expect(found.zero).toContain('FUA writes')
    expect(found.rows.some(r => r.key === 'flush.fua')).toBe(false)
  })
  it('say new, not a ratio to nothing', () => {
    const flushed = differences([a, device({ flush: { preflush: 0, flush: 40, fua: 0, busy_share: 0 } })], 0).rows.find(r => r.key === 'flush.flush')
    expect(flushed?.changes[1]).toBe('new')
    expect(barShare(0, 40)).toBeUndefined()
  })
})

describe('cells', () => {
  it('have their digits and their sign', () => {
    expect([4, 0.84, 19.03, 383.4, 1181, undefined].map(cell)).toEqual(['4', '0.84', '19.0', '383', '1,181', '-'])
    expect(signed(2.37, 0.84)).toBe('−1.53')
    expect(signed(4.03, 7.77)).toBe('+3.74')
  })
  it('have a bar from 1/32 to x32', () => {
    expect(barShare(1, 1)).toBe(0)
    expect(barShare(1, 2)).toBeCloseTo(0.2)
    expect(barShare(1, 1 / 1000)).toBe(-1)
  })
})

describe('text and CSV', () => {
  const runs = [
    { letter: 'A', label: 'bfq, slice_idle 0', device: 'vda' },
    { letter: 'B', label: 'bfq, slice_idle 8 ms', device: 'vda' },
  ]
  it('fit 72 columns of ASCII', () => {
    const text = asText(found, runs, 0)
    for (const line of text.split('\n')) expect(line.length, line).toBeLessThanOrEqual(72)
    expect([...text].every(c => (c.codePointAt(0) ?? 0) < 128)).toBe(true)
    expect(text).toMatch(/Run time, first Q to last C +s +4\.03 +7\.77 +\+3\.74 +\+93%/)
  })
  it('keep full precision in CSV', () => {
    const csv = asCsv(found, runs, 0)
    expect(csv.split('\r\n')[0]).toBe('key,measure,unit,"A bfq, slice_idle 0","B bfq, slice_idle 8 ms",B/A,B verdict')
    expect(csv).toContain(`span,"Run time, first Q to last C",s,4.03,7.77,${7.77 / 4.03},worse`)
  })
})

describe('a run of which events were lost', () => {
  const spoiled = device({ spoiled: ['throughput', 'depth', 'latency_ns.d2c', 'sizes'], depth: { mean: 9, p50: 9, p95: 9, max: 9 } })
  const { rows } = differences([a, spoiled], 0)
  const marked = rows.filter(r => r.spoiled[1]).map(r => r.key)
  it('is marked where the summary says so, and nowhere else', () => {
    expect(marked).toEqual(expect.arrayContaining(['iops', 'depth.mean', 'd2c.p99', 'size.issued.mean']))
    expect(marked.filter(key => /^(span|q2d|bio|seek|sync|events)/.test(key))).toEqual([])
    expect(rows.some(r => r.spoiled[0])).toBe(false)
  })
  it('gets no verdict, and a note in the text', () => {
    const depth = rows.find(r => r.key === 'depth.mean')
    expect(depth && verdictOf(depth, 0, 1)).toBe('spoiled')
    const names = [a, spoiled].map((_, i) => ({ letter: 'AB'[i] ?? '', label: 'run', device: 'vda' }))
    const text = asText({ rows, zero: [] }, names, 0)
    expect(text).toContain('9*')
    expect(text).toContain('* Spoiled: events of B were lost, so this figure is wrong.')
  })
})

describe('what the application saw', () => {
  const bench = (rate: number, p99: number) => [
    { key: 'bench.dd.rate', label: 'dd rate', unit: 'bytes/s' as const, good: 'more' as const, value: rate },
    { key: 'bench.fio.write.clat_p99', label: 'fio write clat p99', unit: 'ns' as const, good: 'less' as const, value: p99 },
  ]
  const summed = [{ ...bench(2e6, 0)[0], label: 'dd rate, sum' }] as ReturnType<typeof bench>
  const application = applicationRows([bench(4e6, 5e6), undefined, bench(2e6, 9e6), summed], 0)
  it('stands by figure, as far as each run has one', () => {
    expect(application.map(r => [r.label, r.unit, ...r.values])).toEqual([
      ['dd rate, sum', 'MB/s', 4, undefined, 2, 2],
      ['fio write clat p99', 'ms', 5, undefined, 9, undefined],
    ])
    expect(application.map(r => verdictOf(r, 0, 2))).toEqual(['worse', 'worse'])
  })
  it('is in the text and in the CSV, before what the disk saw', () => {
    const runs = ['A', 'B', 'C', 'D'].map(letter => ({ letter, label: 'run', device: 'vda' }))
    const text = asText({ ...found, application }, runs.slice(0, 2), 0)
    expect(text.indexOf('What the application saw')).toBeLessThan(text.indexOf('What the disk saw'))
    expect(text).toMatch(/dd rate, sum +MB\/s/)
    expect(asCsv({ ...found, application }, runs.slice(0, 2), 0)).toContain('bench.dd.rate,"dd rate, sum",MB/s,4')
  })
})
