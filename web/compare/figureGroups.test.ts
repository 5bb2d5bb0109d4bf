import { expect, it } from 'vitest'
import { loadEngine } from '../../cli/input/read/engine'
import type { DigestFigure } from '../engine/protocol'
import { figureGroup, groupFigures } from './figureGroups'
import type { DifferenceRow } from './rows'

const row = (key: string) => ({ key }) as DifferenceRow

it('keeps the order of figures under each heading', () => {
  const groups = groupFigures(['span', 'depth.mean', 'bytes.read', 'q2c.p99', 'q2c.max', 'new.figure'].map(row))
  expect(groups.map(({ heading, rows }) => [heading, ...rows.map(({ key }) => key)])).toEqual([
    ['Work and rates', 'span', 'bytes.read'],
    ['Queue', 'depth.mean'],
    ['Time of requests', 'q2c.p99', 'q2c.max'],
    ['Other', 'new.figure'],
  ])
})

it('knows every metric of the engine', () => {
  const keys = (loadEngine().knownFigures() as readonly DigestFigure[]).map(({ key }) => key)
  expect(keys.length).toBeGreaterThan(80)
  expect(keys.filter(key => figureGroup(key) === 'Other')).toEqual([])
})
