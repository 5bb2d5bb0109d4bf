/** A figure over builds: the runs of each, and the builds at which it changed its level. */

import type { ChangePoint, SeriesChanges } from '../../engine/protocol'
import type { Statistics } from '../../engine/statistics'
import { type NumberColumn, type TextColumn, wordAt } from '../table/columns'
import { optionsFor } from './overBuilds'
import { inVersionOrder } from './versions'

/** Maximum number of series; the page reports the others. */
const MAX_SERIES = 12
const MAX_BUILDS = 2000

export interface BuildPoint {
  readonly build: string
  readonly rows: readonly number[]
  readonly values: readonly number[]
  readonly median: number
}

export interface FleetSeries {
  /** Word of the label that splits the rows; '' where they have none, or are not split. */
  readonly name: string
  readonly builds: readonly BuildPoint[]
  /** Changes; absent if there are too few builds. */
  readonly found?: SeriesChanges
}

export interface FleetTrend {
  readonly series: readonly FleetSeries[]
  /** Names of all builds, in their order. */
  readonly builds: readonly string[]
  /** Number of series and builds beyond the limits. */
  readonly cut: readonly [series: number, builds: number]
  /** Number of builds that change points need. */
  readonly needed: number
}

export interface TrendQuestion {
  readonly shown: Uint32Array
  readonly figure: NumberColumn
  readonly buildColumn: TextColumn
  readonly split?: TextColumn
  /** Unit of the figure. */
  readonly unit: string
}

export function trendOf(
  statistics: Statistics,
  { shown, figure, buildColumn, split, unit }: TrendQuestion,
): FleetTrend {
  const found = new Map<string, Map<string, number[]>>()
  const names = new Set<string>()
  for (const row of shown) {
    const build = wordAt(buildColumn, row)
    if (build === undefined || Number.isNaN(figure.values[row])) continue
    names.add(build)
    const name = split ? (wordAt(split, row) ?? '') : ''
    const builds = found.get(name) ?? new Map<string, number[]>()
    found.set(name, builds)
    const rows = builds.get(build)
    if (rows) rows.push(row)
    else builds.set(build, [row])
  }
  const all = inVersionOrder([...names])
  const builds = all.slice(-MAX_BUILDS)
  const series = inVersionOrder([...found.keys()]).flatMap(name => {
    const rowsOfBuilds = found.get(name)
    return rowsOfBuilds ? [[name, rowsOfBuilds] as const] : []
  })
  const needed = statistics.minBuilds()
  return {
    series: series.slice(0, MAX_SERIES).map(([name, rowsOfBuilds]): FleetSeries => {
      const rowLists = builds.map(build => rowsOfBuilds.get(build) ?? [])
      const values = rowLists.map(rows => rows.map(row => figure.values[row] ?? Number.NaN))
      const medians = statistics.medians(values)
      const points = builds.map(
        (build, i): BuildPoint => ({
          build,
          rows: rowLists[i] ?? [],
          values: values[i] ?? [],
          median: medians[i] ?? Number.NaN,
        }),
      )
      const isLong = points.filter(({ rows }) => rows.length > 0).length >= needed
      return { name, builds: points, ...(isLong && { found: statistics.changePoints(values, optionsFor(unit)) }) }
    }),
    builds,
    cut: [Math.max(0, series.length - MAX_SERIES), all.length - builds.length],
    needed,
  }
}

/** The least and the largest value; there may be too many to be arguments of a function. */
export function extentOf({ builds }: FleetSeries): readonly [least: number, most: number] {
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const { values } of builds)
    for (const value of values) {
      min = Math.min(min, value)
      max = Math.max(max, value)
    }
  return [min, max]
}

/** The builds around a change, as names. */
export function buildsOf(builds: readonly string[], { kind, index, previous, range }: ChangePoint): string {
  const name = (position: number) => builds[position] ?? ''
  if (kind === 'drift') return `from ${name(range[0])} to ${name(range[1])}, gradually`
  return `between ${name(previous)} and ${name(index)}`
}
