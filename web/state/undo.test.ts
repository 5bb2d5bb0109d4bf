import { beforeEach, describe, expect, it } from 'vitest'
import { four, info, scriptedPage, two } from '../opening/testing'
import { EMPTY_PAGE } from './page'
import { MAX_HELD_TRACES, MAX_UNDO_STEPS, withStep } from './undo'

let { actions, engine, page, letters, openTwo } = scriptedPage()
beforeEach(() => {
  ;({ actions, engine, page, letters, openTwo } = scriptedPage())
})
const id = (n: number) => page().runs[n]?.id ?? ''

describe('undo', () => {
  it('brings a removed run back to its place, with label and visibility, without reading it again', async () => {
    await openTwo()
    actions.rename(id(0), '6.1')
    actions.toggle(id(0))
    const removed = page().runs[0]
    actions.remove(id(0))
    expect(letters()).toEqual(['A*:two'])
    expect(page().toast).toEqual({ words: 'Removed A.', undo: true })
    actions.undo()
    expect(letters()).toEqual(['A*:6.1', 'B:two'])
    expect(page().runs[0]).toMatchObject({ hidden: true, client: removed?.client })
    expect(engine.opened).toHaveLength(2)
    expect(engine.opened[0]?.cancelled).toBe(false)
  })
  it('asks for the figures again that a removed run did not get', async () => {
    await openTwo()
    actions.remove(id(1))
    actions.undo()
    expect(engine.opened[1]?.queries.filter(query => query === 'summary {}')).toHaveLength(2)
  })
  it('brings closed runs back, and the last run that was removed', async () => {
    await openTwo()
    actions.remove(id(0))
    actions.remove(id(0))
    expect(page().runs).toEqual([])
    actions.undo()
    expect(letters()).toEqual(['A*:two'])
    actions.undo()
    expect(letters()).toEqual(['A*:one', 'B:two'])
    actions.closeAll()
    expect(page().toast?.words).toBe('Closed one against two.')
    actions.undo()
    expect(letters()).toEqual(['A*:one', 'B:two'])
    expect(page().undo).toEqual([])
  })
  it('goes back through names and groups, the last first', async () => {
    await openTwo()
    actions.rename(id(0), '6.1')
    actions.group([{ label: 'both', runs: [id(0), id(1)] }])
    actions.groupByName(false)
    expect(page().runs.map(run => run.group)).toEqual([undefined, undefined])
    actions.undo()
    expect(page().runs.map(run => run.group)).toEqual(['both', 'both'])
    actions.undo()
    expect(page()).toMatchObject({ runs: [{ label: '6.1' }, { label: 'two' }] })
    expect(page().grouping).toBeUndefined()
    actions.undo()
    expect(letters()).toEqual(['A*:one', 'B:two'])
    actions.undo()
    expect(letters()).toEqual(['A*:one', 'B:two'])
  })
  it('takes all edits of one visit of the label table as one', async () => {
    await openTwo()
    const before = page().labels
    actions.show({ kind: 'labels' })
    for (const name of ['a', 'b']) actions.label(table => ({ ...table, parts: [{ key: 'x', name }], edited: true }))
    expect(page().undo).toHaveLength(1)
    actions.undo()
    expect(page().labels).toEqual(before)
  })
  it('ends runs that are still being read', async () => {
    engine.answer.grouping = two
    await actions.open(four)
    engine.opened[0]?.events.ready(info(4))
    actions.closeAll()
    expect(engine.opened.map(trace => trace.cancelled)).toEqual([false, true])
    actions.undo()
    expect(letters()).toEqual(['A*:one'])
  })
})

describe('what undo holds', () => {
  it('is the last steps; the worker of a run that falls out ends', async () => {
    await openTwo()
    actions.remove(id(0))
    for (let i = 0; i < MAX_UNDO_STEPS - 1; i++) actions.rename(id(0), `name ${i}`)
    expect(engine.opened[0]?.cancelled).toBe(false)
    actions.rename(id(0), 'one more')
    expect(page().undo).toHaveLength(MAX_UNDO_STEPS)
    expect(engine.opened[0]?.cancelled).toBe(true)
    expect(engine.opened[1]?.cancelled).toBe(false)
  })
  it('is not more traces than can be open, but always the last step', () => {
    const step = (words: string, count: number) => ({
      words,
      traces: Array.from({ length: count }, (_, i) => i),
      restore: () => EMPTY_PAGE,
    })
    const words = (...steps: readonly ReturnType<typeof step>[]) =>
      steps.reduce(withStep, EMPTY_PAGE).undo.map(({ words }) => words)
    expect(words(step('a', 1), step('b', MAX_HELD_TRACES - 1))).toEqual(['a', 'b'])
    expect(words(step('a', 1), step('b', 0), step('c', MAX_HELD_TRACES))).toEqual(['b', 'c'])
    expect(words(step('a', 1), step('b', MAX_HELD_TRACES + 1))).toEqual(['b'])
  })
  it('is freed when another comparison is opened', async () => {
    await openTwo()
    actions.closeAll()
    await actions.open(four)
    expect(page().undo).toEqual([])
    expect(page().toast).toBeUndefined()
    expect(engine.opened.map(trace => trace.cancelled)).toEqual([true, true, false, false])
  })
})

describe('the landing page over open runs', () => {
  it('keeps them until something else is opened', async () => {
    await openTwo()
    actions.goHome()
    expect(page()).toMatchObject({ home: true, runs: [{ label: 'one' }, { label: 'two' }] })
    await actions.open(four)
    expect(page().home).toBeUndefined()
    expect(letters()).toEqual(['A*:one', 'B:two'])
    expect(engine.opened.map(trace => trace.cancelled)).toEqual([true, true, false, false])
  })
  it('keeps them too when the other files have no trace', async () => {
    await openTwo()
    actions.goHome()
    engine.answer.grouping = { traces: [], rejected: [], notes: [], unread: [0] }
    await actions.open(four)
    expect(page()).toMatchObject({ home: true, dialog: { kind: 'errors' }, runs: [{}, {}] })
    expect(page().notRead).toEqual([])
  })
})
