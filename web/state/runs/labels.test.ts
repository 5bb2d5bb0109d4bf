import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { GuessedLabels, LabelSource } from '../../engine/protocol'
import { createPageStore, settlePage } from '../page'
import type { Run } from '../types'
import { followLabels } from './labelling'
import { applyGuess, labelOf, NO_LABELS, withoutPart, withPart, withPartName, withPasted, withValue } from './labels'
import { placeRuns } from './runs'

const labels: GuessedLabels = {
  parts: [
    { key: 'kernel', name: 'kernel' },
    { key: 'writers', name: 'writers' },
  ],
  runs: [
    ['6.1', '1'],
    ['6.12', ''],
  ],
  groups: [{ label: '6.1', runs: [0] }],
}
const table = applyGuess(NO_LABELS, ['a', 'b'], labels)

describe('the table of labels', () => {
  it('is what was guessed', () => {
    expect([labelOf(table, 'a', 'writers'), labelOf(table, 'b', 'kernel'), labelOf(table, 'b', 'writers')]).toEqual([
      '1',
      '6.12',
      '',
    ])
    expect([labelOf(table, 'a', 'constructor'), labelOf(table, 'c', 'toString')]).toEqual(['', ''])
    expect(table.groups).toEqual([{ label: '6.1', runs: ['a'] }])
    expect(applyGuess(table, ['b'], { ...labels, runs: [['6.13', '2']], groups: [] }).values).toEqual({
      b: { kernel: '6.13', writers: '2' },
    })
  })
  it('stays the reader’s once it was changed: a guess fills in new runs only', () => {
    const mine = withPartName(withValue(table, 'b', 'writers', ' 4 '), 'writers', 'dds')
    const later = applyGuess(mine, ['a', 'b', 'c'], {
      ...labels,
      parts: [{ key: 'kernel', name: 'x' }],
      runs: [['9'], ['9'], ['9']],
    })
    expect(later.parts).toEqual([labels.parts[0], { key: 'writers', name: 'dds' }])
    expect(later.values).toEqual({
      a: { kernel: '6.1', writers: '1' },
      b: { kernel: '6.12', writers: '4' },
      c: { kernel: '9' },
    })
  })
  it('takes columns and gives them up', () => {
    const more = withPart(withPart(table))
    expect(more.parts.map(p => p.name)).toEqual(['kernel', 'writers', 'part 1', 'part 2'])
    expect(withoutPart(more, 'part-1').parts.map(p => p.key)).toEqual(['kernel', 'writers', 'part-2'])
    expect(withPartName(more, 'part-1', '  ').parts[2]?.name).toBe('part 1')
  })
  it('takes what spreadsheets copy, as far as it reaches', () => {
    const pasted = withPasted(table, ['a', 'b'], { run: 'a', part: 'writers' }, '8\tbeyond\r\n16\r\nbeyond\r\n')
    expect(pasted.values).toEqual({ a: { kernel: '6.1', writers: '8' }, b: { kernel: '6.12', writers: '16' } })
  })
})

describe('guesses', () => {
  const run = (id: string, label: string): Run => ({
    id,
    letter: 'A',
    linkLetter: 'A',
    label,
    baseline: false,
    hidden: false,
    trace: 1,
    status: { kind: 'ready' },
    client: { query: () => new Promise(() => undefined) },
    device: 0,
    labelFacts: { folder: 'tests', scheduler: 'bfq' },
  })
  beforeEach(() => {
    vi.useFakeTimers()
    return () => vi.useRealTimers()
  })
  it('are asked for once for all runs of a drop, and again when one is renamed', async () => {
    const store = createPageStore()
    const asked: (readonly LabelSource[])[] = []
    const stop = followLabels(store, async runs => {
      asked.push(runs)
      return { parts: [{ key: 'kernel', name: 'kernel' }], runs: runs.map(r => [r.label ?? '']), groups: [] }
    })
    const show = (...runs: Run[]) => store.setState(page => settlePage({ ...page, runs: placeRuns(runs) }), true)
    show(run('a', '6.1'))
    show(run('a', '6.1'), run('b', '6.12'))
    await vi.advanceTimersByTimeAsync(100)
    expect(asked).toEqual([['6.1', '6.12'].map(label => ({ folder: 'tests', scheduler: 'bfq', label }))])
    expect(store.getState().labels.values).toEqual({ a: { kernel: '6.1' }, b: { kernel: '6.12' } })
    show(run('a', '6.1'), run('b', 'new'))
    await vi.advanceTimersByTimeAsync(100)
    expect(labelOf(store.getState().labels, 'b', 'kernel')).toBe('new')
    stop()
    show(run('a', 'other'))
    await vi.advanceTimersByTimeAsync(100)
    expect(asked.length).toBe(2)
  })
})
