import { describe, expect, it } from 'vitest'
import type { ObjectInfo } from '../../engine/protocol'
import { filterOf, NOTHING_HIDDEN } from '../filter'
import type { Run, View } from '../types'
import { OBJECT_CLASSES, objectColours, objectSlotsOf, shortPath, UNKNOWN_SLOT } from './objects'

const KINDS: Readonly<Record<string, ObjectInfo['kind']>> = {
  journal: 'journal',
  unknown: 'unknown',
  'other files': 'other-files',
  'inode tables': 'structure',
  'free space': 'structure',
}
const run = (...names: string[]): Run =>
  ({
    device: 0,
    info: {
      processes: [],
      objects: names.map((name, index) => ({ index, name, kind: KINDS[name] ?? 'file' })),
    },
  }) as unknown as Run
const BARE = { device: 0, info: { processes: [] } } as unknown as Run

describe('colours of files and structures', () => {
  const a = run('/d/seq', '/d/rnd', 'unknown', 'inode tables')
  const b = run('/d/rnd', 'journal', '/d/seq', 'unknown')

  it('are the same for a name in all runs, whatever its rank, and what is unknown is last', () => {
    const colours = objectColours([a, b])
    expect(colours.list.map(({ name }) => name)).toEqual(['/d/seq', '/d/rnd', 'journal', 'inode tables', 'unknown'])
    expect(objectSlotsOf(a, colours)).toEqual([0, 1, UNKNOWN_SLOT, OBJECT_CLASSES.indexOf('inode tables')])
    expect(objectSlotsOf(b, colours)).toEqual([1, OBJECT_CLASSES.indexOf('journal'), 0, UNKNOWN_SLOT])
    expect(colours.labels.slice(0, 2)).toEqual(['seq', 'rnd'])
  })

  it('are those of three files, or of two and all others', () => {
    const three = objectColours([run('/1', '/2', '/3')])
    expect(three.labels.slice(0, 3)).toEqual(['1', '2', '3'])
    const four = objectColours([run('/1', '/2', '/3', '/4')])
    expect(four.labels.slice(0, 3)).toEqual(['1', '2', 'other files'])
    expect(['/2', '/3', '/4'].map(name => four.slots.get(name))).toEqual([1, 2, 2])
    const more = objectColours([run('other files', '/1', '/2', '/3')])
    expect(['/1', '/3', 'other files'].map(name => more.slots.get(name))).toEqual([0, 2, 2])
  })

  it('are grey where no file had the sectors, and there are none without a map', () => {
    expect(objectColours([run('free space')]).slots.get('free space')).toBe(UNKNOWN_SLOT)
    expect(objectColours([BARE]).list).toEqual([])
    expect(objectSlotsOf(BARE, objectColours([BARE]))).toEqual([])
  })
})

it('a path is as short as distinguishes it', () => {
  expect(shortPath('/srv/a/log', ['/srv/a/log', '/srv/b/log'])).toBe('a/log')
  expect(shortPath('/srv/a/log', ['/srv/a/log', '/srv/a/catalog'])).toBe('log')
  expect(shortPath('inode 12', ['inode 12'])).toBe('inode 12')
})

it('a filter has the indices that the names have in its run, and none where there is no map', () => {
  const view = { hidden: { ...NOTHING_HIDDEN, objects: ['journal', '/gone'] } } as unknown as View
  expect(filterOf(run('/x', 'journal'), view)).toEqual({ device: 0, hideObjects: [1] })
  expect(filterOf(BARE, view)).toEqual({ device: 0 })
})
