import { expect, test } from 'vitest'
import type { DriverCommands } from '../engine/generated/protocol'
import { driverFacts } from './drivers'
import { ascii } from './format'

const NO_COMMANDS = {
  requests: false,
  nvme: 0,
  scsi: 0,
  completed: 0,
  failed: 0,
  refused: 0,
  timed_out: 0,
  unmatched: 0,
  undecoded: 0,
}

test('what drivers add, and nothing that did not occur', () => {
  const counted = driverFacts({ ...NO_COMMANDS, nvme: 435, completed: 435, mean_ns: 1.2e6, longest_ns: 2e7 }, ascii)
  expect(counted).toHaveLength(3)
  expect(counted[0]).toContain('435 nvme')
  expect(counted[2]).toContain('1.2')
  expect(driverFacts({ ...NO_COMMANDS, requests: true, scsi: 1 }, ascii)).not.toEqual(
    driverFacts({ ...NO_COMMANDS, scsi: 1 }, ascii),
  )
  expect(
    driverFacts({ ...NO_COMMANDS, failed: 2, refused: 3, timed_out: 4, unmatched: 5, undecoded: 6 }, ascii).map(fact =>
      Number.parseInt(fact, 10),
    ),
  ).toEqual([2, 3, 4, 5, 6])
})

test('logical blocks, and what they are known from', () => {
  const blocks = (...logical_blocks: NonNullable<DriverCommands['logical_blocks']>) =>
    driverFacts({ ...NO_COMMANDS, requests: true, nvme: 1, logical_blocks }, ascii).filter(fact =>
      fact.includes('block'),
    )
  expect(blocks()).toEqual([])
  const [first, second] = [
    { device: 'nvme0n1', bytes: 4096, from: 'settings' },
    { device: 'nvme1n1', bytes: 512, from: 'assumed' },
  ] as const
  expect(blocks(first)[0]).toMatch(/4096.*settings/)
  expect(blocks(first, { ...first, device: 'nvme2n1' })).toHaveLength(1)
  // Which disk has which is only needed where they differ.
  expect(blocks(first)[0]).not.toContain('nvme0n1')
  expect(blocks(first, second).map(fact => /4096|512/.exec(fact)?.[0])).toEqual(['4096', '512'])
  expect(blocks(first, second)[1]).toMatch(/assumed.*nvme1n1/)
})
