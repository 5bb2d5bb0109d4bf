/**
 * Reads the build of a run and the labels that split runs into series: from columns of digests, or from marks in
 * labels and paths such as `build=41`, `build-41`.
 */
import { MARKED, markIn, markOf, regexOf } from '../../web/fleet/table/marks'
import type { TableRow } from '../fleet/tables'
import { REPEAT } from '../output/comparison/noise'

export interface LabelReader {
  readonly name: string
  /** The label of a run; empty if it has none. */
  labelOf(row: TableRow): string
  /** Name of the column; absent if the label is read from marks. */
  readonly column?: string
}

/** `columns`: of all rows, by their lower-case names. */
export function labelReader(name: string, columns: ReadonlyMap<string, string>): LabelReader {
  const column = columns.get(name.toLowerCase())
  if (column !== undefined) return { name, column, labelOf: row => cell(row[column]) }
  const mark = markOf(name)
  return {
    name,
    labelOf: row =>
      markIn(
        mark,
        MARKED.map(text => cell(row[text])),
      ) ?? '',
  }
}

const cell = (value: unknown): string => (value === undefined || value === null ? '' : String(value))

/** The label without the build and without the number of a repeat: `bfq` of `build-41-bfq-r2`. */
export function restOfLabel(label: string, build: string, buildReader: LabelReader): string {
  const buildName = new RegExp(`(?<![A-Za-z0-9])v?${regexOf(build)}(?![A-Za-z0-9])`, 'g')
  const rest = label
    .replace(REPEAT, '')
    .replace(markOf(buildReader.name), ' ')
    .replace(build === '' ? /$^/ : buildName, ' ')
  return rest
    .replace(/[\s,;/_-]+/g, ' ')
    .replace(new RegExp(`(?<![A-Za-z0-9])${regexOf(buildReader.name)}(?![A-Za-z0-9])`, 'gi'), '')
    .trim()
}

/** A dimension by which runs can be split into series. */
export interface LabelDimensionValues {
  readonly name: string
  /** Values by run. */
  readonly values: readonly string[]
}

/**
 * The dimensions that make series: those with several values within most builds, which split runs further, and leave
 * nearly all runs in series of enough builds, `minBuilds`. Others vary with the build (its kernel), or differ in each
 * run (a date).
 */
export function seriesBy(
  builds: readonly string[],
  candidates: readonly LabelDimensionValues[],
  minBuilds: number,
): readonly LabelDimensionValues[] {
  const chosen: LabelDimensionValues[] = []
  let keys: readonly string[] = builds.map(() => '')
  for (const candidate of candidates) {
    const within = new Map<string, Set<string>>()
    for (const [i, build] of builds.entries())
      within.set(build, (within.get(build) ?? new Set()).add(candidate.values[i] ?? ''))
    if ([...within.values()].filter(({ size }) => size > 1).length * 2 < within.size) continue
    const split = keys.map((key, i) => JSON.stringify([key, candidate.values[i]]))
    if (new Set(split).size === new Set(keys).size || !isLong(builds, split, minBuilds)) continue
    chosen.push(candidate)
    keys = split
  }
  return chosen
}

/** Whether nine tenths of the runs are in series with enough builds. */
function isLong(builds: readonly string[], keys: readonly string[], minBuilds: number): boolean {
  const buildsOfSeries = new Map<string, Set<string>>()
  for (const [i, key] of keys.entries())
    buildsOfSeries.set(key, (buildsOfSeries.get(key) ?? new Set()).add(builds[i] ?? ''))
  return keys.filter(key => (buildsOfSeries.get(key)?.size ?? 0) >= minBuilds).length >= 0.9 * keys.length
}
