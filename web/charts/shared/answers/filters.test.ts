import { expect, it } from 'vitest'
import { ns } from '../../../lib/units'
import { NOTHING_HIDDEN } from '../../../state/filter'
import { filterWords } from './filters'

it('names what the filters hide', () => {
  expect(filterWords({ hidden: { ...NOTHING_HIDDEN, ops: ['write'] } })).toBe('write is off')
  expect(filterWords({ hidden: { ...NOTHING_HIDDEN, ops: ['write'], cpus: [3] } })).toBe('write and cpu 3 are off')
  expect(filterWords({ hidden: { ...NOTHING_HIDDEN, cpus: [0, 1, 2, 3, 4] } })).toBe(
    'cpu 0, cpu 1, cpu 2 and 2 more are off',
  )
  expect(filterWords({ hidden: NOTHING_HIDDEN, latency: [ns(1e6), ns(4e6)] })).toContain('1 ms to 4 ms')
})
