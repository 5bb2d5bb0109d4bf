import { describe, expect, it } from 'vitest'
import type { Distribution, TraceInfo } from '../../engine/protocol'
import { checkDraft, draftOf, EMPTY_DRAFT } from '../dialogs/run/geometryDraft'
import { latencyBins } from './rail/histogram'
import { lostCount, qualityVerdict } from './runs/quality'
import { outline, rateLane, starvedShares } from './timeline/lanes'

describe('the timeline', () => {
  it('outlines each bin as a step, the maximum of all runs at full height', () => {
    expect(outline(Float64Array.of(0, 2, 1), 30, 10, 2)).toBe('M0 10L0.0 10.0H10.0L10.0 0.0H20.0L20.0 5.0H30.0V10Z')
  })
  it('stays flat when nothing happened', () => {
    expect(outline(Float64Array.of(0, 0), 20, 10, 0)).toBe('M0 10L0.0 10.0H10.0L10.0 10.0H20.0V10Z')
  })
  it('washes coarse bins by their mean, and leaves out empty ones', () => {
    expect(starvedShares(Float64Array.of(0, 0, 0.5, 1, 0, 0), 3)).toEqual([{ start: 2 / 6, share: 0.75 }])
  })
  it('adds what was read, written and discarded', () => {
    const [written, empty] = [Float64Array.of(1, 2), Float64Array.of(0, 0)]
    const lane = rateLane({
      readBytes: written,
      writeBytes: written,
      discardBytes: written,
      readIos: empty,
      writeIos: empty,
      discardIos: empty,
    })
    expect([...lane.load]).toEqual([3, 6])
  })
})

describe('the latency histogram', () => {
  const distribution = (edges: number[], counts: number[], n: number): Distribution =>
    ({
      n,
      min: edges[0],
      max: edges.at(-1),
      edges: Float64Array.from(edges),
      counts: Float64Array.from(counts),
    }) as unknown as Distribution

  it('folds runs into the same bins, as shares of each run', () => {
    const bins = latencyBins([distribution([10, 100, 1000], [8, 1, 1], 10), distribution([10, 1000], [0, 4], 4)], 4)
    expect(bins?.edges).toHaveLength(5)
    expect(bins?.shares.map(s => s.reduce((a, b) => a + b, 0))).toEqual([1, 1])
    expect(bins?.shares[0]?.[0]).toBe(0.8)
    expect(bins?.shares[1]?.[3]).toBe(1)
    expect(bins?.max).toBe(1)
  })
  it('is absent without a completed request', () => {
    expect(latencyBins([undefined], 4)).toBeUndefined()
    expect(latencyBins([distribution([0], [0], 0)], 4)).toBeUndefined()
  })
  it('shows a single latency in one bin', () => {
    expect(latencyBins([distribution([50], [3], 3)], 4)?.shares[0]).toEqual([1, 0, 0, 0])
  })
})

describe('whether a trace is complete', () => {
  const info = (quality: Partial<TraceInfo['quality']>, complete = true): TraceInfo =>
    ({
      complete,
      devices: [],
      quality: {
        lostEvents: 0,
        truncatedBytes: 0,
        unknownRecords: 0,
        unmatched: { Q: 0, D: 0, C: 0 },
        holes: [],
        warnings: [],
        ...quality,
      },
    }) as unknown as TraceInfo

  it('is shown in a few words, the worst first', () => {
    expect(qualityVerdict(info({}))).toEqual({ complete: true, text: 'complete, 0 dropped' })
    expect(qualityVerdict(info({ lostEvents: 15341 }))).toEqual({ complete: false, text: '15,341 events lost' })
    const cut = { code: 'truncated-tail', message: '', at: { file: 'sda.blktrace.1' } }
    expect(qualityVerdict(info({ truncatedBytes: 18, lostEvents: 3, warnings: [cut] }))).toEqual({
      complete: false,
      text: 'truncated: sda.blktrace.1',
    })
    expect(qualityVerdict(info({ warnings: [{ code: 'x', message: '' }] }))).toEqual({
      complete: false,
      text: '1 warning',
    })
  })
  it('is not a part of a recording', () => {
    const window = (from_ns: number, to_ns?: number) =>
      ({ ...info({}), span: 3e9, window: { from_ns, ...(to_ns && { to_ns }) } }) as unknown as TraceInfo
    expect(qualityVerdict(window(0, 2e9))).toEqual({ complete: false, text: 'first 2 s only' })
    expect(qualityVerdict(window(1.5e9))).toEqual({ complete: false, text: 'from 1.50 s on only' })
  })
  it('does not call a recording of some actions complete', () => {
    const devices = [{ masked: true, recorded: 'C' }] as unknown as TraceInfo['devices']
    expect(qualityVerdict({ ...info({}), devices })).toEqual({ complete: true, text: 'C only, 0 dropped' })
  })
  it('does not claim that nothing was lost without sequence numbers', () => {
    const text = { ...info({}), absent: ['sequence numbers', 'messages'] }
    expect(qualityVerdict(text)).toEqual({ complete: true, text: 'completely read, losses unknown' })
    expect(qualityVerdict({ ...text, quality: info({ lostEvents: 17 }).quality })).toEqual({
      complete: false,
      text: '17 events lost',
    })
  })
  it('shows no number of lost events where it is unknown', () => {
    const holes = [{}] as unknown as ReturnType<typeof info>['quality']['holes']
    expect(lostCount(info({}))).toBe('0')
    expect(lostCount(info({ holes }))).toBe('some')
    expect(lostCount(info({ holes, lostEvents: 17 }))).toBe('17')
    expect(lostCount({ ...info({}), absent: ['sequence numbers'] })).toBe('unknown')
  })
  it('is not shown while the trace is read', () => {
    expect(qualityVerdict(info({}, false))).toBeUndefined()
  })
})

describe('the geometry form', () => {
  it('parses sizes into sectors', () => {
    expect(checkDraft({ level: 'raid5', unit: '256 KiB', dataDisks: '4', start: '63s' })).toEqual({
      ok: true,
      geometry: { level: 'raid5', unit: 512, dataDisks: 4, start: 63 },
    })
  })
  it('names the first invalid field', () => {
    expect(checkDraft(EMPTY_DRAFT)).toMatchObject({ ok: false, field: 'unit' })
    expect(checkDraft({ level: 'raid0', unit: '64KiB', dataDisks: '2.5', start: '0' })).toMatchObject({
      ok: false,
      field: 'dataDisks',
    })
    expect(checkDraft({ level: 'raid0', unit: '64KiB', dataDisks: '2', start: 'here' })).toMatchObject({
      ok: false,
      field: 'start',
    })
  })
  it('shows a geometry so that it reads back the same', () => {
    const checked = checkDraft({ level: 'raid6', unit: '64KiB', dataDisks: '6', start: '1MiB' })
    expect(checked.ok && checkDraft(draftOf(checked.geometry))).toEqual(checked)
  })
})
