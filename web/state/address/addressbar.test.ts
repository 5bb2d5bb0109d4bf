import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { resultsClient } from '../../engine/answer'
import { ns, sector } from '../../lib/units'
import { createOpening } from '../../opening/opening'
import { createActions } from '../actions/create'
import { createPageStore, put, settlePage } from '../page'
import { withValue } from '../runs/labels'
import { placeRuns } from '../runs/runs'
import type { Run } from '../types'
import { type AddressBar, followAddress } from './addressbar'

/** A browser's history, without the browser: `go` fires its event at once. */
function fakeBar(hash = '') {
  const listeners = new Set<(event: PopStateEvent) => void>()
  const entries: { hash: string; state: unknown }[] = [{ hash, state: undefined }]
  const current = { n: 0 }
  const bar: AddressBar = {
    location: {
      get hash() {
        return entries[current.n]?.hash ?? ''
      },
    },
    history: {
      get state() {
        return entries[current.n]?.state
      },
      pushState(state, _, url) {
        entries.splice(current.n + 1, entries.length, { hash: String(url), state })
        current.n++
      },
      replaceState(state, _, url) {
        entries[current.n] = { hash: String(url), state }
      },
      go(distance = 0) {
        current.n = Math.max(0, Math.min(entries.length - 1, current.n + distance))
        for (const listener of listeners) listener({ state: entries[current.n]?.state } as PopStateEvent)
      },
    },
    addEventListener: (_, listener) => listeners.add(listener),
    removeEventListener: (_, listener) => listeners.delete(listener),
  }
  return { bar, entries, current, hash: () => entries[current.n]?.hash }
}

const run: Run = {
  id: 'r',
  letter: 'A',
  linkLetter: 'A',
  label: 'one',
  baseline: true,
  hidden: false,
  status: { kind: 'ready' },
  trace: 1,
  client: { query: () => new Promise(() => undefined) },
  device: 0,
  info: {
    name: 't',
    label: 'one',
    format: '',
    absent: [],
    files: [],
    complete: true,
    span: ns(8e9),
    events: 1,
    requests: 1,
    messages: 0,
    cpus: [0],
    devices: [
      {
        index: 0,
        dev: '254,0',
        name: 'vda',
        role: 'disk',
        events: 1,
        requests: 1,
        lba: [sector(0), sector(8)],
        active: [ns(0), ns(8e9)],
      },
    ],
    processes: [],
    quality: {
      lostEvents: 0,
      truncatedBytes: 0,
      unknownRecords: 0,
      unmatched: { Q: 0, D: 0, C: 0 },
      holes: [],
      warnings: [],
    },
  },
}

function start(hash = '') {
  const store = createPageStore()
  const actions = createActions(
    store,
    createOpening(store, {
      openTrace: () => ({ client: run.client, cancel: () => undefined }),
      openSnapshot: () => Promise.reject(new Error('no snapshot')),
      results: resultsClient(() => Promise.reject(new Error('no results'))),
      readTexts: () => Promise.reject(new Error('no texts')),
      following: async () => () => ({ client: run.client, cancel: () => undefined, stop: () => undefined }),
      estimateTrace: () => Promise.reject(new Error('no estimate')),
      groupParts: async () => ({ files: [], problems: [], traces: [], rejected: [], notes: [], unread: [] }),
    }),
    async () => [],
  )
  const fake = fakeBar(hash)
  const { stop, show } = followAddress(store, actions, fake.bar, 'this life')
  const open = () => store.setState(page => settlePage({ ...page, runs: placeRuns([run]) }), true)
  return { store, actions, ...fake, stop, show, open }
}
const range = (a: number, b: number) => ({ t0: ns(a * 1e9), t1: ns(b * 1e9) })

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('the address bar', () => {
  it('holds the view, and each committed range is a step of the history', () => {
    const { open, actions, hash, entries } = start()
    open()
    actions.commit(range(1, 3))
    expect(hash()).toBe('#v=1&t=1..3')
    actions.commit(range(1.5, 2))
    actions.hide('ops', 'read', true)
    vi.runAllTimers()
    expect(hash()).toBe('#v=1&t=1.5..2&hide=op:read')
    // The landing page, the full run and two ranges.
    expect(entries).toHaveLength(4)
  })
  it('goes back and forward with the browser, and keeps the filters', () => {
    const { open, actions, bar, store, hash } = start()
    open()
    actions.commit(range(1, 3))
    actions.commit(range(1.5, 2))
    actions.hide('ops', 'read', true)
    vi.runAllTimers()
    bar.history.go(-1)
    expect(store.getState().view.range).toEqual(range(1, 3))
    expect(hash()).toBe('#v=1&t=1..3&hide=op:read')
    bar.history.go(-1)
    expect(store.getState().view.range).toEqual(range(0, 8))
    bar.history.go(2)
    expect(store.getState().view.range).toEqual(range(1.5, 2))
  })
  it('moves the browser back when the page goes back', () => {
    const { open, actions, current, entries } = start()
    open()
    actions.commit(range(1, 3))
    actions.back()
    expect(current.n).toBe(1)
    actions.commit(range(4, 5))
    expect(entries).toHaveLength(3)
  })
  it('does not step while zooming, and writes once at rest', () => {
    const { open, actions, entries, hash } = start()
    open()
    for (let i = 0; i < 50; i++) actions.zoom(0.9)
    expect(entries).toHaveLength(2)
    vi.runAllTimers()
    expect(hash()).toMatch(/^#v=1&t=3\.9\d*\.\.4\.0\d*$/)
  })
  it('opens what it says', () => {
    const { open, store } = start('#v=1&t=1..2&layer=op&stage=d2c&geo=unit=64KiB,disks=3&hide=flag:fua')
    open()
    const { view, geometry } = store.getState()
    expect(view).toMatchObject({ range: range(1, 2), layer: 'op', stage: 'd2c', hidden: { flags: ['fua'] } })
    expect(geometry).toEqual({ level: 'none', unit: 128, dataDisks: 3, start: 0 })
  })
  it('stays with the open runs when a file was added to them', () => {
    const { open, actions, bar, store } = start('#v=1&sample=idling')
    store.setState(page => ({ ...page, sample: 'idling' }))
    open()
    actions.commit(range(1, 3))
    store.setState(page => put(page, 'sample', undefined), true)
    bar.history.go(-1)
    expect(store.getState().view.range).toEqual(range(0, 8))
    expect(store.getState().runs).toHaveLength(1)
  })
  it('goes back to a comparison that an address opens, but closes no files of the reader for it', () => {
    const { open, actions, bar, store } = start('#v=1&sample=idling')
    store.setState(page => ({ ...page, sample: 'idling' }))
    open()
    actions.commit(range(1, 3))
    actions.removeAll()
    store.setState(page => ({ ...page, sample: 'raid5' }))
    open()
    vi.runAllTimers()
    bar.history.go(-1)
    expect(store.getState()).toMatchObject({ runs: [], sorting: true })
    open()
    vi.runAllTimers()
    bar.history.go(1)
    expect(store.getState().runs).toHaveLength(1)
  })
  it('holds the finding, what charts show and the edited table of labels, and nothing that was only guessed', () => {
    const { open, actions, store, hash } = start()
    open()
    store.setState(page => ({
      ...page,
      labels: { ...page.labels, parts: [{ key: 'kernel', name: 'Kernel' }], values: { r: { kernel: '6.1' } } },
    }))
    vi.runAllTimers()
    expect(hash()).not.toContain('part')
    actions.showFinding(2)
    actions.setSizesAt('completed')
    actions.setRate('ios')
    actions.label(table => withValue(table, 'r', 'kernel', '6.12'))
    vi.runAllTimers()
    expect(hash()).toBe('#v=1&part=kernel:Kernel&cell.A=kernel:6.12&finding=2&sizes=completed&rate=ios')
  })
  it('puts the table of labels of a link on the runs when they are there', () => {
    const { open, store } = start('#v=1&part=kernel:Kernel&part=x:idle&cell.A=x:8&finding=3')
    open()
    const { labels, finding } = store.getState()
    expect(labels).toMatchObject({
      edited: true,
      values: { r: { x: '8' } },
      parts: [{ key: 'kernel' }, { key: 'x', name: 'idle' }],
    })
    expect(finding).toBe(3)
  })
  it('asks before it opens addresses, and does not lose the link meanwhile', () => {
    const sha = '0011223344556677'.repeat(4)
    const link = `#v=1&url=https%3A%2F%2Fexample.org%2Fa.tar&sha=${sha}&rate=ios`
    const { store, actions, hash } = start(link)
    expect(store.getState().dialog).toEqual({
      kind: 'reference',
      reference: { urls: [{ url: 'https://example.org/a.tar', sha }] },
    })
    actions.setRate(undefined)
    vi.runAllTimers()
    expect(hash()).toBe(link)
  })
  it('says what it cannot read', () => {
    const { store } = start('#v=1&t=5..2&url=javascript:alert(1)&layer=op')
    expect(store.getState().linkProblems.map(problem => problem.key)).toEqual(['t', 'url'])
    expect(store.getState().dialog).toBeUndefined()
    expect(store.getState().view.layer).toBe('op')
  })
  it('takes a step of a life before the reload by its address alone', () => {
    const { open, bar, entries, store } = start()
    open()
    entries[1] = { hash: '#v=1&t=5..6', state: { life: 'before', index: 7 } }
    bar.history.go(0)
    expect(store.getState().view.range).toEqual(range(5, 6))
  })
})

describe('the landing page in the history', () => {
  it('is where back leads from what was opened there, and forward leads to what is still open', () => {
    const { open, bar, store, hash } = start()
    open()
    expect(hash()).toBe('#v=1')
    bar.history.go(-1)
    expect(store.getState()).toMatchObject({ home: true, runs: [{ id: 'r' }] })
    bar.history.go(1)
    expect(store.getState().home).toBeUndefined()
    expect(store.getState().runs).toHaveLength(1)
  })
  it('is an entry when the reader goes there, and another one when what is open is shown again', () => {
    const { open, actions, bar, store, entries, hash } = start()
    open()
    actions.commit(range(1, 3))
    actions.goHome()
    expect(hash()).toBe('#')
    expect(entries).toHaveLength(4)
    bar.history.go(-1)
    expect(store.getState().home).toBeUndefined()
    expect(store.getState().view.range).toEqual(range(1, 3))
    bar.history.go(1)
    actions.leaveHome()
    expect(hash()).toBe('#v=1&t=1..3')
    expect(entries).toHaveLength(5)
  })
  it('leads back to runs that were closed, as they were, while that can be undone', () => {
    const { open, actions, bar, store, entries } = start()
    open()
    actions.commit(range(1, 3))
    actions.closeAll()
    expect(store.getState().runs).toEqual([])
    expect(entries).toHaveLength(4)
    bar.history.go(-1)
    expect(store.getState()).toMatchObject({ runs: [{ id: 'r' }], undo: [], view: { range: range(1, 3) } })
    bar.history.go(-1)
    expect(store.getState().view.range).toEqual(range(0, 8))
    expect(entries).toHaveLength(4)
  })
  it('keeps its entry when a comparison is opened that takes a while', () => {
    const { open, store, entries, hash, show } = start()
    show({ link: { layout: 'overlay' }, problems: [] })
    store.setState(page => ({ ...page, opening: true }))
    open()
    vi.runAllTimers()
    store.setState(page => put(page, 'opening', undefined), true)
    vi.runAllTimers()
    expect(entries).toHaveLength(2)
    expect(hash()).toBe('#v=1&layout=overlay')
  })
  it('leads to the files of an entry that this browser keeps', () => {
    const { open, store, bar, entries } = start()
    open()
    entries.push({ hash: '#v=1&layout=overlay', state: { life: 'before', comparison: 0, index: 0, stored: 'other' } })
    bar.history.go(1)
    expect(store.getState()).toMatchObject({ runs: [], restoring: 'other', opening: true, view: { layout: 'overlay' } })
  })
  it('gets no second entry when a trace fails', () => {
    const { open, store, entries } = start()
    open()
    store.setState(page => ({ ...page, runs: [] }), true)
    vi.runAllTimers()
    expect(entries).toHaveLength(2)
  })
})
