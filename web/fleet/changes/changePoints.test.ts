import { describe, expect, it } from 'vitest'
import { readyStatistics } from '../../../cli/input/read/engine'
import type { ChangePoint } from '../../engine/protocol'
import type { BuildRuns } from '../../engine/statistics'
import { madeBuilds, normal, seeded } from './series.testing'

const { changePoints, minBuilds } = readyStatistics()

const twoChanges = (build: number) => (build < 20 ? 1 : build < 42 ? 1.08 : 1.08 * 1.03)

/** How many of so many series have changes for which the test holds. */
function share(
  series: number,
  seed: number,
  make: (random: () => number) => readonly BuildRuns[],
  test: (changes: readonly ChangePoint[]) => boolean,
) {
  const random = seeded(seed)
  let hits = 0
  for (let i = 0; i < series; i++) if (test(changePoints(make(random), { floor: 1e-9 }).changes)) hits += 1
  return hits / series
}

describe('changes of 8 % and 3 % in 60 builds of three runs with 1 % noise', () => {
  it('are found where they are, and nothing else', () => {
    const { changes, levels, noise } = changePoints(madeBuilds(seeded(1), 60, twoChanges))
    expect(changes.map(({ kind, index, previous }) => [kind, previous, index])).toEqual([
      ['step', 19, 20],
      ['step', 41, 42],
    ])
    expect(changes[0]?.ratio).toBeCloseTo(1.08, 2)
    expect(changes[1]?.ratio).toBeCloseTo(1.03, 2)
    expect(levels.map(({ from, to }) => [from, to])).toEqual([
      [0, 19],
      [20, 41],
      [42, 59],
    ])
    expect(noise).toBeGreaterThan(0.004)
    expect(noise).toBeLessThan(0.009)
  })

  it('are found in 99 % of 500 series, with intervals that contain the truth', () => {
    const random = seeded(2)
    let [both, places, ratios, exact] = [0, 0, 0, 0]
    for (let i = 0; i < 500; i++) {
      const { changes } = changePoints(madeBuilds(random, 60, twoChanges))
      if (changes.length !== 2) continue
      both += 1
      for (const [k, { range, index, ci95 }] of changes.entries()) {
        const [position, ratio] = k === 0 ? [20, 1.08] : [42, 1.03]
        if (range[0] <= position && position <= range[1]) places += 1
        if (index === position) exact += 1
        if (ci95 && ci95[0] <= ratio && ratio <= ci95[1]) ratios += 1
      }
    }
    expect(both / 500).toBeGreaterThan(0.99)
    expect(exact / both / 2).toBeGreaterThan(0.95)
    expect(places / both / 2).toBeGreaterThan(0.97)
    expect(ratios / both / 2).toBeGreaterThan(0.92)
  })
})

describe('a series without a change', () => {
  it.each([
    ['three runs per build', 60, {}],
    ['one run per build', 60, { repeats: 1 }],
    ['12 builds', 12, { repeats: 1 }],
    ['200 builds', 200, {}],
    ['noise that runs of a build share', 60, { builds: 0.03 }],
    ['noise that the next build partly keeps', 60, { builds: 0.03, alike: 0.3 }],
  ])('has false alarms in at most 5 %: %s', (_, builds, noise) => {
    expect(
      share(
        500,
        3,
        random => madeBuilds(random, builds, () => 1, noise),
        changes => changes.length > 0,
      ),
    ).toBeLessThan(0.05)
  })

  it('has no smaller p than chance gives, which corrections for many series rely on', () => {
    const make = (random: () => number) => madeBuilds(random, 60, () => 1, { repeats: 1 })
    expect(share(3000, 14, make, changes => changes.some(({ p }) => p < 0.01))).toBeLessThan(0.01)
    expect(share(3000, 14, make, changes => changes.some(({ p }) => p < 0.001))).toBeLessThan(0.003)
  })

  it('has false alarms in at most 5 % where noise has heavy tails', () => {
    const heavy = (random: () => number) =>
      normal(random) / Math.sqrt((normal(random) ** 2 + normal(random) ** 2 + normal(random) ** 2) / 3)
    const make = (random: () => number) => Array.from({ length: 60 }, () => [100 * Math.exp(0.01 * heavy(random))])
    expect(share(500, 4, make, changes => changes.length > 0)).toBeLessThan(0.05)
  })

  it.each([0.05, 0.2, 0.5])('has false alarms in at most 5 % where the figure is not 0 in a share of %d', rate => {
    const make = (random: () => number) => Array.from({ length: 60 }, () => [random() < rate ? 50 * (1 + random()) : 0])
    expect(share(500, 5, make, changes => changes.length > 0)).toBeLessThan(0.05)
  })
})

describe('builds that stand out', () => {
  it('are no change, alone or in pairs', () => {
    const lone = (builds: readonly number[]) => (random: () => number) =>
      madeBuilds(random, 60, i => (builds.includes(i) ? 1.3 : 1))
    expect(share(200, 6, lone([30]), changes => changes.length > 0)).toBeLessThan(0.03)
    expect(share(200, 6, lone([59]), changes => changes.length > 0)).toBeLessThan(0.05)
    expect(share(200, 6, lone([30, 31]), changes => changes.length > 0)).toBeLessThan(0.06)
  })

  it('do not hide a change, nor move it', () => {
    const make = (random: () => number) =>
      madeBuilds(random, 60, i => (i === 10 ? 2 : i === 35 ? 0.6 : 1) * (i < 30 ? 1 : 1.08))
    expect(share(200, 7, make, ([first, ...more]) => first?.index === 30 && more.length === 0)).toBeGreaterThan(0.97)
  })
})

describe('the last builds', () => {
  it('are a change once there are three', () => {
    const last = (builds: number) => (random: () => number) => madeBuilds(random, 60, i => (i < 60 - builds ? 1 : 1.08))
    expect(share(200, 8, last(3), ([first]) => first?.index === 57)).toBeGreaterThan(0.9)
    expect(share(200, 8, last(1), changes => changes.length > 0)).toBeLessThan(0.05)
  })
})

describe('a gradual change', () => {
  it('is one drift with its first and last build, not a staircase', () => {
    const ramp = (build: number) => 1 + (0.1 * Math.min(20, Math.max(0, build - 19))) / 20
    const make = (random: () => number) => madeBuilds(random, 60, ramp)
    expect(share(200, 9, make, ([first, ...more]) => first?.kind === 'drift' && more.length === 0)).toBeGreaterThan(0.9)
    const [drift] = changePoints(make(seeded(9))).changes
    expect(drift?.range[0]).toBeGreaterThan(16)
    expect(drift?.range[0]).toBeLessThan(25)
    expect(drift?.range[1]).toBeGreaterThan(34)
    expect(drift?.range[1]).toBeLessThan(43)
    expect(drift?.ratio).toBeCloseTo(1.1, 1)
  })
})

describe('what a figure may be', () => {
  it('zero: the change has levels and no ratio', () => {
    const random = seeded(10)
    const builds = Array.from({ length: 20 }, (_, i) => [i < 10 ? 0 : 40 + random()])
    const { changes } = changePoints(builds, { floor: 1 })
    expect(changes).toMatchObject([{ index: 10, before: 0 }])
    expect(changes[0]?.ratio).toBeUndefined()
    expect(changes[0]?.ci95).toBeUndefined()
  })

  it('below the floor: no change', () => {
    const builds = Array.from({ length: 20 }, (_, i) => [i < 10 ? 0 : 0.4])
    expect(changePoints(builds, { floor: 1 }).changes).toEqual([])
  })

  it('equal in all runs but for a change', () => {
    const { changes } = changePoints(Array.from({ length: 20 }, (_, i) => [i < 10 ? 100 : 102]))
    expect(changes).toMatchObject([{ index: 10, range: [10, 10], before: 100, after: 102 }])
    expect(changePoints(Array.from({ length: 20 }, () => [7])).changes).toEqual([])
  })

  it('changed by less than is asked for', () => {
    const builds = Array.from({ length: 20 }, (_, i) => [i < 10 ? 100 : 102])
    expect(changePoints(builds, { minChange: 0.03 }).changes).toEqual([])
  })

  it('absent in some builds, which keep their place', () => {
    const builds = madeBuilds(seeded(11), 60, twoChanges).map((runs, i) =>
      i % 7 === 3 || i === 41 ? [] : i === 5 ? [Number.NaN] : runs,
    )
    expect(changePoints(builds).changes.map(({ previous, index }) => [previous, index])).toEqual([
      [19, 20],
      [40, 42],
    ])
  })

  it('in too few builds', () => {
    const few = Array.from({ length: minBuilds() - 1 }, (_, i) => [i < 3 ? 1 : 9])
    expect(changePoints(few)).toEqual({ changes: [], levels: [], noise: 0 })
    expect(changePoints([...few, [9]]).levels).toHaveLength(2)
    expect(changePoints([])).toEqual({ changes: [], levels: [], noise: 0 })
  })
})

describe('limits', () => {
  it('takes 1,000 builds of 200 figures within four seconds of processor time', () => {
    const random = seeded(12)
    const series = Array.from({ length: 200 }, () =>
      madeBuilds(random, 1000, i => (i < 300 ? 1 : i < 700 ? 1.05 : 0.99)),
    )
    const before = process.cpuUsage()
    const found = series.map(builds => changePoints(builds).changes.length)
    const { user, system } = process.cpuUsage(before)
    expect(found.filter(n => n === 2).length).toBeGreaterThan(190)
    expect((user + system) / 1e6).toBeLessThan(4)
  })
})
