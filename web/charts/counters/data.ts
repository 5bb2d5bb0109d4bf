/** Lanes of several runs as rows: the same counter of the same subject, as the same tool printed it. Pure. */

import type { LaneInfo, LaneList, LaneSource, LaneUnit } from '../../engine/protocol'
import { quantity } from '../../lib/format'
import type { Pair } from '../difference/pair'
import { type AxisUnit, timeUnit } from '../shared/paint/ticks'

/** How runs are drawn: each in its column, as lines of one plot, or one minus the other. */
export type LaneMode =
  | { readonly kind: 'columns' }
  | { readonly kind: 'overlay' }
  | { readonly kind: 'difference'; readonly pair: Pair }

/** A counter, and which lane it is in each run. */
export interface LaneRow {
  readonly key: string
  /** `vda %util`. */
  readonly title: string
  readonly meaning: string
  readonly unit: LaneUnit
  readonly main: boolean
  readonly perCpu: boolean
  /** Largest value of all runs. */
  readonly most: number
  /** One lane per run, in their order. */
  readonly lanes: readonly (LaneInfo | undefined)[]
}

/** `iostat -x` of `iostat -x: 15 reports of vda`. */
const toolOf = ({ what }: LaneSource): string => what.split(':')[0] ?? what

type Lists = readonly (LaneList | undefined)[]

/** Tools whose files have lanes, those with counters of devices first. */
export function toolsOf(lists: Lists): readonly string[] {
  const found = new Map<string, boolean>()
  for (const list of lists) {
    for (const { source, of: subject } of list?.lanes ?? []) {
      const tool = list?.sources[source]
      if (tool)
        found.set(
          toolOf(tool),
          (found.get(toolOf(tool)) ?? false) || (subject !== 'machine' && !subject.startsWith('CPU ')),
        )
    }
  }
  return [...found].sort((a, b) => Number(b[1]) - Number(a[1])).map(([tool]) => tool)
}

/** Rows of a tool in the order of its columns: those of devices, of the machine, of single CPUs. */
export function rowsOf(lists: Lists, tool: string): readonly LaneRow[] {
  const rows = new Map<string, LaneRow>()
  for (const [i, list] of lists.entries()) {
    for (const lane of list?.lanes ?? []) {
      const source = list?.sources[lane.source]
      if (source === undefined || toolOf(source) !== tool) continue
      const { name, of: subject, meaning, unit, main, most } = lane
      const key = `${subject} ${name}`
      const row = rows.get(key)
      // A second file of the same tool in one run is left out.
      if (row?.lanes[i] !== undefined) continue
      const lanes = Array.from(lists, (_, index) => (index === i ? lane : row?.lanes[index]))
      const title = subject === 'machine' ? name : key
      rows.set(key, {
        key,
        title,
        meaning,
        unit,
        main,
        perCpu: subject.startsWith('CPU '),
        most: Math.max(most, row?.most ?? 0),
        lanes,
      })
    }
  }
  const rank = (row: LaneRow) => (row.perCpu ? 2 : row.title === row.key ? 0 : 1)
  return [...rows.values()].sort((a, b) => rank(a) - rank(b))
}

/**
 * Rows that are drawn: the main ones or all, without those that are always 0, and at most as many as one query takes.
 */
export function drawnRows(
  rows: readonly LaneRow[],
  all: boolean,
): { readonly drawn: readonly LaneRow[]; readonly zero: readonly LaneRow[]; readonly more: number } {
  const asked = all ? rows : rows.filter(row => row.main && !row.perCpu)
  const moving = asked.filter(row => row.most > 0)
  const drawn = moving.slice(0, MAX_ROWS)
  return { drawn, zero: asked.filter(row => row.most === 0), more: moving.length - drawn.length }
}

/** Lanes per query, and rows on the page. */
const MAX_ROWS = 64

/** What is left out, with its reason. */
export const unplaced = (lists: Lists, letters: readonly string[]): readonly string[] =>
  lists.flatMap((list, i) =>
    (list?.sources ?? []).flatMap(({ file, what, absent }) =>
      absent === undefined
        ? []
        : [`${letters[i]}, ${file.slice(file.lastIndexOf('/') + 1)} (${what}): no lanes, ${absent}.`],
    ),
  )

/** How the files of a tool were placed, by run. */
export const clocks = (lists: Lists, letters: readonly string[], tool: string): readonly string[] =>
  lists.flatMap((list, i) =>
    (list?.sources ?? []).flatMap(source =>
      source.clock === undefined || toolOf(source) !== tool
        ? []
        : [
            `${letters[i]}, ${source.file.slice(source.file.lastIndexOf('/') + 1)}: placed ${source.clock}, exact to about 1 s.`,
          ],
    ),
  )

/** No counter has finer times than 1 us. */
const MIN_TIME_NS = 1000

export function axisUnit(unit: LaneUnit, most: number): AxisUnit {
  switch (unit) {
    case 'share':
      return { per: 0.01, name: '%' }
    case 'bytes/s':
      return { per: 1e6, name: 'MB/s' }
    case 'ns':
      return timeUnit(Math.max(most, MIN_TIME_NS))
    case 'bytes':
      return most >= 2 ** 30
        ? { per: 2 ** 30, name: 'GiB' }
        : most >= 2 ** 20
          ? { per: 2 ** 20, name: 'MiB' }
          : { per: 1024, name: 'KiB' }
    case '1/s':
      return { per: 1, name: 'per second' }
    case 'count':
      return { per: 1, name: '' }
  }
}

/** A value with its unit; a dash where there is none. */
export const laneText = (unit: LaneUnit, value: number | undefined): string =>
  value === undefined || Number.isNaN(value) ? '\u2013' : quantity(unit, value)
