import { expect, test } from 'vitest'
import { driverFacts } from './drivers'
import { ascii } from './format'

const none = { requests: false, nvme: 0, scsi: 0, completed: 0, failed: 0, refused: 0, timed_out: 0, unmatched: 0, undecoded: 0 }

test('what drivers add, and nothing that did not occur', () => {
  const counted = driverFacts({ ...none, nvme: 435, completed: 435, mean_ns: 1.2e6, longest_ns: 2e7 }, ascii)
  expect(counted).toHaveLength(3)
  expect(counted[0]).toContain('435 nvme')
  expect(counted[2]).toContain('1.2')
  expect(driverFacts({ ...none, requests: true, scsi: 1 }, ascii)).not.toEqual(driverFacts({ ...none, scsi: 1 }, ascii))
  // Next to block events nothing is assumed.
  expect(driverFacts({ ...none, requests: true, nvme: 1 }, ascii).some(fact => fact.includes('512'))).toBe(true)
  expect(driverFacts({ ...none, nvme: 1 }, ascii).some(fact => fact.includes('512'))).toBe(false)
  expect(
    driverFacts({ ...none, failed: 2, refused: 3, timed_out: 4, unmatched: 5, undecoded: 6 }, ascii).map(fact => Number.parseInt(fact, 10)),
  ).toEqual([2, 3, 4, 5, 6])
})
