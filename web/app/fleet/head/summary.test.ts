import { describe, expect, it } from 'vitest'
import type { NumberColumn, TextColumn } from '../../../fleet/table/columns'
import type { FleetField } from '../fields'
import { fleetSentence, outlierWords, spanWords } from './summary'

const field = (name: string, title: string): FleetField => ({ name, title, kind: 'label', unit: '' })
const text = (words: readonly string[], codes: readonly number[]) =>
  ({ type: 'text', words, codes: Int32Array.from(codes) }) as unknown as TextColumn
const numbers = (values: readonly number[]) =>
  ({ type: 'number', values: Float64Array.from(values) }) as unknown as NumberColumn
const rows = Uint32Array.of(0, 1, 2)

describe('the head of a fleet', () => {
  const kernel = { field: field('kernel', 'Kernel'), column: text(['6.1', '6.12'], [0, 1, -1]) }
  const extra = { field: field('fs', 'fs'), column: text(['ext4', 'xfs', 'btrfs'], [0, 1, 2]) }
  const same = { field: field('device', 'Device'), column: text(['sda', 'sdb'], [0, 0, 0]) }

  it('names the labels that differ among the rows, and not what all have in common', () => {
    expect(fleetSentence(3, rows, [kernel, extra, same])).toBe('3 rows: 2 kernels and 3 values of fs.')
    expect(fleetSentence(80, rows, [same])).toBe('3 of 80 rows.')
    expect(fleetSentence(80, undefined, [kernel])).toBe('Reading columns…')
  })
  it('has the smallest and the largest value, without rows that lack one', () => {
    const time: FleetField = { ...field('span', 'Run time'), kind: 'figure', unit: 'ns' }
    expect(spanWords(time, numbers([2e9, Number.NaN, 5e8]), rows)).toBe('Run time: 0.500 to 2 s')
    expect(spanWords(time, numbers([2e9, 2e9, 2e9]), rows)).toBe('Run time: 2 s')
    expect(spanWords(time, numbers([Number.NaN, Number.NaN, Number.NaN]), rows)).toBeUndefined()
  })
  it('counts rows with outliers', () => {
    expect([0, 1, 2000].map(outlierWords)).toEqual([
      'no outliers',
      '1 row with an outlier',
      '2,000 rows with an outlier',
    ])
  })
})
