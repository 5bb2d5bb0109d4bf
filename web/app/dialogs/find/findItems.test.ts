import { expect, it } from 'vitest'
import { type FindItem, findItems, MAX_FOUND } from './findItems'

const item = (label: string, detail?: string): FindItem => ({
  group: 'Figures',
  label,
  ...(detail !== undefined && { detail }),
  run: () => undefined,
})
const labels = (items: readonly FindItem[], query: string) => findItems(items, query).map(({ label }) => label)

it('needs all words, in any order, also in details', () => {
  const items = [item('Queue depth, mean', '2.37 to 0.839'), item('Queue depth, p95'), item('Starved time')]
  expect(labels(items, 'mean queue')).toEqual(['Queue depth, mean'])
  expect(labels(items, '0.839')).toEqual(['Queue depth, mean'])
  expect(labels(items, 'nothing')).toEqual([])
  expect(labels(items, '')).toHaveLength(3)
})

it('lists beginnings first, and no more than can be read', () => {
  expect(labels([item('Show a depth'), item('Depth'), item('In depth')], 'depth')).toEqual([
    'Depth',
    'Show a depth',
    'In depth',
  ])
  expect(
    findItems(
      Array.from({ length: 1000 }, (_, i) => item(`cpu ${i}`)),
      'cpu',
    ),
  ).toHaveLength(MAX_FOUND)
})
