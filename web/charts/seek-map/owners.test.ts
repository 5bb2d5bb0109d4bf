import { expect, it } from 'vitest'
import type { Grid, Marks, Query } from '../../engine/protocol'
import { layOut } from './axis/bands'
import { ownedRows } from './owners'

const parts = layOut([[0, 100]], 106)
const marks = (...requests: readonly (readonly [lba: number, sectors: number, cls: number])[]): Marks =>
  ({
    kind: 'marks',
    n: requests.length,
    lba: requests.map(([lba]) => lba),
    sectors: requests.map(([, sectors]) => sectors),
    cls: requests.map(([, , cls]) => cls),
  }) as unknown as Marks

it('each row has the owner with the most requests, and rows without requests have none', () => {
  const answer = marks([0, 10, 0], [0, 10, 1], [5, 5, 1], [50, 10, 2], [500, 8, 3], [20, 0, 4])
  expect(ownedRows({ answer }, parts, 106)).toEqual([
    { top: 43, bottom: 53, cls: 2 },
    { top: 93, bottom: 98, cls: 1 },
    { top: 98, bottom: 103, cls: 0 },
  ])
})

it('of cells the class of a row is that of most of their requests', () => {
  const answer = { kind: 'grid', w: 2, h: 3, counts: [1, 0, 5, 3, 0, 1], cls: [0, 0, 2, 1, 0, 3] } as unknown as Grid
  const ask = { bands: [{ lba0: 0, lba1: 100, y0: 0, y1: 3 }] } as unknown as Query<'seekMap'>
  expect(ownedRows({ answer, ask }, parts, 6)).toEqual([
    { top: 0, bottom: 2, cls: 1 },
    { top: 4, bottom: 6, cls: 2 },
  ])
  expect(ownedRows({}, parts, 6)).toEqual([])
})
