import { beforeEach, describe, expect, it } from 'vitest'
import type { TraceEstimate } from '../../engine/protocol'
import { excerptPlaces } from '../../engine/reading/probe'
import { ns } from '../../lib/units'
import { file, info, scriptedPage } from '../../opening/testing'
import { linkOf } from '../address/pageLink'
import { countEvents, fitsUntil, initialPart, problemOf, windowOf } from './part'

const SECOND = 1e9
/** Ten seconds: 10 events per second, then 90, of 100 bytes each. */
const estimate: TraceEstimate = {
  events: 500,
  bytes: 50_000,
  fits: 200,
  capacity: 20_000,
  length: ns(10 * SECOND),
  overTime: [10, 10, 10, 10, 10, 90, 90, 90, 90, 90],
  error: { code: 'too-large', message: 'It does not fit.' },
}
const part = (from: number, to: number) => ({ from: ns(from * SECOND), to: ns(to * SECOND) })

describe('a part of a recording', () => {
  it('has the events of its slices, also of those that it cuts', () => {
    expect(countEvents(estimate, part(0, 10))).toBe(500)
    expect(countEvents(estimate, part(4.5, 5.5))).toBeCloseTo(50)
    expect(countEvents({ ...estimate, overTime: [500] }, part(0, 1))).toBeCloseTo(50)
  })
  it('is the largest from the beginning that fits, at first', () => {
    // 160 events: 50 of the first half, 110 of 90 per second, in steps of 10 ms.
    expect(initialPart(estimate, undefined)).toEqual(part(0, 6.22))
    expect(fitsUntil(estimate, 8 * SECOND) / SECOND).toBe(9.77)
    expect(fitsUntil(estimate, 9 * SECOND)).toBe(estimate.length)
    expect(initialPart(estimate, { from_ns: ns(2 * SECOND) })).toEqual(part(2, 10))
  })
  it('is refused where it is too large, empty, or outside', () => {
    expect(problemOf(estimate, part(0, 6))).toBeUndefined()
    expect(problemOf(estimate, part(0, 8))).toBe('too-large')
    expect(problemOf(estimate, part(3, 3))).toBe('order')
    expect(problemOf(estimate, part(11, 12))).toBe('outside')
    expect(problemOf({ ...estimate, overTime: [0, 500] }, part(0, 4))).toBe('empty')
  })
  it('has open ends where it reaches those of the recording', () => {
    expect(windowOf(estimate, part(0, 10))).toBeUndefined()
    expect(windowOf(estimate, part(2, 10))).toEqual({ from_ns: 2 * SECOND })
    expect(windowOf(estimate, part(0, 4))).toEqual({ from_ns: 0, to_ns: 4 * SECOND })
  })
})

describe('excerpts of files', () => {
  it('are inside of them, spread by size, and few', () => {
    const sizes = [0, 100_000, 50 << 20, 500 << 20]
    const places = excerptPlaces(sizes)
    expect(places.length).toBeGreaterThan(400)
    expect(places.length).toBeLessThan(500)
    expect(places.every(([file, byte]) => byte > 0 && byte + 8192 < (sizes[file] ?? 0))).toBe(true)
    const [small, large] = [2, 3].map(file => places.filter(place => place[0] === file).length)
    expect((large ?? 0) / (small ?? 1)).toBeCloseTo(10, 0)
    expect(excerptPlaces(Array.from({ length: 512 }, () => 20 << 20)).length).toBeLessThan(1000)
  })
})

describe('opening', () => {
  let page: ReturnType<typeof scriptedPage>
  const large = { ...file('a'), blob: { size: 300 << 20 } as Blob }
  const open = () => page.actions.open([large, file('b')])
  beforeEach(() => {
    page = scriptedPage()
    page.engine.answer.grouping = {
      traces: [
        { name: 'one', label: 'one', parts: [0] },
        { name: 'two', label: 'two', parts: [1] },
      ],
      rejected: [],
      notes: [],
      unread: [],
    }
  })

  it('reads what fits, without a choice', async () => {
    await open()
    expect(page.letters()).toEqual(['A*:one', 'B:two'])
    expect(page.page().choices).toEqual([])
  })
  it('waits for the choice of a part, and reads that part only', async () => {
    page.engine.answer.estimate = estimate
    await open()
    expect(page.letters()).toEqual(['A*:two'])
    expect(page.page().choices).toMatchObject([{ trace: 1, label: 'one', inputs: ['dir/a'], estimate }])
    expect(page.page().dialog).toEqual({ kind: 'part', trace: 1 })
    page.actions.openPart(1, { to_ns: ns(SECOND) })
    expect(page.page()).toMatchObject({ choices: [], notRead: [] })
    expect(page.page().dialog).toBeUndefined()
    expect(page.engine.opened.map(o => [o.name, o.window])).toEqual([
      ['two', undefined],
      ['one', { to_ns: SECOND }],
    ])
  })
  it('is read until its end: the rest of the files does not count', async () => {
    page.engine.answer.estimate = estimate
    await open()
    page.actions.openPart(1, { from_ns: ns(SECOND / 2), to_ns: ns(SECOND) })
    const progress = { bytes: 1, totalBytes: 300 << 20, events: 0, requests: 0, span: 0, elapsedMs: 1 }
    const total = () =>
      page
        .page()
        .runs.flatMap(({ label, status }) =>
          label === 'one' && status.kind === 'reading' ? status.progress.totalBytes : [],
        )
    expect(total()).toEqual([(300 << 20) / 50])
    page.engine.opened[1]?.events.progress(progress)
    expect(total()).toEqual([(300 << 20) / 50])
    // Never less than what was read.
    page.engine.opened[1]?.events.progress({ ...progress, bytes: 9 << 20 })
    expect(total()).toEqual([9 << 20])
  })
  it('lists a trace of which no part was chosen', async () => {
    page.engine.answer.estimate = estimate
    await open()
    page.actions.skipPart(1)
    expect(page.page().choices).toEqual([])
    expect(page.page().notRead).toEqual([{ path: 'dir/a', error: estimate.error }])
  })
  it('reads the part that a link has of each trace', async () => {
    const urls = ['https://a.org/a', 'https://a.org/b'].map(url => ({ url }))
    const reference = { urls, opened: [1, 1], windows: [{ trace: 2, window: { to_ns: ns(SECOND) } }] }
    page.engine.answer.grouping = {
      traces: [{ name: 'one', label: 'one', parts: [0] }],
      rejected: [],
      notes: [],
      unread: [],
    }
    await page.actions.openReference(
      reference,
      urls.map(source => ({ ...file('a'), source })),
    )
    expect(page.engine.opened.map(o => o.window)).toEqual([undefined, { to_ns: SECOND }])
    expect(linkOf(page.page())).toMatchObject({ urls, windows: [{ trace: 2, window: { to_ns: SECOND } }] })
  })
  it('keeps a run whose part has no events, for another choice', async () => {
    page.engine.answer.grouping = {
      traces: [{ name: 'one', label: 'one', parts: [0] }],
      rejected: [],
      notes: [],
      unread: [],
    }
    await open()
    page.actions.openPart(1, { from_ns: ns(99 * SECOND) })
    const error = { code: 'empty-window', message: 'There is nothing.' }
    page.engine.opened[1]?.events.failed(error)
    expect(page.page().runs).toMatchObject([{ id: 'run-1', status: { kind: 'failed', error } }])
    expect(page.page().dialog).toMatchObject({ kind: 'errors', run: 'run-1' })
    await page.actions.choosePart('run-1')
    page.actions.openPart(1, undefined)
    page.engine.opened[2]?.events.ready(info(4))
    expect(page.page().runs).toMatchObject([{ status: { kind: 'ready' } }])
    // Any other failure of the only run leads back to the landing page.
    page.actions.openPart(1, { to_ns: ns(SECOND) })
    page.engine.opened[3]?.events.failed({ ...error, code: 'unreadable-file' })
    expect(page.page().runs).toEqual([])
  })
  it('reads another part in place of the open one', async () => {
    await open()
    for (const { events: on } of page.engine.opened) on.ready(info(4))
    page.actions.rename('run-1', 'before')
    page.engine.answer.estimate = estimate
    await page.actions.choosePart('run-1')
    expect(page.page().choices).toMatchObject([{ trace: 1, run: 'run-1', estimate }])
    page.actions.skipPart(1)
    expect(page.page().runs).toHaveLength(2)
    await page.actions.choosePart('run-1')
    page.actions.openPart(1, { from_ns: ns(SECOND) })
    expect(page.engine.opened[0]?.cancelled).toBe(true)
    expect(page.engine.opened[2]).toMatchObject({ name: 'one', window: { from_ns: SECOND } })
    expect(page.page().runs[0]).toMatchObject({
      id: 'run-1',
      label: 'before',
      letter: 'A',
      status: { kind: 'reading' },
      window: { from_ns: SECOND },
    })
    expect(page.page().runs[0]?.info).toBeUndefined()
    // And all of it again.
    page.actions.openPart(1, undefined)
    expect(page.page().runs[0]?.window).toBeUndefined()
  })
})
