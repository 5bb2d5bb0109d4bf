import { beforeEach, describe, expect, it } from 'vitest'
import { ns, sector } from '../lib/units'
import { file, four, info, scriptedPage, two } from '../opening/testing'
import { EMPTY_PAGE, titleOf } from './page'

let actions: ReturnType<typeof scriptedPage>['actions']
let engine: ReturnType<typeof scriptedPage>['engine']
let page: ReturnType<typeof scriptedPage>['page']
let letters: ReturnType<typeof scriptedPage>['letters']
let openTwo: ReturnType<typeof scriptedPage>['openTwo']
beforeEach(() => {
  ;({ actions, engine, page, letters, openTwo } = scriptedPage())
})

describe('opening', () => {
  it('makes a run of each trace, in order, and reads both at once', async () => {
    engine.answer.grouping = two
    await actions.open(four)
    expect(letters()).toEqual(['A*:one', 'B:two'])
    expect(engine.opened.map(o => o.name)).toEqual(['one', 'two'])
    expect(page().runs.map(r => r.status.kind)).toEqual(['reading', 'reading'])
    expect(page().sorting).toBe(false)
  })
  it('requests all figures when a trace is complete, and again with a new geometry', async () => {
    await openTwo()
    actions.setGeometry({ level: 'raid5', unit: sector(512), dataDisks: 4, start: sector(0) })
    expect(engine.opened[1]?.queries).toEqual([
      'summary {}',
      'moments {}',
      'summary {"geometry":{"level":"raid5","unit":512,"dataDisks":4,"start":0}}',
      'moments {}',
    ])
  })
  it('lets time grow with what was read', async () => {
    engine.answer.grouping = two
    await actions.open(four)
    engine.opened[1]?.events.partial(info(3, { complete: false }))
    expect(page().view.range).toEqual({ t0: 0, t1: 3e9 })
    engine.opened[1]?.events.partial(info(5, { complete: false }))
    expect(page().view.range).toEqual({ t0: 0, t1: 5e9 })
  })
  it('adds to runs that are there', async () => {
    await openTwo()
    await actions.open(four, true)
    expect(page().runs.map(r => r.letter)).toEqual(['A', 'B', 'C', 'D'])
  })
  it('says in a dialog when nothing could be opened', async () => {
    const error = { code: 'not-a-trace', message: 'It begins with text.', at: { file: 'junk.bin' } }
    engine.answer.grouping = { traces: [], rejected: [{ index: 0, error }], notes: [], unread: [] }
    await actions.open([file('junk.bin')])
    expect(page().runs).toEqual([])
    expect(page().dialog).toEqual({ kind: 'errors', title: 'junk.bin could not be opened', errors: [error] })
  })
  it('lists other files next to a trace without a dialog', async () => {
    const error = { code: 'not-a-trace', message: 'It begins with text.' }
    engine.answer.grouping = {
      traces: [{ name: 'one', label: 'one', parts: [0] }],
      rejected: [{ index: 1, error }],
      notes: [],
      unread: [2],
    }
    await actions.open(four)
    expect(page().dialog).toBeUndefined()
    expect(page().notRead).toEqual([{ path: 'dir/b', error }, { path: 'dir/c' }])
  })
  it('opens what was in an archive, shows how far it is, and lists what could not be unpacked', async () => {
    const error = { code: 'damaged-archive', message: 'The tar data are cut.', at: { file: 'dir/all.tar' } }
    const files = [file('inside')]
    engine.answer.grouping = {
      files,
      problems: [error],
      traces: [{ name: 'one', label: 'one', parts: [0] }],
      rejected: [],
      notes: [],
      unread: [],
    }
    await actions.open([file('all.tar')])
    expect(engine.answer.unpacking).toEqual({ path: 'dir/all.tar', bytes: 1, totalBytes: 4 })
    expect(page().unpacking).toBeUndefined()
    expect(letters()).toEqual(['A*:one'])
    expect(page().notRead).toEqual([{ path: 'dir/all.tar', error }])
  })
  it('opens nothing of what is cancelled, and says nothing about it', async () => {
    engine.answer.grouping = two
    engine.answer.meanwhile = () => actions.stop()
    await actions.open(four)
    expect(page()).toMatchObject({ runs: [], notRead: [], sorting: false })
    expect(page().dialog).toBeUndefined()
  })
  it('shows why a drop could not even be sorted', async () => {
    engine.answer.grouping = { code: 'engine-unavailable', message: 'The engine could not be loaded.' }
    await actions.open(four)
    expect(page().dialog).toMatchObject({ kind: 'errors', errors: [{ code: 'engine-unavailable' }] })
    expect(page().sorting).toBe(false)
  })
  it('goes back to the landing page, with the reason, when the only run fails', async () => {
    engine.answer.grouping = {
      traces: [{ name: 'one', label: 'one', parts: [0] }],
      rejected: [],
      notes: [],
      unread: [],
    }
    await actions.open(four)
    engine.opened[0]?.events.failed({ code: 'empty-trace', message: 'All files are empty.' })
    expect(page().runs).toEqual([])
    expect(page().dialog).toMatchObject({ kind: 'errors', errors: [{ code: 'empty-trace' }] })
  })
  it('keeps the others when one fails', async () => {
    engine.answer.grouping = two
    await actions.open(four)
    engine.opened[0]?.events.ready(info(4))
    engine.opened[1]?.events.failed({ code: 'engine-crashed', message: 'Out of memory.' })
    expect(page().runs.map(r => r.status.kind)).toEqual(['ready', 'failed'])
  })
  it('goes back to the landing page when only failed runs are left', async () => {
    engine.answer.grouping = two
    await actions.open(four)
    engine.opened[1]?.events.failed({ code: 'no-events', message: 'There is no event.' })
    actions.close()
    actions.remove(page().runs[0]?.id ?? '')
    expect(page()).toEqual(EMPTY_PAGE)
  })
  it('cancels: the run goes, its worker ends, late news changes nothing', async () => {
    engine.answer.grouping = two
    await actions.open(four)
    const id = page().runs[0]?.id ?? ''
    actions.remove(id)
    expect(engine.opened[0]?.cancelled).toBe(true)
    expect(letters()).toEqual(['A*:two'])
    engine.opened[0]?.events.ready(info(99))
    expect(letters()).toEqual(['A*:two'])
    actions.remove(page().runs[0]?.id ?? '')
    expect(page()).toEqual(EMPTY_PAGE)
  })
  it('opens the quality dialog of a truncated trace', async () => {
    engine.answer.grouping = two
    await actions.open(four)
    const quality = { ...info(1).quality, truncatedBytes: 18 }
    engine.opened[0]?.events.ready(info(4, { quality }))
    expect(page().dialog).toEqual({ kind: 'quality', run: page().runs[0]?.id })
  })
  it('takes no more runs than there are letters', async () => {
    engine.answer.grouping = {
      traces: Array.from({ length: 25 }, (_, i) => ({ name: `t${i}`, label: `t${i}`, parts: [0] })),
      rejected: [],
      notes: [],
      unread: [],
    }
    await actions.open(four)
    expect(page().runs).toHaveLength(20)
    expect(page().notRead.map(n => n.error?.code)).toEqual(Array(5).fill('too-many-runs'))
  })
})

describe('the row of runs', () => {
  beforeEach(() => openTwo())
  const ids = () => page().runs.map(r => r.id)

  it('gives letters by place, and keeps the baseline with its run', () => {
    actions.move(ids()[0] ?? '', 1)
    expect(letters()).toEqual(['A:two', 'B*:one'])
    actions.setBaseline(ids()[0] ?? '')
    expect(letters()).toEqual(['A*:two', 'B:one'])
  })
  it('hides a run, and never the last in sight', () => {
    actions.toggle(ids()[1] ?? '')
    expect(page().view.range.t1).toBe(4e9)
    actions.toggle(ids()[0] ?? '')
    expect(page().runs.map(r => r.hidden)).toEqual([false, true])
  })
  it('takes its title from the labels until the reader gives one', () => {
    expect(titleOf(page())).toBe('one against two')
    actions.rename(ids()[0] ?? '', '  6.1 ')
    expect(titleOf(page())).toBe('6.1 against two')
    actions.setTitle('the regression')
    expect(titleOf(page())).toBe('the regression')
  })
})

describe('the devices of a trace as runs', () => {
  const [disk] = info(4).devices
  const both = info(4, { devices: disk ? [disk, { ...disk, index: 1, dev: '254,16', name: 'vdb' }] : [] })
  beforeEach(async () => {
    engine.answer.grouping = { ...two, traces: two.traces.slice(0, 1) }
    await actions.open(four)
    engine.opened[0]?.events.partial(both)
    actions.split(page().runs[0]?.id ?? '')
  })
  it('share its reading and its end, and each asks for its figures', () => {
    expect(letters()).toEqual(['A*:one vda', 'B:one vdb'])
    engine.opened[0]?.events.ready(both)
    expect(page().runs.map(r => [r.status.kind, r.device])).toEqual([
      ['ready', 0],
      ['ready', 1],
    ])
    expect(engine.opened[0]?.queries).toEqual(['summary {}', 'moments {}', 'summary {}', 'moments {}'])
    engine.opened[0]?.events.failed({ code: 'engine-crashed', message: 'Out of memory.' })
    expect(page()).toMatchObject({ runs: [], dialog: { kind: 'errors' } })
  })
  it('let go of the trace when the last of them is removed while it is read', () => {
    actions.remove(page().runs[0]?.id ?? '')
    expect(engine.opened[0]?.cancelled).toBe(false)
    actions.remove(page().runs[0]?.id ?? '')
    expect(engine.opened[0]?.cancelled).toBe(true)
  })
})

describe('runs over their own lengths', () => {
  it('last until a part is shown, or another layout', async () => {
    await openTwo()
    for (const leave of [
      () => actions.commit({ t0: ns(1e9), t1: ns(2e9) }),
      () => actions.look({ t0: ns(1e9), t1: ns(2e9) }),
      () => actions.setLayout('overlay'),
      () => actions.setOwnLengths(false),
    ]) {
      actions.whole()
      actions.setLayout('columns')
      actions.setOwnLengths(true)
      expect(page().view.ownLengths).toBe(true)
      actions.setRate('ios')
      expect(page().view.ownLengths).toBe(true)
      leave()
      expect(page().view.ownLengths).toBeUndefined()
    }
  })
})
