import { describe, expect, it } from 'vitest'
import { readyStatistics } from '../../../cli/input/read/engine'
import { MAX_ROWS, numberColumn, textColumn } from '../table/columns'
import { madeBuilds, seeded } from './series.testing'
import { extentOf, trendOf } from './trend'

const statistics = readyStatistics()

const all = (rows: number) => Uint32Array.from({ length: rows }, (_, row) => row)

describe('a figure over builds', () => {
  it('has a series per word of another label, and its changes', () => {
    const made = ['bfq', 'none'].map((name, i) => ({
      name,
      builds: madeBuilds(seeded(20 + i), 60, build => (i === 0 && build >= 41 ? 1.08 : 1)),
    }))
    const rows = made.flatMap(({ name, builds }) =>
      builds.flatMap((runs, index) => runs.map(value => ({ name, build: String(index + 1), value }))),
    )
    const { series, builds } = trendOf(statistics, {
      shown: all(rows.length),
      figure: numberColumn(rows.map(({ value }) => value)),
      buildColumn: textColumn(rows.map(({ build }) => build)),
      split: textColumn(rows.map(({ name }) => name)),
      unit: '1/s',
    })
    expect(builds.slice(8, 11)).toEqual(['9', '10', '11'])
    expect(
      series.map(({ name, found }) => [
        name,
        found?.changes.map(({ previous, index }) => [builds[previous], builds[index]]),
      ]),
    ).toEqual([
      ['bfq', [['41', '42']]],
      ['none', []],
    ])
  })

  it('takes as many rows as a table may have, in a few builds', () => {
    const buildColumn = textColumn(Array.from({ length: MAX_ROWS }, (_, row) => `build ${row % 2}`))
    const figure = numberColumn(Array.from({ length: MAX_ROWS }, (_, row) => row))
    const before = process.cpuUsage()
    const [series] = trendOf(statistics, { shown: all(MAX_ROWS), figure, buildColumn, unit: '1/s' }).series
    const { user, system } = process.cpuUsage(before)
    expect(series && extentOf(series)).toEqual([0, MAX_ROWS - 1])
    expect((user + system) / 1e6).toBeLessThan(2)
  })
})
