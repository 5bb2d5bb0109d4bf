import { describe, expect, it } from 'vitest'
import { ns } from '../../lib/units'
import { decodeLink } from '../../link/link'
import { createPageStore, type Page } from '../page'
import { push } from '../trail'
import { type AddressContext, type AddressEvent, type AddressState, reduce } from './reducer'

const CONTEXT: AddressContext = { life: 'this life', annotations: [] }
const EMPTY = createPageStore().getState()
const START: AddressState = {
  annotations: [],
  index: 0,
  url: '',
  showsDocument: false,
  showsLanding: true,
  comparison: 0,
}
const RANGE = { t0: ns(1e9), t1: ns(2e9) }

const kindsAfter = (state: AddressState, event: AddressEvent) =>
  reduce(state, event, CONTEXT)[1].map(effect => effect.kind)

describe('the reducer of the URL', () => {
  const zoomed: Page = { ...EMPTY, trail: push(EMPTY.trail, RANGE) }

  it('pushes an entry for a committed range, and writes first what waited', () => {
    expect(kindsAfter(START, { kind: 'moved', page: zoomed, before: EMPTY })).toEqual(['flush', 'write'])
  })
  it('goes back with the page, once', () => {
    const [state, effects] = reduce({ ...START, index: 1 }, { kind: 'moved', page: EMPTY, before: zoomed }, CONTEXT)
    expect(effects).toEqual([{ kind: 'go', steps: -1 }])
    expect(kindsAfter(state, { kind: 'moved', page: EMPTY, before: EMPTY })).toEqual([])
  })
  it('waits before it writes any other change, and writes none that the URL does not hold', () => {
    const titled: Page = { ...EMPTY, title: 'idling' }
    expect(kindsAfter(START, { kind: 'moved', page: titled, before: EMPTY })).toEqual(['writeSoon'])
    const sorting: Page = { ...EMPTY, sorting: !EMPTY.sorting }
    expect(kindsAfter(START, { kind: 'moved', page: sorting, before: EMPTY })).toEqual([])
  })
  it('says which settings a link loses with a missing trace, and forgets them', () => {
    const { link } = decodeLink('#v=1&url=https%3A%2F%2Fexample.org%2Fa.tar&label.A=old')
    const before: Page = { ...EMPTY, opening: true }
    const [state, effects] = reduce({ ...START, link }, { kind: 'changed', page: EMPTY, before }, CONTEXT)
    expect(effects.map(effect => effect.kind)).toEqual(['page', 'problems', 'writeSoon'])
    expect(state.link).toBeUndefined()
  })
  it('shows an entry of this document by its step, and one of another by its URL', () => {
    const read = decodeLink('#v=1&t=5..6')
    const visited = (life: string) =>
      reduce(
        { ...START, index: 1 },
        { kind: 'visited', state: { life, comparison: 0, index: 0 }, read, landing: false, page: zoomed },
        CONTEXT,
      )
    const [next, effects] = visited('this life')
    expect([next.index, effects.map(effect => effect.kind)]).toEqual([0, ['page', 'write']])
    expect(visited('before')[1].map(effect => effect.kind)).toEqual(['page', 'await', 'dispatch'])
  })
  it('opens rows of the open fleet again, and not the record that lacks them', () => {
    const kindsOfVisit = (page: Page) => {
      const state = { life: 'this life', comparison: 0, index: 0, stored: 'id', document: [0, 1] }
      return kindsAfter(START, { kind: 'visited', state, read: decodeLink('#v=1'), landing: false, page })
    }
    const fleet = {} as NonNullable<Page['fleet']>
    expect(kindsOfVisit({ ...EMPTY, fleet })).toEqual(['compareRows'])
    expect(kindsOfVisit(EMPTY)).toEqual(['removeAll', 'page', 'await', 'page'])
  })
  it('writes an entry only where something differs from the one that is there', () => {
    const write: AddressEvent = { kind: 'written', method: 'replaceState', page: EMPTY, current: undefined }
    const [state, effects] = reduce(START, write, CONTEXT)
    const entry = { life: 'this life', comparison: 0, index: 0, landing: true }
    expect(effects).toEqual([{ kind: 'history', method: 'replaceState', entry, url: '#' }])
    expect(kindsAfter(state, { ...write, current: entry })).toEqual([])
    expect(kindsAfter(START, { ...write, page: { ...EMPTY, opening: true } })).toEqual([])
  })
})
