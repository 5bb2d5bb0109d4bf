/**
 * Change points of many figures in many series of builds (one per scheduler, device, job, ...): which are more than
 * chance, which are the same change in several series, and which figures changed with which.
 */
import type { ChangePoint, SeriesCount } from '../../engine/protocol'
import type { BuildRuns, ChangeOptions, Statistics } from '../../engine/statistics'

/** A figure of all runs. */
export interface FleetFigure {
  readonly key: string
  readonly label: string
  /** Unit as in a comparison: `ns`, `share`, `bytes/s`, ... */
  readonly unit: string
  readonly good?: 'less' | 'more'
  /** Values by run; `undefined` where the figure does not apply or is unreliable. */
  readonly values: readonly (number | undefined)[]
}

/** Build and series of a run, as indices. */
interface PlacedBuildRun {
  readonly build: number
  readonly series: number
}

export interface OverBuilds {
  /** Names of builds, in version order. */
  readonly builds: readonly string[]
  /** Dimensions in which the series differ: `scheduler`, `device`. */
  readonly dimensions: readonly string[]
  /** The values of each series, by dimension. */
  readonly series: readonly (readonly string[])[]
  readonly runs: readonly PlacedBuildRun[]
  readonly figures: readonly FleetFigure[]
}

/** A change of a figure in a series. */
export interface SeriesChange extends ChangePoint {
  readonly figure: number
  readonly series: number
  /** Benjamini and Hochberg's, over all series and figures. */
  readonly fdr: number
}

/** A change of a figure in one or more series. */
export interface JoinedChange {
  readonly figure: number
  /** Sorted by certainty, the most certain first. */
  readonly found: readonly SeriesChange[]
  /** Medians over the series of the levels before and after. */
  readonly before: number
  readonly after: number
  /** Median over the series of the ratio; absent if one of them has none. */
  readonly ratio?: number
  /** Series with builds on both sides that did not change. */
  readonly without: readonly number[]
  /** The dimension that best separates changed from unchanged series; empty if all changed. */
  readonly where: readonly SeriesCount[]
}

/** All changes between the same two builds. */
export interface BuildsEvent {
  /** The last build before the change and the first one after it, of the most certain change. */
  readonly previous: number
  readonly index: number
  /** The most certain first. */
  readonly changes: readonly JoinedChange[]
}

export interface BuildsReport {
  readonly events: readonly BuildsEvent[]
  /** Pairs of a figure and a series that were tested. */
  readonly tested: number
  /** Series with fewer builds than are needed. */
  readonly short: readonly number[]
}

/** Values below this count as 0, by unit. Shares also need a minimum difference: half a percentage point. */
const FLOORS: Readonly<Record<string, number>> = {
  ns: 1000,
  share: 0.001,
  bytes: 1,
  'bytes/s': 1000,
  '1/s': 0.1,
  sectors: 1,
  requests: 0.01,
  bios: 0.01,
}
const MIN_FLOOR = 1e-6
const MIN_SHARE_FLOOR = 0.005
const RATE = 0.05

interface FigureSeries {
  readonly figure: number
  readonly series: number
  readonly builds: readonly BuildRuns[]
}

/** The values by build, of each figure in each series that has enough builds with it. */
function* figureSeries({ builds, series, runs, figures }: OverBuilds, minBuilds: number): Generator<FigureSeries> {
  const members = series.map(() => [] as number[])
  for (const [run, { series: seriesIndex }] of runs.entries()) members[seriesIndex]?.push(run)
  for (const [figure, { values }] of figures.entries())
    for (const [seriesIndex, memberRuns] of members.entries()) {
      const table = builds.map(() => [] as number[])
      for (const run of memberRuns) {
        const value = values[run]
        if (value !== undefined) table[runs[run]?.build ?? 0]?.push(value)
      }
      if (table.filter(list => list.length > 0).length >= minBuilds)
        yield { figure, series: seriesIndex, builds: table }
    }
}

/** Options of the search for a figure with this unit. */
export const optionsFor = (unit: string, falseAlarms: number = RATE): ChangeOptions => ({
  floor: FLOORS[unit] ?? MIN_FLOOR,
  falseAlarms,
  ...(unit === 'share' && { minDifference: MIN_SHARE_FLOOR }),
})

/**
 * Changes at most a share of which is expected to be chance: those of all series first, then again with what that
 * demands of each.
 */
function changesOf(
  statistics: Statistics,
  input: OverBuilds,
  tables: readonly FigureSeries[],
): readonly SeriesChange[] {
  const unit = (figure: number) => input.figures[figure]?.unit ?? ''
  const findChanges = (falseAlarms: number, among: readonly FigureSeries[]) =>
    among.flatMap(table =>
      statistics.changePoints(table.builds, optionsFor(unit(table.figure), falseAlarms)).changes.map(change => ({
        table,
        change,
      })),
    )
  let found = findChanges(RATE, tables)
  for (;;) {
    const p = found.map(({ change }) => change.p)
    const rates = statistics.falseDiscoveryRates(p, tables.length)
    const significant = found.filter((_, i) => (rates[i] ?? 1) <= RATE)
    if (significant.length === found.length) {
      return found.map(({ table, change }, i) => ({
        ...change,
        figure: table.figure,
        series: table.series,
        fdr: rates[i] ?? 1,
      }))
    }
    // Once a change is dropped, the levels on both sides of it are one, so the series must be searched again.
    const limit = Math.max(0, ...significant.map(({ change }) => change.p))
    if (significant.length === 0) return []
    const repeated = new Set(found.filter(entry => !significant.includes(entry)).map(({ table }) => table))
    const rest = found.filter(({ table }) => !repeated.has(table))
    found = [...rest, ...findChanges(limit, [...repeated])]
  }
}

/**
 * The builds between which a change may be, and one more at each side: 95 % intervals of several series need not
 * overlap.
 */
const spanOf = ({ previous, index, range }: ChangePoint): readonly [number, number] => [
  Math.min(range[0], previous + 1) - 1,
  Math.max(range[1], index) + 1,
]

const overlaps = (a: readonly [number, number], b: readonly [number, number]): boolean => a[0] <= b[1] && b[0] <= a[1]

/** Items in clusters, each around its most certain one, which is first. */
function clusterItems<T>(
  items: readonly T[],
  p: (item: T) => number,
  alike: (first: T, candidate: T) => boolean,
): readonly (readonly T[])[] {
  const clusters: T[][] = []
  for (const item of items.toSorted((a, b) => p(a) - p(b))) {
    const cluster = clusters.find(([first]) => first !== undefined && alike(first, item))
    if (cluster) cluster.push(item)
    else clusters.push([item])
  }
  return clusters
}

const rises = ({ before, after }: ChangePoint): boolean => after > before

/** Finds the dimension whose values best predict which series changed. */
function whereOf(
  { dimensions, series }: OverBuilds,
  changed: readonly number[],
  unchanged: readonly number[],
): readonly SeriesCount[] {
  if (unchanged.length === 0) return []
  const candidates = dimensions.map((dimension, d) => {
    const counts = new Map<string, { changed: number; tested: number }>()
    for (const [list, increment] of [
      [changed, 1],
      [unchanged, 0],
    ] as const)
      for (const seriesIndex of list) {
        const value = series[seriesIndex]?.[d] ?? ''
        const previous = counts.get(value) ?? { changed: 0, tested: 0 }
        counts.set(value, { changed: previous.changed + increment, tested: previous.tested + 1 })
      }
    // Series that a rule "all or none per value" would get wrong; of equals, the dimension with fewer values is
    // simpler.
    const wrong = [...counts.values()].reduce(
      (sum, count) => sum + Math.min(count.changed, count.tested - count.changed),
      0,
    )
    return { wrong, counts: [...counts].map(([value, count]): SeriesCount => ({ dimension, value, ...count })) }
  })
  const [best] = candidates
    .filter(({ counts }) => counts.length > 1)
    .sort((a, b) => a.wrong - b.wrong || a.counts.length - b.counts.length)
  return (best?.counts ?? []).toSorted((a, b) => b.changed / b.tested - a.changed / a.tested)
}

/** The medians over the series that changed. */
function middleOf({ medians }: Statistics, found: readonly SeriesChange[]) {
  const ratios = found.flatMap(({ ratio }) => ratio ?? [])
  const [before = 0, after = 0, logRatio = 0] = medians([
    found.map(change => change.before),
    found.map(change => change.after),
    ratios.map(Math.log),
  ])
  return { before, after, ...(ratios.length === found.length && { ratio: Math.exp(logRatio) }) }
}

function joinChanges(
  statistics: Statistics,
  input: OverBuilds,
  tables: readonly FigureSeries[],
  changes: readonly SeriesChange[],
): readonly JoinedChange[] {
  const isSameChange = (a: SeriesChange, b: SeriesChange) =>
    a.figure === b.figure && rises(a) === rises(b) && a.series !== b.series && overlaps(spanOf(a), spanOf(b))
  const minLevel = statistics.minLevel()
  return clusterItems(changes, ({ p }) => p, isSameChange).map(found => {
    const [first] = found
    const figure = first?.figure ?? 0
    const index = first?.index ?? 0
    const changed = [...new Set(found.map(({ series }) => series))]
    const filled = (builds: readonly BuildRuns[]) => builds.filter(({ length }) => length > 0).length
    const unchanged = tables
      .filter(table => table.figure === figure && !changed.includes(table.series))
      .filter(({ builds }) => filled(builds.slice(0, index)) >= minLevel && filled(builds.slice(index)) >= minLevel)
      .map(({ series }) => series)
    return {
      figure,
      found,
      ...middleOf(statistics, found),
      without: unchanged,
      where: whereOf(input, changed, unchanged),
    }
  })
}

const leading = ({ found: [first] }: JoinedChange): SeriesChange => first as SeriesChange

export function reportOverBuilds(statistics: Statistics, input: OverBuilds): BuildsReport {
  const tables = [...figureSeries(input, statistics.minBuilds())]
  const changes = joinChanges(statistics, input, tables, changesOf(statistics, input, tables))
  const alike = (a: JoinedChange, b: JoinedChange) => overlaps(spanOf(leading(a)), spanOf(leading(b)))
  const events = clusterItems(changes, change => leading(change).p, alike).map((members): BuildsEvent => {
    const [first] = members
    const { previous, index } = leading(first as JoinedChange)
    return { previous, index, changes: members }
  })
  const tested = new Set(tables.map(({ series }) => series))
  return {
    events: events.toSorted((a, b) => a.index - b.index),
    tested: tables.length,
    short: input.series.map((_, i) => i).filter(i => !tested.has(i)),
  }
}
