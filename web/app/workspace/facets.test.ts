import { describe, expect, it } from 'vitest'
import type { Facets } from '../../engine/protocol'
import { NOTHING_HIDDEN } from '../../state/filter'
import type { Run } from '../../state/types'
import { cpuRows, flagRows, opRows } from './facets'

const run = (id: string, absent?: string[]) => ({ id, info: { absent, processes: [] } }) as unknown as Run
const facets = { ops: { read: 5 }, flags: { sync: 2 }, cpus: [{ cpu: 0, n: 5 }], processes: [] } as unknown as Facets
const given = (...runs: Run[]) => ({
  runs,
  facets: new Map(runs.map(r => [r.id, facets])),
  hidden: NOTHING_HIDDEN,
  hide: () => undefined,
  layer: 'op' as const,
})
const LOG = run('log', ['CPUs', 'sync, metadata and readahead flags', 'flushes and FUA'])

describe('what a format cannot tell', () => {
  it('has no count in the rail beside a run that has one', () => {
    expect(flagRows(given(run('trace'), LOG)).map(r => [r.key, r.counts])).toEqual([
      ['sync', [2, null]],
      ['fua', [0, null]],
    ])
    expect(opRows(given(run('trace'), LOG)).find(r => r.key === 'flush')?.counts).toEqual([0, null])
    expect(cpuRows(given(run('trace'), LOG)).map(r => r.counts)).toEqual([[5, null]])
  })
  it('has no row where no run has one', () => {
    expect(flagRows(given(LOG))).toEqual([])
    expect(cpuRows(given(LOG))).toEqual([])
  })
})
