import { expect, test } from 'vitest'
import { readyStatistics } from '../../../cli/input/read/engine'
import { buildsOf, trendOf } from '../changes/trend'
import { type Column, numberColumn, type TableCell, textColumn } from '../table/columns'
import { gridOf } from './grid'
import { farness, groupsOf, MIN_REPEATS, outliersOf } from './outliers'
import { facetOf, NONE, rowsShown, sorted, wordsIn } from './select'
import { FLEET_START, type FleetView, viewOf, viewText } from './view'
import { readCondition } from './where'

const statistics = readyStatistics()

const kernels: readonly TableCell[] = ['6.12', '6.1', undefined, '6.2', '6.1', '6.12-rc1']
const findings: readonly TableCell[] = [
  'slow-tail,small-requests',
  'slow-tail',
  undefined,
  'small-requests',
  undefined,
  'held-back',
]
const iops: readonly TableCell[] = [5, 40, 3, undefined, 20, 10]
const columns = new Map<string, Column>([
  ['kernel', textColumn(kernels)],
  ['findings', textColumn(findings)],
  ['iops', numberColumn(iops)],
])
const all = { rows: 6, columns, filters: {} }
const list = (rows: Uint32Array) => [...rows]
const where = (text: string) => readCondition(text, [...columns.keys()])
const text = (name: string) => {
  const column = columns.get(name)
  if (column?.type !== 'text') throw new Error(name)
  return column
}

test('rows fulfil the condition; what is absent fulfils none', () => {
  expect(list(rowsShown(all))).toEqual([0, 1, 2, 3, 4, 5])
  expect(list(rowsShown({ ...all, condition: where('iops > 9') }))).toEqual([1, 4, 5])
  expect(list(rowsShown({ ...all, condition: where('not iops > 9') }))).toEqual([0, 2])
  expect(list(rowsShown({ ...all, condition: where("kernel is null or findings like '%small%'") }))).toEqual([0, 2, 3])
})

test('rows have a kept word of every label, of a list any of its words', () => {
  expect(list(rowsShown({ ...all, filters: { kernel: ['6.1', NONE] } }))).toEqual([1, 2, 4])
  expect(list(rowsShown({ ...all, filters: { findings: ['small-requests'] } }))).toEqual([0, 3])
  expect(list(rowsShown({ ...all, filters: { kernel: ['6.1'], findings: ['slow-tail'] } }))).toEqual([1])
  expect(list(rowsShown({ ...all, filters: { kernel: ['6.1'], findings: ['slow-tail'] } }, 'findings'))).toEqual([1, 4])
})

test('names are sorted with their numbers, absent cells last in both directions', () => {
  const rows = rowsShown(all)
  expect(list(sorted(rows, columns.get('iops'), { column: 'iops', descending: true }))).toEqual([1, 4, 5, 0, 2, 3])
  expect(list(sorted(rows, columns.get('iops'), { column: 'iops', descending: false }))).toEqual([2, 0, 5, 4, 1, 3])
  expect(list(sorted(rows, columns.get('kernel'), { column: 'kernel', descending: false }))).toEqual([1, 4, 3, 5, 0, 2])
})

test('facets count the words of rows', () => {
  const rows = rowsShown(all)
  expect(facetOf('kernel', text('kernel'), rows)).toEqual([
    { word: '6.1', n: 2 },
    { word: '6.2', n: 1 },
    { word: '6.12-rc1', n: 1 },
    { word: '6.12', n: 1 },
    { word: NONE, n: 1 },
  ])
  expect(facetOf('findings', text('findings'), rows)).toEqual([
    { word: 'held-back', n: 1 },
    { word: 'slow-tail', n: 2 },
    { word: 'small-requests', n: 2 },
    { word: NONE, n: 2 },
  ])
})

test('a row far from the others with its labels is marked, a difference between labels is not', () => {
  const labels = textColumn(['a', 'a', 'a', 'a', 'a', 'a', 'b', 'b', 'b', 'b', 'b'])
  const groups = groupsOf(11, [labels, textColumn(new Array(11).fill('sda'))])
  expect(new Set(groups.subarray(0, 6)).size).toBe(1)
  const { marks, usual } = outliersOf(
    statistics,
    numberColumn([10, 10.2, 9.9, 10.1, 30, 2, 100, 101, 99, 100, 98]),
    groups,
  )
  expect([...marks]).toEqual([0, 0, 0, 0, 1, -1, 0, 0, 0, 0, 0])
  expect(usual.get(groups[0] ?? -1)).toMatchObject({ n: 6, isFactor: true })
})

test('no mark below the least number of repeats, or within a tenth', () => {
  const few = new Array(MIN_REPEATS - 1).fill('a')
  expect([...outliersOf(statistics, numberColumn([1, 1, 1, 99]), groupsOf(4, [textColumn(few)])).marks]).toEqual([
    0, 0, 0, 0,
  ])
  const same = groupsOf(6, [textColumn(new Array(6).fill('a'))])
  expect([...outliersOf(statistics, numberColumn([100, 100, 100, 100, 100, 109]), same).marks]).toEqual([
    0, 0, 0, 0, 0, 0,
  ])
  expect([...outliersOf(statistics, numberColumn([100, 100, 100, 100, 100, 111]), same).marks]).toEqual([
    0, 0, 0, 0, 0, 1,
  ])
  // Shares can be 0: their differences count, not their factors.
  expect([...outliersOf(statistics, numberColumn([0, 0, 0.01, 0, 0.01, 0.6]), same).marks]).toEqual([0, 0, 0, 0, 0, 1])
  expect(farness(200, { n: 9, median: 100, sd: 2, isFactor: true })).toBeCloseTo(1)
})

test('the matrix has the median, quartiles and number of each cell', () => {
  const down = textColumn(['a', 'a', 'a', 'a', 'b', undefined])
  const across = textColumn(['x', 'x', 'x', 'x', 'y', 'y'])
  const grid = gridOf(
    statistics,
    Uint32Array.of(0, 1, 2, 3, 4, 5),
    numberColumn([1, 2, 3, 10, undefined, 7]),
    wordsIn('kernel', down),
    wordsIn('device', across),
  )
  expect([grid.rows, grid.columns]).toEqual([
    ['a', 'b', ''],
    ['x', 'y'],
  ])
  expect(grid.cells[0]?.[0]).toEqual({ n: 4, median: 2.5, quartiles: [1.75, 4.75], rows: [0, 1, 2, 3] })
  expect(grid.cells[1]?.[1]).toBeUndefined()
  expect(grid.cells[2]?.[1]).toMatchObject({ n: 1, median: 7 })
})

test('a row with several findings is in the cell of each', () => {
  const grid = gridOf(
    statistics,
    Uint32Array.of(0, 1, 2, 3, 4, 5),
    numberColumn(iops),
    wordsIn('findings', text('findings')),
    () => [''],
  )
  expect(grid.rows.map((word, i) => [word, grid.cells[i]?.[0]?.rows])).toEqual([
    ['held-back', [5]],
    ['slow-tail', [0, 1]],
    ['small-requests', [0, 3]],
    ['', [2, 4]],
  ])
})

test('a trend has the builds in order, and where the level changed', () => {
  const n = 40
  const builds = Array.from({ length: 3 * n }, (_, i) => `build ${(i % n) + 1}`)
  const values = builds.map((_, i) => (i % n < 25 ? 100 : 150) * (1 + ((i * 7919) % 11) / 1000))
  const trend = trendOf(statistics, {
    shown: Uint32Array.from(builds, (_, i) => i),
    figure: numberColumn(values),
    buildColumn: textColumn(builds),
    unit: 'number',
  })
  expect(trend.builds.slice(8, 11)).toEqual(['build 9', 'build 10', 'build 11'])
  const [series] = trend.series
  expect(series?.builds[0]?.rows).toEqual([0, 40, 80])
  const changes = series?.found?.changes ?? []
  expect(changes.map(({ index, kind }) => [index, kind])).toEqual([[25, 'step']])
  expect(changes[0] && buildsOf(trend.builds, changes[0])).toBe('between build 25 and build 26')
  const few = trendOf(statistics, {
    shown: Uint32Array.of(0, 1),
    figure: numberColumn(values),
    buildColumn: textColumn(builds),
    unit: 'number',
  })
  expect(few.series[0]?.found).toBeUndefined()
})

test('a view is the same after its text; the selection and the place are not in it', () => {
  const view: FleetView = {
    ...FLEET_START,
    tab: 'trend',
    where: "iops > 5 and kernel = '6.1'",
    filters: { kernel: ['6.1', ''], findings: ['slow-tail'] },
    sort: { column: 'iops', descending: true },
    columns: ['run', 'iops'],
    by: 'kernel',
    figure: 'q2c_p99',
    odd: true,
    multiples: true,
  }
  expect(viewOf(viewText({ ...view, selected: [3], top: 9 }))).toEqual(view)
  expect(viewText(FLEET_START)).toBe('')
  expect(viewOf('tab=nothing&sort=&x=1')).toEqual(FLEET_START)
})
