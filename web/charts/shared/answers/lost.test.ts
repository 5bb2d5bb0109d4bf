import { describe, expect, it } from 'vitest'
import type { LossInterval } from '../../../engine/protocol'
import { ns } from '../../../lib/units'
import { lostOf, lostRow } from './lost'

const hole = (device: number, cpu: number, from: number, to: number): LossInterval => ({
  device,
  cpu,
  from: ns(from),
  to: ns(to),
  reason: 'silence',
})

describe('loss intervals', () => {
  const holes = [hole(0, 1, 30, 60), hole(0, 0, 10, 40), hole(1, 0, 0, 99), hole(0, 1, 80, 90), hole(0, 1, 60, 61)]
  it('are joined where they overlap, per device', () => {
    expect(lostOf(holes, 0)).toEqual([
      { t0: 10, t1: 61, cpus: [0, 1] },
      { t0: 80, t1: 90, cpus: [1] },
    ])
    expect(lostOf(holes, 2)).toEqual([])
  })
  it('are found by time, ends included', () => {
    const lost = lostOf([hole(0, 3, 1.5e9, 2e9)], 0)
    expect(lostRow(lost, 2e9)).toEqual(['events lost', '1.500 to 2.000 s', 'cpu 3'])
    expect([lostRow(lost, 1.4e9), lostRow(lost, 2.1e9)]).toEqual([undefined, undefined])
  })
})
