import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
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
  const source = readFileSync(join(import.meta.dirname, '../../parser-wasm/compare/src/metric.rs'), 'utf8')
  // Keys with a dot, and rates. Others have a prefix that the source adds: `stripes.full` is one of `alignment`.
  const keys = [...source.matchAll(/"([a-z0-9_]+\.[a-z0-9_.]+|[a-z_]*bps|iops|span|sync)", "[A-Z]/g)].map(
    ([, key = '']) => key,
  )
  expect(keys.length).toBeGreaterThan(15)
  expect(keys.filter(key => figureGroup(key) === 'Other' && !key.startsWith('stripes.'))).toEqual([])
})
