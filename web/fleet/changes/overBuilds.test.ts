import { describe, expect, it } from 'vitest'
import { readyStatistics } from '../../../cli/input/read/engine'
import { type FleetFigure, type OverBuilds, reportOverBuilds } from './overBuilds'
import { madeBuilds, seeded } from './series.testing'
import { inVersionOrder } from './versions'

const statistics = readyStatistics()

const SERIES = [
  ['bfq', 'hdd'],
  ['bfq', 'ssd'],
  ['none', 'hdd'],
  ['none', 'ssd'],
] as const

/** Figures of 40 builds with three runs each, by series and build. */
function made(
  random: () => number,
  figures: Readonly<Record<string, (series: number, build: number) => number>>,
): OverBuilds {
  const runs = SERIES.flatMap((_, series) =>
    Array.from({ length: 120 }, (_, i) => ({ series, build: Math.floor(i / 3) })),
  )
  return {
    builds: Array.from({ length: 40 }, (_, i) => String(i + 1)),
    dimensions: ['scheduler', 'disk'],
    series: SERIES,
    runs,
    figures: Object.entries(figures).map(([key, level]): FleetFigure => {
      const values = SERIES.flatMap((_, series) => madeBuilds(random, 40, build => level(series, build)).flat())
      return { key, label: key, unit: 'ns', values: values.map(value => value * 1e6) }
    }),
  }
}

const flat = () => 1

describe('overBuilds', () => {
  it('joins what changed at one place, and names the dimension that tells the series apart', () => {
    const { events, tested } = reportOverBuilds(
      statistics,
      made(seeded(1), {
        // One series has it a build later.
        held: (series, build) => (series < 2 && build >= 20 + series ? 6 : 1),
        mean: (series, build) => (series < 2 && build >= 20 + series ? 1.3 : 1),
        other: (series, build) => (series % 2 === 1 && build >= 8 ? 0.9 : 1),
        flat,
      }),
    )
    expect(tested).toBe(16)
    expect(
      events.map(({ previous, index, changes }) => [previous, index, changes.map(({ figure }) => figure).sort()]),
    ).toEqual([
      [7, 8, [2]],
      [expect.any(Number), expect.any(Number), [0, 1]],
    ])
    const [first, second] = events
    expect([20, 21]).toContain(second?.index)
    expect(first?.changes[0]?.where).toEqual([
      { dimension: 'disk', value: 'ssd', changed: 2, tested: 2 },
      { dimension: 'disk', value: 'hdd', changed: 0, tested: 2 },
    ])
    for (const change of second?.changes ?? []) {
      expect(change.found.map(({ series }) => series).sort()).toEqual([0, 1])
      expect(change.without).toEqual([2, 3])
      expect(change.where[0]).toEqual({ dimension: 'scheduler', value: 'bfq', changed: 2, tested: 2 })
    }
  })

  it('keeps changes apart that go in different directions', () => {
    const { events } = reportOverBuilds(
      statistics,
      made(seeded(2), { figure: (series, build) => (build < 20 ? 1 : series < 2 ? 1.2 : 0.8) }),
    )
    expect(events).toHaveLength(1)
    expect(events[0]?.changes.map(({ found }) => found.map(({ series }) => series).sort())).toEqual(
      expect.arrayContaining([
        [0, 1],
        [2, 3],
      ]),
    )
  })

  it('finds nothing in most of 60 fleets without a change', () => {
    const random = seeded(3)
    const figures = Object.fromEntries(Array.from({ length: 15 }, (_, i) => [`figure ${i}`, flat]))
    let alarms = 0
    for (let i = 0; i < 60; i++) if (reportOverBuilds(statistics, made(random, figures)).events.length > 0) alarms += 1
    expect(alarms).toBeLessThanOrEqual(3)
  })

  it('leaves out series with too few builds, and says so', () => {
    const input = made(seeded(4), { figure: flat })
    const { tested, short } = reportOverBuilds(statistics, {
      ...input,
      runs: input.runs.map(run => (run.series === 3 ? { ...run, build: run.build % 5 } : run)),
    })
    expect([tested, short]).toEqual([3, [3]])
  })
})

describe('falseDiscoveryRates', () => {
  const falseDiscoveryRates = (p: readonly number[], tests: number) => [...statistics.falseDiscoveryRates(p, tests)]

  it('are those of Benjamini and Hochberg, with the tests that found nothing', () => {
    expect(falseDiscoveryRates([0.001, 0.04, 0.01], 10).map(rate => Number(rate.toFixed(4)))).toEqual([
      0.01, 0.1333, 0.05,
    ])
    // Never larger than that of a larger p.
    expect(falseDiscoveryRates([0.03, 0.031], 2)).toEqual([0.031, 0.031])
    expect(falseDiscoveryRates([], 5)).toEqual([])
  })
})

describe('inVersionOrder', () => {
  it.each([
    ['10 2 1', '1 2 10'],
    ['6.12 6.12.1 6.12-rc10 6.12-rc9 6.2', '6.2 6.12-rc9 6.12-rc10 6.12 6.12.1'],
    ['v6.12-3-gabc v6.12 v6.12-rc7-41-gdef', 'v6.12-rc7-41-gdef v6.12 v6.12-3-gabc'],
    ['6.1.0-47-amd64 6.1.0-9-amd64 5.10.0', '5.10.0 6.1.0-9-amd64 6.1.0-47-amd64'],
    ['1.0 1.0~beta2', '1.0~beta2 1.0'],
    ['b a', 'a b'],
  ])('%s', (names, expected) => {
    expect(inVersionOrder(names.split(' '))).toEqual(expected.split(' '))
    expect(inVersionOrder(names.split(' ').reverse())).toEqual(expected.split(' '))
  })
})
