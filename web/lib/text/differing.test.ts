import { expect, it } from 'vitest'
import { elide, splitByDifference } from './differing'

it('finds the words that differ between words that all names share', () => {
  const names = [
    'ext4-4k-random-linux-6.1.0-47-amd64-mq-deadline',
    'ext4-4k-random-linux-6.12.113+deb12-amd64-mq-deadline',
  ]
  const split = splitByDifference(names)
  expect(split?.map(({ part }) => part)).toEqual(['6.1.0-47', '6.12.113+deb12'])
  expect(split?.map(({ head, part, tail }) => head + part + tail)).toEqual(names)
})

it('shortens nothing where a name would have no part of its own, or nothing is shared', () => {
  expect(splitByDifference(['bfq-idle', 'bfq-idle-8-idle'])).toBeUndefined()
  expect(splitByDifference(['old', 'new'])).toBeUndefined()
  expect(splitByDifference(['one'])).toBeUndefined()
  expect(splitByDifference(['same', 'same'])).toBeUndefined()
})

it('elides the middle', () => {
  expect(elide('ext4-buffered-writeback-linux-', 16)).toBe('ext4-buffe\u2026inux-')
  expect(elide('short', 16)).toBe('short')
})
