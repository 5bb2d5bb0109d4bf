import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { resultsClient } from '../engine/answer'
import type { OpenEvents } from '../engine/client'
import type { CompareDocument, DroppedFile, EngineError, Finding, Grouping, TraceInfo, UnpackProgress } from '../engine/protocol'
import { ns, sector } from '../lib/units'
import { createOpening } from '../opening/opening'
import { createActions, type PageActions } from './actions'
import { extentOf } from './filter'
import { createPageStore, EMPTY_PAGE, type PageStore, titleOf } from './page'

const info = (seconds: number, over: Partial<TraceInfo> = {}): TraceInfo => ({
  name: 'trace',
  label: 'trace',
  format: 'blktrace-v7',
  files: [],
  complete: true,
  span: ns(seconds * 1e9),
  events: 10,
  requests: 2,
  messages: 0,
  cpus: [0],
  devices: [
    { index: 0, dev: '254,0', name: 'vda', role: 'disk', events: 10, requests: 2, lba: [sector(0), sector(8)], active: [ns(0), ns(seconds * 1e9)] },
  ],
  processes: [],
  quality: { lostEvents: 0, truncatedBytes: 0, unknownRecords: 0, unmatched: { Q: 0, D: 0, C: 0 }, holes: [], warnings: [] },
  ...over,
})

type FoundFiles = Pick<Grouping, 'traces' | 'rejected' | 'notes' | 'unread'> & Partial<Grouping>

/** An engine with answers set by the test. */
function scripted() {
  const opened: { name: string; on: OpenEvents; cancelled: boolean; asked: string[] }[] = []
  const answer: { grouping: FoundFiles | EngineError; unpacking?: UnpackProgress | undefined; meanwhile?: () => void } = {
    grouping: { traces: [], rejected: [], notes: [], unread: [] },
  }
  const engine = {
    openTrace: (name: string, _label: string, _parts: readonly unknown[], on: OpenEvents) => {
      const one = { name, on, cancelled: false, asked: [] as string[] }
      opened.push(one)
      const query = (kind: string, ask: unknown) => {
        one.asked.push(`${kind} ${JSON.stringify(ask)}`)
        return new Promise<never>(() => undefined)
      }
      return { client: { query }, cancel: () => Object.assign(one, { cancelled: true }) }
    },
    openSnapshot: () => Promise.reject(new Error('no snapshot')),
    results: resultsClient(() => Promise.reject(new Error('no results'))),
    groupParts: async (files: readonly DroppedFile[], unpacking: (progress: UnpackProgress) => void, signal: AbortSignal): Promise<Grouping> => {
      answer.meanwhile?.()
      signal.throwIfAborted()
      if ('code' in answer.grouping) throw answer.grouping
      unpacking({ path: 'dir/all.tar', bytes: 1, totalBytes: 4 })
      answer.unpacking = store.getState().unpacking
      return { files, problems: [], ...answer.grouping }
    },
  }
  return { engine, opened, answer }
}

const file = (name: string): DroppedFile => ({ name, path: `dir/${name}`, blob: new Blob(['x']), lastModified: 0 })
const two: FoundFiles = {
  traces: [
    { name: 'one', label: 'one', parts: [0, 1] },
    { name: 'two', label: 'two', parts: [2] },
  ],
  rejected: [],
  notes: [],
  unread: [],
}
const four = ['a', 'b', 'c', 'd'].map(file)

let store: PageStore
let actions: PageActions
let engine: ReturnType<typeof scripted>

beforeEach(() => {
  engine = scripted()
  store = createPageStore()
  actions = createActions(store, createOpening(store, engine.engine), async () => [])
})
const page = () => store.getState()
const letters = () => page().runs.map(r => `${r.letter}${r.baseline ? '*' : ''}:${r.label}`)

async function openTwo() {
  engine.answer.grouping = two
  await actions.open(four)
  engine.opened[0]?.on.ready(info(4))
  engine.opened[1]?.on.ready(info(8))
}

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
    expect(engine.opened[1]?.asked).toEqual(['summary {}', 'summary {"geometry":{"level":"raid5","unit":512,"dataDisks":4,"start":0}}'])
  })
  it('lets time grow with what was read', async () => {
    engine.answer.grouping = two
    await actions.open(four)
    engine.opened[1]?.on.partial(info(3, { complete: false }))
    expect(page().view.range).toEqual({ t0: 0, t1: 3e9 })
    engine.opened[1]?.on.partial(info(5, { complete: false }))
    expect(page().view.range).toEqual({ t0: 0, t1: 5e9 })
  })
  it('adds to runs that are there', async () => {
    await openTwo()
    await actions.open(four)
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
    engine.answer.grouping = { traces: [{ name: 'one', label: 'one', parts: [0] }], rejected: [{ index: 1, error }], notes: [], unread: [2] }
    await actions.open(four)
    expect(page().dialog).toBeUndefined()
    expect(page().notRead).toEqual([{ path: 'dir/b', error }, { path: 'dir/c' }])
  })
  it('opens what was in an archive, shows how far it is, and lists what could not be unpacked', async () => {
    const error = { code: 'damaged-archive', message: 'The tar data are cut.', at: { file: 'dir/all.tar' } }
    const files = [file('inside')]
    engine.answer.grouping = { files, problems: [error], traces: [{ name: 'one', label: 'one', parts: [0] }], rejected: [], notes: [], unread: [] }
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
    engine.answer.grouping = { traces: [{ name: 'one', label: 'one', parts: [0] }], rejected: [], notes: [], unread: [] }
    await actions.open(four)
    engine.opened[0]?.on.failed({ code: 'empty-trace', message: 'All files are empty.' })
    expect(page().runs).toEqual([])
    expect(page().dialog).toMatchObject({ kind: 'errors', errors: [{ code: 'empty-trace' }] })
  })
  it('keeps the others when one fails', async () => {
    engine.answer.grouping = two
    await actions.open(four)
    engine.opened[0]?.on.ready(info(4))
    engine.opened[1]?.on.failed({ code: 'engine-crashed', message: 'Out of memory.' })
    expect(page().runs.map(r => r.status.kind)).toEqual(['ready', 'failed'])
  })
  it('goes back to the landing page when only failed runs are left', async () => {
    engine.answer.grouping = two
    await actions.open(four)
    engine.opened[1]?.on.failed({ code: 'no-events', message: 'There is no event.' })
    actions.close()
    actions.remove(page().runs[0]?.id ?? '')
    expect(page()).toEqual(EMPTY_PAGE)
  })
  it('cancels: the run goes, its worker ends, late news changes nothing', async () => {
    await openTwo()
    const id = page().runs[0]?.id ?? ''
    actions.remove(id)
    expect(engine.opened[0]?.cancelled).toBe(true)
    expect(letters()).toEqual(['A*:two'])
    engine.opened[0]?.on.ready(info(99))
    expect(letters()).toEqual(['A*:two'])
    actions.remove(page().runs[0]?.id ?? '')
    expect(page()).toEqual(EMPTY_PAGE)
  })
  it('opens the quality dialog of a truncated trace', async () => {
    engine.answer.grouping = two
    await actions.open(four)
    const quality = { ...info(1).quality, truncatedBytes: 18 }
    engine.opened[0]?.on.ready(info(4, { quality }))
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
  beforeEach(openTwo)
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
    engine.opened[0]?.on.partial(both)
    actions.split(page().runs[0]?.id ?? '')
  })
  it('share its reading and its end, and each asks for its figures', () => {
    expect(letters()).toEqual(['A*:one vda', 'B:one vdb'])
    engine.opened[0]?.on.ready(both)
    expect(page().runs.map(r => [r.status.kind, r.device])).toEqual([
      ['ready', 0],
      ['ready', 1],
    ])
    expect(engine.opened[0]?.asked).toHaveLength(2)
    engine.opened[0]?.on.failed({ code: 'engine-crashed', message: 'Out of memory.' })
    expect(page()).toMatchObject({ runs: [], dialog: { kind: 'errors' } })
  })
  it('let go of the trace when the last of them is removed', () => {
    actions.remove(page().runs[0]?.id ?? '')
    expect(engine.opened[0]?.cancelled).toBe(false)
    actions.remove(page().runs[0]?.id ?? '')
    expect(engine.opened[0]?.cancelled).toBe(true)
  })
})

describe('committed ranges', () => {
  beforeEach(openTwo)
  const range = (a: number, b: number) => ({ t0: ns(a * 1e9), t1: ns(b * 1e9) })

  it('commits the preview and goes back step by step', () => {
    actions.preview(range(1, 3))
    expect(page().view.range).toEqual(range(0, 8))
    actions.commit()
    expect(page().view.range).toEqual(range(1, 3))
    expect(page().view.preview).toBeUndefined()
    actions.commit(range(2, 2.5))
    actions.back()
    expect(page().view.range).toEqual(range(1, 3))
    actions.forward()
    expect(page().view.range).toEqual(range(2, 2.5))
    actions.back()
    actions.back()
    expect(page().view.range).toEqual(range(0, 8))
  })
  it('drops a preview before it goes back', () => {
    actions.commit(range(1, 3))
    actions.preview(range(1, 2))
    actions.back()
    expect(page().view.preview).toBeUndefined()
    expect(page().view.range).toEqual(range(1, 3))
  })
  it('looks without leaving a step behind', () => {
    actions.commit(range(1, 3))
    actions.look(range(1, 2))
    actions.look(range(1.5, 2))
    actions.back()
    expect(page().view.range).toEqual(range(0, 8))
  })
  it('stays within what there is, whatever is done', () => {
    const step = fc.oneof(
      fc.tuple(fc.double({ min: -20, max: 20, noNaN: true }), fc.double({ min: 0, max: 20, noNaN: true })).map(
        ([a, w]) =>
          () =>
            actions.look(range(a, a + w)),
      ),
      fc.tuple(fc.double({ min: -20, max: 20, noNaN: true }), fc.double({ min: 0, max: 20, noNaN: true })).map(
        ([a, w]) =>
          () =>
            actions.commit(range(a, a + w)),
      ),
      fc.double({ min: 0.01, max: 100, noNaN: true }).map(f => () => actions.zoom(f)),
      fc.double({ min: -3, max: 3, noNaN: true }).map(f => () => actions.pan(f)),
      fc.constant(() => actions.back()),
      fc.constant(() => actions.forward()),
      fc.constant(() => actions.whole()),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), steps => {
        for (const act of steps) act()
        const { t0, t1 } = page().view.range
        const whole = extentOf(page().runs)
        expect(t0).toBeGreaterThanOrEqual(whole.t0)
        expect(t1).toBeLessThanOrEqual(whole.t1)
        expect(t1 - t0).toBeGreaterThan(999)
      }),
    )
  })
  it('comes back to the beginning by as many steps as were committed', () => {
    const ranges = fc.array(fc.tuple(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 1, max: 2 })), { maxLength: 20 })
    fc.assert(
      fc.property(ranges, list => {
        actions.whole()
        const before = page().trail.at
        for (const [a, w] of list) actions.commit(range(a, a + w))
        while (page().trail.at > before) actions.back()
        expect(page().view.range).toEqual(range(0, 8))
      }),
    )
  })
})

describe('evidence', () => {
  const found = (rank: number, over: Partial<Finding>): Finding => ({
    code: 'starved-while-waiting',
    rank,
    sentence: '',
    figures: {},
    evidence: { chart: 'queue-depth', run: 1, range: [5e9, 6e9] },
    rule: '',
    ...over,
  })
  const intervals = [
    [1e9, 2e9],
    [3e9, 4e9],
  ] as const
  it('goes from one interval of the finding to the next, and begins anew for another finding', async () => {
    await openTwo()
    const findings = [
      found(1, { when: { intervals, share: 0.8, of_run: 0.25 } }),
      found(2, { code: 'depth-fell', when: { intervals: [], share: 1, of_run: 1 } }),
    ]
    const document = {
      schema: 1,
      runs: [],
      sides: [
        { label: 'a', runs: [0] },
        { label: 'b', runs: [1] },
      ],
      baseline: 0,
      side: 1,
      findings,
    } as unknown as CompareDocument
    store.setState(before => ({ ...before, comparison: { runs: before.runs.map(run => run.id), ask: { runs: [], baseline: 0 }, document } }))
    const shown = () => {
      actions.showEvidence()
      const { t0, t1 } = page().view.range
      return [t0 / 1e9, t1 / 1e9]
    }
    expect([shown(), shown(), shown()]).toEqual([
      [1, 2],
      [3, 4],
      [1, 2],
    ])
    actions.showFinding(2)
    expect([shown(), shown()], 'an effect that is spread over the run').toEqual([
      [5, 6],
      [5, 6],
    ])
    actions.showFinding(1)
    expect(shown()).toEqual([1, 2])
  })
})

describe('notes', () => {
  const note = { file: 'dir/uname.txt', kind: 'uname' as const, what: 'kernel version', facts: [], kernel: '6.1.0' }
  const rejected = [{ index: 0, error: { code: 'not-a-trace', message: 'It looks like text.' } }]
  it('belong to the runs beside which they lay, with what they tell', async () => {
    const traces = two.traces.map((trace, i) => (i === 0 ? { ...trace, kernel: '6.1.0' } : trace))
    engine.answer.grouping = { ...two, traces, notes: [{ index: 3, note: { ...note, names: [['8,1', 'sda1']] }, traces: [0] }] }
    await actions.open(four)
    expect(page().runs.map(r => [r.kernel, r.deviceNames, r.notes?.length])).toEqual([
      ['6.1.0', { '8,1': 'sda1' }, 1],
      [undefined, undefined, undefined],
    ])
    expect(page().notRead).toEqual([])
  })
  it('that come later are about the open runs, and their kernel only where there is one run', async () => {
    engine.answer.grouping = { ...two, traces: two.traces.slice(0, 1) }
    await actions.open(four)
    engine.answer.grouping = { traces: [], rejected, notes: [{ index: 0, note, traces: [] }], unread: [] }
    await actions.open([file('uname.txt')])
    expect(page().runs.map(r => [r.kernel, r.notes?.map(n => n.file)])).toEqual([['6.1.0', ['dir/uname.txt']]])
    expect(page()).toMatchObject({ dialog: { kind: 'notes' }, notRead: [] })
  })
  it('are no trace where nothing is open', async () => {
    engine.answer.grouping = { traces: [], rejected, notes: [{ index: 0, note, traces: [] }], unread: [] }
    await actions.open([file('uname.txt')])
    expect(page().dialog).toMatchObject({ kind: 'errors', errors: [{ code: 'not-a-trace' }] })
  })
})
