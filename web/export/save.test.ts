/** What is asked of a run for a file of its requests. */
import { describe, expect, it } from 'vitest'
import { ns, sector } from '../lib/units'
import type { View } from '../state/types'
import { asksOf, type CompleteRun } from './save'

const geometry = { level: 'raid5', unit: sector(512), dataDisks: 4, start: sector(0) } as const
const run = (more: Partial<CompleteRun>) =>
  ({ device: 1, shift: ns(0), info: { devices: [{ index: 0 }, { index: 1 }], processes: [] }, ...more }) as CompleteRun
const view = {
  range: { t0: ns(100), t1: ns(200) },
  hidden: { ops: ['read'], flags: [], processes: [], cpus: [], alignment: [] },
} as unknown as View

describe('requests of a run', () => {
  it('are asked for at once, but by device where one has stripes', () => {
    expect(asksOf(run({}), undefined)).toEqual([{}])
    expect(asksOf(run({ geometry }), undefined)).toEqual([
      { filter: { device: 0 } },
      { filter: { device: 1, geometry } },
    ])
    expect(asksOf(run({ alone: true }), undefined)).toEqual([{ filter: { device: 1 } }])
  })
  it('of the view are those of the filters, in the time of the trace', () => {
    expect(asksOf(run({ shift: ns(30) }), view)).toEqual([
      { filter: { device: 1, hideOps: ['read'] }, range: { t0: 70, t1: 170 } },
    ])
  })
})
