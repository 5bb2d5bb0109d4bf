import { expect, it } from 'vitest'
import { dotPlaces } from './dots'

it('dots of all runs are on one axis from 0', () => {
  expect(
    dotPlaces(
      [
        [2, 4],
        [8, 6],
      ],
      100,
    ),
  ).toEqual([
    [25, 50],
    [100, 75],
  ])
  expect(dotPlaces([[0, 0], [0]], 100)).toEqual([[0, 0], [0]])
  expect(dotPlaces([[-5], [5]], 100)).toEqual([[0], [100]])
  expect(dotPlaces([[], []], 100)).toEqual([[], []])
})
