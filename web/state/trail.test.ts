import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import type { CompareDocument, Finding } from '../engine/protocol'
import { ns } from '../lib/units'
import { scriptedPage } from '../opening/testing'
import { linkOf } from './address/pageLink'
import { extentOf } from './filter'
import { enclosing } from './trail'

let store: ReturnType<typeof scriptedPage>['store']
let actions: ReturnType<typeof scriptedPage>['actions']
let page: ReturnType<typeof scriptedPage>['page']
let openTwo: ReturnType<typeof scriptedPage>['openTwo']
beforeEach(() => {
  ;({ store, actions, page, openTwo } = scriptedPage())
})

describe('committed ranges', () => {
  beforeEach(() => openTwo())
  const range = (a: number, b: number) => ({ t0: ns(a * 1e9), t1: ns(b * 1e9) })

  it('have a path of the ranges around them, through which one steps out', () => {
    const path = () => enclosing(page().trail).map(step => step && [step.t0 / 1e9, step.t1 / 1e9])
    expect(path()).toEqual([undefined])
    actions.commit(range(1, 4))
    actions.commit(range(2, 3))
    expect(path()).toEqual([undefined, [1, 4], [2, 3]])
    // A range next to it is no step towards it.
    actions.commit(range(3, 3.5))
    expect(path()).toEqual([undefined, [1, 4], [3, 3.5]])
    actions.stepOut()
    expect(path()).toEqual([undefined, [1, 4]])
    actions.stepOut()
    actions.stepOut()
    expect(path()).toEqual([undefined])
  })
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
        const before = page().trail.index
        for (const [a, w] of list) actions.commit(range(a, a + w))
        while (page().trail.index > before) actions.back()
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
    parts: [],
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
    store.setState(before => ({
      ...before,
      comparison: { runs: before.runs.map(run => run.id), ask: { runs: [], baseline: 0 }, document },
    }))
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

  const compare = async (...findings: readonly Finding[]) => {
    await openTwo()
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
    store.setState(before => ({
      ...before,
      comparison: { runs: before.runs.map(run => run.id), ask: { runs: [], baseline: 0 }, document },
    }))
  }
  const spread = found(1, { when: { intervals, share: 0.8, of_run: 0.25 } })

  it('gives each run a window of its own, as long as the interval and within the run', async () => {
    await compare(found(1, { evidence: { chart: 'queue-depth', run: 1, range: [7e9, 7.5e9] } }))
    // The first run has ended by then.
    const [a, b] = page().runs
    expect([a, b].map(run => run?.info?.span)).toEqual([4e9, 8e9])
    actions.showEvidence()
    const { range, windows } = page().evidence ?? {}
    expect(range).toEqual({ t0: 7e9, t1: 7.5e9 })
    const moved = windows?.[a?.id ?? ''] ?? 0
    const ownTimes = [7e9 - moved, 7.5e9 - moved]
    expect(ownTimes[0]).toBeGreaterThanOrEqual(0)
    expect(ownTimes[1]).toBeLessThanOrEqual(4e9)
    expect(windows?.[b?.id ?? '']).toBeUndefined()
  })
  it('leaves with its range, its finding and its layout, and stays while a part of it is shown', async () => {
    const leaves = [
      () => actions.whole(),
      () => actions.back(),
      () => actions.commit({ t0: ns(5e9), t1: ns(6e9) }),
      () => actions.zoom(4),
      () => actions.setLayout('overlay'),
      () => actions.setLayout('matrix'),
      () => actions.showEvents(undefined),
      () => actions.showFinding(2),
      () => actions.leaveEvidence(),
    ]
    for (const leave of leaves) {
      ;({ store, actions, page, openTwo } = scriptedPage())
      await compare(spread, found(2, { code: 'depth-fell' }))
      actions.showEvidence()
      expect(page().evidence?.windows).toBeDefined()
      actions.zoom(0.5)
      expect(page().evidence?.interval).toBe(0)
      leave()
      expect(page().evidence, String(leave)).toBeUndefined()
      expect(linkOf(page()).evidence, String(leave)).toBeUndefined()
    }
  })
  it('goes back to where it was opened from, whatever interval is shown', async () => {
    await compare(spread)
    actions.commit({ t0: ns(0), t1: ns(7e9) })
    actions.showEvidence()
    actions.showEvidence()
    expect(page().evidence?.interval).toBe(1)
    actions.showEvidence(-1)
    expect(page().evidence?.interval).toBe(0)
    actions.leaveEvidence()
    expect(page().view.range).toEqual({ t0: 0, t1: 7e9 })
  })
  it('goes back there, too, from a part of it, and when another finding is shown', async () => {
    await compare(spread, found(2, { code: 'depth-fell' }))
    actions.commit({ t0: ns(0), t1: ns(7e9) })
    for (const leave of [() => actions.leaveEvidence(), () => actions.showFinding(2)]) {
      actions.showFinding(1)
      actions.showEvidence()
      actions.zoom(0.5)
      leave()
      expect(page().view.range, String(leave)).toEqual({ t0: 0, t1: 7e9 })
    }
  })
  it('without an interval leaves the range as it is to the next finding', async () => {
    await compare(found(1, { evidence: { chart: 'queue-depth', run: 1 } }), found(2, { code: 'depth-fell' }))
    actions.commit({ t0: ns(0), t1: ns(7e9) })
    actions.whole()
    const { range } = page().view
    actions.showEvidence()
    expect(page().evidence?.interval).toBe(0)
    actions.showFinding(2)
    expect(page().evidence).toBeUndefined()
    expect(page().view.range).toEqual(range)
  })
  it('of an annotation is only looked at: it does not become part of a link', async () => {
    await compare(spread)
    const run = page().runs[0]?.id ?? ''
    actions.saveAnnotation({ run, at: ns(1e9), text: 'here' })
    actions.goToAnnotation(page().annotations[0]?.id ?? 0)
    expect(page().sight).toEqual({ chart: 'seek-map' })
    expect(linkOf(page()).evidence).toBeUndefined()
  })
})
