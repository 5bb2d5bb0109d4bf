import { describe, expect, it } from 'vitest'
import type { StackNode, StackSums, StacksUsed } from '../../engine/protocol'
import { stacksNotes, stacksTable, stacksWords } from './summary'
import { changeOf, functionAt, placedFunctions, type StacksOfRun, stackTree } from './tree'

const sums = (requests: number): StackSums => ({ requests, bytes: requests * 4096, d2c_ns: requests * 10 })
const node = (requests: number, calls: readonly string[], parent?: number): StackNode => ({
  ...sums(requests),
  calls,
  ...(parent !== undefined && { parent }),
})
const used = (tree: readonly StackNode[], over: Partial<StacksUsed> = {}): StacksUsed => ({
  paths: [{ path: 'fsync() > ext4_sync_file', ...sums(6) }],
  tree,
  unknown: sums(1),
  all: sums(10),
  by_issue: 0,
  has_addresses: false,
  left_out: 0,
  other_clock: 0,
  other_symbols: false,
  ...over,
})

/** Six of ten requests by fsync, three of them by its journal; three by a thread. The other run has fsync alone. */
const RUNS: readonly StacksOfRun[] = [
  { letter: 'A', used: used([node(6, ['entry', 'fsync']), node(3, ['jbd2'], 0), node(3, ['kthread'])]) },
  { letter: 'B', used: used([node(10, ['entry', 'fsync', 'ext4'])], { unknown: sums(0) }) },
]

describe('the tree of functions', () => {
  const root = stackTree(RUNS)

  it('has the functions of all runs once', () => {
    expect(root.called.map(({ name, sums: each }) => [name, ...each.map(sum => sum?.requests)])).toEqual([
      ['entry', 6, 10],
      ['kthread', 3, undefined],
    ])
    expect(functionAt(root, 'entry > fsync').called.map(({ path }) => path)).toEqual([
      'entry > fsync > ext4',
      'entry > fsync > jbd2',
    ])
    expect(functionAt(root, 'nothing')).toBe(root)
  })

  it('places each below its caller, as wide as its share', () => {
    const places = placedFunctions(root, 0, 'requests').map(({ subject: found, row, left, width }) => [
      found.name,
      row,
      Math.round(left * 10),
      Math.round(width * 10),
    ])
    expect(places).toEqual([
      ['entry', 0, 0, 6],
      ['fsync', 1, 0, 6],
      ['jbd2', 2, 0, 3],
      ['kthread', 0, 6, 3],
    ])
    const alone = placedFunctions(functionAt(root, 'entry > fsync'), 0, 'bytes')
    expect(alone.map(({ subject: found, width }) => [found.name, width])).toEqual([
      ['fsync', 1],
      ['jbd2', 0.5],
    ])
    expect(placedFunctions(functionAt(root, 'kthread'), 1, 'requests')).toEqual([])
  })

  it('tells by how much a share changed', () => {
    expect(changeOf(RUNS, functionAt(root, 'entry'), 'requests')).toBe(1)
    expect(changeOf(RUNS, functionAt(root, 'kthread'), 'requests')).toBe(-1)
    expect(changeOf(RUNS.slice(0, 1), functionAt(root, 'entry'), 'requests')).toBeUndefined()
  })
})

describe('the words', () => {
  it('name the paths and what has none', () => {
    expect(stacksWords(RUNS)[0]).toBe(
      'Call stacks of A: of 10 requests, 60% by fsync() > ext4_sync_file; 10% have none.',
    )
    expect(stacksWords([{ letter: 'C', used: undefined }])[0]).toContain('Call stacks of C')
  })

  it('say what is missing', () => {
    const notes = stacksNotes({
      letter: 'A',
      used: used([], { by_issue: 2, has_addresses: true, left_out: 1, other_clock: 3, other_symbols: true }),
    })
    expect(notes).toHaveLength(5)
    expect(stacksNotes({ letter: 'A', used: used([]) })).toEqual([])
  })

  it('are a table of all functions', () => {
    const { columns, rows } = stacksTable(RUNS, stackTree(RUNS))
    expect(columns).toHaveLength(1 + 2 * 4)
    expect(rows.find(([path]) => path === 'entry > fsync > jbd2')).toEqual([
      'entry > fsync > jbd2',
      3,
      '',
      30,
      0,
      30,
      0,
      30,
      0,
    ])
  })
})
