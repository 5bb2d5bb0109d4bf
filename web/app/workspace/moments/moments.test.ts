import { describe, expect, it } from 'vitest'
import { ns } from '../../../lib/units'
import type { Run } from '../../../state/types'
import { momentsByRun, momentsOf, nextMoment } from './moments'

const stall = (from: number, to: number) => ({ kind: 'frozen', from_ns: from * 1e9, to_ns: to * 1e9, requests: 3 })

/** A run on whose clock the trace began at 100 s. */
const run = (id: string, stalls: readonly object[], trigger?: string, fired?: number) =>
  ({
    id,
    moments: stalls,
    info: { span: 30e9, clockAtZero: 100e9 },
    notes: trigger
      ? [
          {
            kind: 'mixed',
            facts: [
              { key: 'trigger', name: '', value: trigger },
              ...(fired === undefined ? [] : [{ key: 'trigger_fired', name: '', value: fired }]),
            ],
          },
        ]
      : [],
  }) as unknown as Run

describe('moments', () => {
  it('puts a trigger into the stall in which it fired, until the next sample after it', () => {
    const [first, second] = momentsOf(run('a', [stall(4, 5), stall(16, 17)], 'iops<10', 116.4))
    expect([first?.trigger, second?.trigger]).toEqual([undefined, { time: 16.4e9, condition: 'iops<10' }])
    expect(momentsOf(run('a', [stall(16, 17)], 'iops<10', 117.09))[0]?.trigger).toBeDefined()
  })
  it('lists a trigger only when the stalls are known, so that it does not become another moment later', () => {
    expect(momentsOf({ ...run('a', [], 'iops<10', 116.4), moments: undefined } as unknown as Run)).toEqual([])
    expect(momentsOf(run('a', [], 'iops<10', 116.4))).toHaveLength(1)
  })
  it('lists the stalls of the whole recording while a stretch of it is open', () => {
    const stretch = { ...run('a', [stall(16, 17)], 'depth>64', 125), info: { span: 18e9, clockAtZero: 100e9 } } as Run
    const whole = { label: 'all', moments: run('a', [stall(4, 5), stall(16, 17)]).moments ?? [], span: ns(30e9) }
    expect(momentsOf({ ...stretch, whole }).map(({ number, from }) => [number, from / 1e9])).toEqual([
      [1, 4],
      [2, 16],
      [0, 25],
    ])
  })
  it('lists a trigger outside of stalls at its time', () => {
    const moments = momentsOf(run('a', [stall(4, 5), stall(16, 17)], 'depth>64', 110))
    expect(moments.map(({ from, stall: found }) => [from / 1e9, found !== undefined])).toEqual([
      [4, true],
      [10, false],
      [16, true],
    ])
    expect(new Set(moments.map(({ key }) => key)).size).toBe(3)
  })
  it('lists quiet recordings only beside moments', () => {
    const [moment, quiet, plain] = [run('a', [stall(4, 5)]), run('b', [], 'none'), run('c', [])]
    expect(momentsByRun([moment, quiet, plain]).map(group => [group.run.id, group.quiet])).toEqual([
      ['a', false],
      ['b', true],
    ])
    expect(momentsByRun([quiet, plain])).toEqual([])
  })
  it('steps around the list, from its begin or its end without a current moment', () => {
    const moments = momentsOf(run('a', [stall(4, 5), stall(11, 12), stall(16, 17)]))
    const indexAfter = (current: number | undefined, offset: number) => {
      const next = nextMoment(moments, current === undefined ? undefined : moments[current]?.key, offset)
      return next && moments.indexOf(next)
    }
    expect([indexAfter(undefined, 1), indexAfter(undefined, -1)]).toEqual([0, 2])
    expect([indexAfter(0, 1), indexAfter(2, 1), indexAfter(0, -1)]).toEqual([1, 0, 2])
    expect(nextMoment([], undefined, 1)).toBeUndefined()
  })
})
