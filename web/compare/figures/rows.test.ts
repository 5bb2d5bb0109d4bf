/** The rows of a table of results: from texts, through the engine. */
import { expect, it } from 'vitest'
import { loadEngine } from '../../../cli/input/read/engine'
import type { ResultMatrix } from '../../engine/protocol'
import { readResults } from '../../engine/texts'
import { deviationOf, rangeOfCell } from '../deviation'
import { viewOf } from '../results/results'
import { sideNames } from '../results/tableSides'
import { figureRows, matchingRows, resultsView, rowOfFigure, wordsOfSearch } from './rows'

function tableOf(text: string): ResultMatrix {
  const bytes = new TextEncoder().encode(text)
  const [table] = readResults(loadEngine(), [{ path: 'mail.txt', bytes, size: bytes.length }]).document.tables
  if (!table) throw new Error('no table')
  return table
}

const fio = (side: string, iops: number) => `
## ${side}

fio-3.33
job: (groupid=0, jobs=1): err= 0: pid=1: Thu Nov 26 05:13:51 2026
  read: IOPS=${iops}, BW=170MiB/s (178MB/s)(340MiB/2001msec)
    clat (usec): min=18, max=4564, avg=117.19, stdev=141.27
    clat percentiles (usec):
     | 50.00th=[   99], 99.00th=[  293]
`
const TABLE = `${fio('bfq', 43600)}${fio('none', 41000)}`

const labels = (table: ResultMatrix, hidden: readonly string[] = []) =>
  figureRows(table, sideNames(table), hidden).map(({ section, group }) => `${section}: ${group.metric.figure.label}`)

it('figures are rows in the order in which they are looked at, with their spread in the row of the mean', () => {
  const table = tableOf(TABLE)
  expect(labels(table)).toEqual([
    'throughput: fio read rate',
    'rate: fio read IOPS',
    'latency: fio read clat mean',
    'percentile: fio read clat p50',
    'percentile: fio read clat p99',
  ])
  const mean = table.figures.find(({ key }) => key.endsWith('clat_mean'))
  if (!mean) throw new Error('no mean')
  const cell = viewOf(table, mean).matrix.cells[0]?.[0]
  if (!cell) throw new Error('no cell')
  expect(deviationOf(cell)).toEqual({ source: 'within', sd: 141_270 })
  expect(rangeOfCell(cell)).toEqual({ min: 18_000, max: 4_564_000 })
  expect(cell.n).toBe(1)
  expect(rowOfFigure(table, 'bench.fio.read.clat_max')).toBe('bench.fio.read.clat_mean')
  expect(rowOfFigure(table, 'bench.fio.read.iops')).toBe('bench.fio.read.iops')
})

it('rows are hidden by key and found by all of their words', () => {
  const table = tableOf(TABLE)
  expect(labels(table, ['bench.fio.read.iops', 'bench.fio.read.bw'])).toHaveLength(3)
  const rows = figureRows(table, sideNames(table))
  const matching = (text: string) => matchingRows(rows, wordsOfSearch(text)).length
  expect([matching(''), matching('  CLAT p99 '), matching('percentiles'), matching('p99 iops')]).toEqual([5, 1, 2, 0])
})

it('figures of the same sides open as a table, one figure in many places as a matrix', () => {
  expect(resultsView({}, tableOf(TABLE))).toBe('table')
  expect(resultsView({ show: 'text' }, tableOf(TABLE))).toBe('text')
  expect(resultsView({}, tableOf('IOPS\n\nthreads  6.1   6.12\n1        120   100\n4        310   250\n'))).toBe(
    'matrix',
  )
  expect(resultsView({}, undefined)).toBe('matrix')
})
