import { expect, test } from 'vitest'
import type { LaneInfo, LaneList } from '../../engine/protocol'
import { createRecorder } from '../shared/paint/recorder'
import { axisUnit, drawnRows, laneText, rowsOf, toolsOf, unplaced } from './data'
import { drawLane, stretches } from './draw'
import { subtract } from './summary'

const lane = (index: number, source: number, subject: string, name: string, most: number, main = true): LaneInfo => ({
  ...{ index, source, of: subject, name, most, main },
  meaning: `${name} in words`,
  unit: 'share',
  kind: 'rate',
})

const list = (lanes: readonly LaneInfo[]): LaneList => ({
  sources: [
    { file: 'a/vmstat.txt', what: 'vmstat: 3 reports', clock: 'by the wall clock' },
    { file: 'a/iostat.txt', what: 'iostat -x: 3 reports of vda', clock: 'by the wall clock' },
    { file: 'a/other.txt', what: 'iostat -d: 3 reports of vda', absent: 'it has no times' },
  ],
  lanes,
})

const A = list([
  lane(0, 0, 'machine', 'wa', 0.3),
  lane(1, 1, 'vda', '%util', 0.9),
  lane(2, 1, 'vdb', '%util', 0),
  lane(3, 1, 'machine', '%iowait', 0.3),
  lane(4, 1, 'vda', 'r/s', 0.5, false),
  lane(5, 1, 'CPU 0', '%iowait', 0.5),
])
const B = list([lane(0, 1, 'vda', '%util', 0.4)])

test('rows are the same counter of the same subject and tool, those of devices first and those of CPUs last', () => {
  expect(toolsOf([A, undefined, B])).toEqual(['iostat -x', 'vmstat'])
  const rows = rowsOf([A, undefined, B], 'iostat -x')
  expect(rows.map(row => row.title)).toEqual(['vda %util', 'vdb %util', 'vda r/s', '%iowait', 'CPU 0 %iowait'])
  expect(rows[0]?.lanes.map(l => l?.index)).toEqual([1, undefined, 0])
  expect(rows[0]?.most).toBe(0.9)
})

test('main rows are drawn, without those that are always 0, which are named', () => {
  const rows = rowsOf([A], 'iostat -x')
  const titles = (all: boolean) => drawnRows(rows, all).drawn.map(row => row.title)
  expect(titles(false)).toEqual(['vda %util', '%iowait'])
  expect(titles(true)).toEqual(['vda %util', 'vda r/s', '%iowait', 'CPU 0 %iowait'])
  expect(drawnRows(rows, false).zero.map(row => row.title)).toEqual(['vdb %util'])
  const many = list(Array.from({ length: 70 }, (_, i) => lane(i, 1, `d${i}`, '%util', 1)))
  expect(drawnRows(rowsOf([many], 'iostat -x'), false)).toMatchObject({ more: 6 })
})

test('a file without a place on the clock is named with its reason', () => {
  expect(unplaced([A, undefined], ['A', 'B'])).toEqual([expect.stringContaining('A, other.txt')])
})

test('units are base units; a missing value is a dash', () => {
  expect(laneText('share', 0.5)).toBe('50%')
  expect(laneText('bytes/s', 2e6)).toBe('2 MB/s')
  expect(laneText('count', Number.NaN)).toBe('\u2013')
  expect(axisUnit('ns', 5e6)).toEqual({ per: 1e6, name: 'ms' })
  expect(axisUnit('bytes', 2 ** 31)).toEqual({ per: 2 ** 30, name: 'GiB' })
})

test('gaps stay gaps, drawn and subtracted', () => {
  const values = Float64Array.of(Number.NaN, 1, 2, Number.NaN, 3)
  expect(stretches(values)).toEqual([
    [1, 3],
    [4, 5],
  ])
  const surface = createRecorder()
  const range = { t0: 0, t1: 50 } as never
  drawLane(surface, { range, values, colour: '#000', dash: [] }, { range, width: 50, y: v => 10 - v })
  const moves = surface.calls.filter(call => call.name === 'moveTo')
  expect(moves).toHaveLength(2)
  expect([...subtract(values, Float64Array.of(1, 2, Number.NaN, 4, 5))]).toEqual([
    Number.NaN,
    1,
    Number.NaN,
    Number.NaN,
    2,
  ])
})
