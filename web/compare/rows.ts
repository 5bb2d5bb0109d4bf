/** Converts the figures of a comparison to the rows of the difference table. */

import { WHY_UNRELIABLE } from '../charts/shared/answers/lost'
import { listed } from '../charts/shared/answers/shown'
import type {
  CompareDocument,
  ComparedFigure,
  Comparison,
  FigureInterval,
  RatioInterval,
  Verdict,
} from '../engine/protocol'
import { change, figure } from '../lib/format'
import { scaleOf } from './scale'

/** The change of a side against the baseline. */
export interface FigureChange {
  /** The change as text: `×19`, `−48%`, `same`, `new`. */
  readonly text: string
  /** Ratio of the two values; absent unless both exist. */
  readonly ratio?: number
  /** The 95% interval of the ratio; absent if it has too few requests (`needs`). */
  readonly interval?: RatioInterval
  /** Requests that the interval of this percentile needs; absent where there is one. */
  readonly needs?: number
  readonly verdict: Verdict
  /** `repeats differ by up to ×6.5`: what a difference that is not significant has to exceed. */
  readonly noise?: string
  /** False discovery rate, 0..1; absent for totals and without an interval. */
  readonly fdr?: number
}

/** False discovery rate above which significant figures are marked. */
export const CHANCE = 0.05

/** Whether a figure is significant by itself, but may be chance among the many that were tested. */
export const mayBeChance = ({ verdict, fdr = 0 }: FigureChange): boolean =>
  (verdict === 'better' || verdict === 'worse' || verdict === 'changed') && fdr > CHANCE

export interface DifferenceRow {
  readonly key: string
  readonly label: string
  readonly unit: string
  /** Whether a benchmark measured it, not the trace. */
  readonly application: boolean
  /** Values by side, in the row's unit; the mean for a group; `undefined` where the figure does not apply. */
  readonly values: readonly (number | undefined)[]
  /** By side: the values of its runs, in the row's unit; runs without one are left out. */
  readonly runs: readonly (readonly number[])[]
  /** By side, for groups: standard deviation and number of runs. */
  readonly spreads: readonly ({ readonly sd: number; readonly n: number } | undefined)[]
  /** Changes by side; `undefined` for the baseline, and where one of the two values is missing. */
  readonly changes: readonly (FigureChange | undefined)[]
  /** By side, for single runs: the interval within the run, in the row's unit. */
  readonly intervals: readonly (FigureInterval | undefined)[]
  /** By side: whether lost events make the value unreliable. */
  readonly unreliable: readonly boolean[]
}

/** The rows of all figures, with values of all sides. */
export function rowsOf(
  { sides, baseline }: CompareDocument,
  comparisons: readonly Comparison[],
): readonly DifferenceRow[] {
  const bySide = new Map(comparisons.map(c => [c.side, new Map(c.figures.map(f => [f.key, f]))]))
  return (comparisons[0]?.figures ?? []).map(first => {
    const raw = sides.map(({ runs }, i) => {
      const values = runs.flatMap(run => first.values[run] ?? [])
      return first.groups?.[i]?.mean ?? values[0]
    })
    const { per, unit } = scaleOf(first.unit, Math.max(...raw.map(v => Math.abs(v ?? 0))))
    return {
      key: first.key,
      label: first.label,
      unit,
      application: first.application ?? false,
      values: raw.map(v => (v === undefined ? undefined : v / per)),
      runs: sides.map(({ runs }) => runs.flatMap(run => first.values[run] ?? []).map(v => v / per)),
      spreads: sides.map((_, i) => {
        const group = first.groups?.[i]
        return group ? { sd: group.sd / per, n: group.n } : undefined
      }),
      intervals: sides.map(({ runs }) => {
        const [run, ...otherRuns] = runs
        const interval = run === undefined || otherRuns.length > 0 ? undefined : first.intervals?.[run]
        return interval ? [interval[0] / per, interval[1] === null ? null : interval[1] / per] : undefined
      }),
      changes: sides.map((_, i) =>
        changeOf(
          bySide.get(i)?.get(first.key),
          [raw[baseline], raw[i]],
          requestsNeeded(first, [sides[baseline], sides[i]]),
        ),
      ),
      unreliable: sides.map(({ runs }) => runs.some(run => first.unreliable?.includes(run))),
    }
  })
}

/** Requests that the interval of the figure needs: the maximum over the runs of these sides. */
function requestsNeeded(
  { needs = [] }: ComparedFigure,
  sides: readonly (CompareDocument['sides'][number] | undefined)[],
): number {
  return Math.max(0, ...sides.flatMap(side => side?.runs.map(run => needs[run] ?? 0) ?? []))
}

function changeOf(
  figure: ComparedFigure | undefined,
  [before, after]: readonly [number | undefined, number | undefined],
  needs: number,
): FigureChange | undefined {
  if (figure?.verdict === undefined || before === undefined || after === undefined) return undefined
  return {
    text: change(before, after),
    ...(figure.ratio !== undefined && figure.ratio > 0 && { ratio: figure.ratio }),
    ...(figure.ci95 ? { interval: figure.ci95 } : needs > 0 && { needs }),
    verdict: figure.verdict,
    ...(figure.least_change !== undefined && { noise: repeatsUpTo(figure.least_change, figure.unit) }),
    ...(figure.fdr !== undefined && { fdr: figure.fdr }),
  }
}

/** How much repeats can differ; for a share in percentage points. */
function repeatsUpTo(threshold: number, unit: string): string {
  const amount = unit === 'share' ? `${figure(threshold * 100)} percentage points` : change(1, 1 + threshold)
  return `repeats differ by up to ${amount}`
}

/** How certain a row is, then how large its difference: the most certain rows first, those without an interval last. */
export function sortByCertainty(rows: readonly DifferenceRow[], side: number): readonly DifferenceRow[] {
  const rank = (change: FigureChange | undefined): number => {
    if (change === undefined) return 4
    const { verdict } = change
    if (verdict === 'better' || verdict === 'worse' || verdict === 'changed') return mayBeChance(change) ? 1 : 0
    return verdict === 'unsure' ? 2 : 3
  }
  const size = (change: FigureChange | undefined): number =>
    change?.ratio === undefined ? 0 : Math.abs(Math.log(change.ratio))
  return rows.toSorted((x, y) => {
    const [a, b] = [x.changes[side], y.changes[side]]
    return rank(a) - rank(b) || (a?.fdr ?? 0) - (b?.fdr ?? 0) || size(b) - size(a)
  })
}

/** The largest changes first, in either direction; those without a ratio last. */
export function sortBySize(rows: readonly DifferenceRow[], side: number): readonly DifferenceRow[] {
  const size = ({ changes }: DifferenceRow): number => {
    const ratio = changes[side]?.ratio
    return ratio === undefined ? -1 : Math.abs(Math.log(ratio))
  }
  return rows.toSorted((x, y) => size(y) - size(x))
}

/** End of a change on the bar from ×1/32 to ×32, as -1..1; `undefined` without a ratio. */
export function barShare(ratio: number | undefined): number | undefined {
  return ratio === undefined || ratio <= 0 ? undefined : Math.max(-1, Math.min(1, Math.log2(ratio) / 5))
}

/** The interval of a ratio as text: `−56 to −35%`, `×6.6 to ×16`, `−3% to ×2.1`, `×1.2 or more`. */
export function intervalText([low, high]: RatioInterval): string {
  const endText = (ratio: number) =>
    ratio >= 1e6 ? '\u00d7>999,999' : ratio === 1 ? '0%' : change(1, ratio).replace('same', '0%')
  if (high === null) return low > 0 ? `${endText(low)} or more` : 'open'
  const [from, to] = [endText(low), endText(high)]
  if (low <= 0) return `${to} or less`
  return from.endsWith('%') && to.endsWith('%') ? `${from.slice(0, -1)} to ${to}` : `${from} to ${to}`
}

/** Text of a value; `-` where the figure does not apply. */
export const cell = (value: number | undefined): string => (value === undefined ? '-' : figure(value))

/** A cell with the spread of a group: `4.03 ± 0.2 (3)`. */
export const spreadCell = ({ values, spreads }: DifferenceRow, side: number): string => {
  const spread = spreads[side]
  return spread ? `${cell(values[side])} \u00b1 ${figure(spread.sd)} (${spread.n})` : cell(values[side])
}

/** The interval within a run, as a sentence; absent without one. */
export function ownIntervalText({ intervals, unit }: DifferenceRow, side: number): string | undefined {
  const interval = intervals[side]
  if (interval === undefined) return undefined
  const [low, high] = interval
  const range = high === null ? `${figure(low)} or more` : `${figure(low)} to ${figure(high)}`
  return `95% interval within the run: ${range} ${unit}`.trimEnd()
}

/** Note below a table with marked values; absent if none is marked. */
export function unreliableNote(rows: readonly DifferenceRow[], letters: readonly string[]): string | undefined {
  const lost = letters.filter((_, i) => rows.some(row => row.unreliable[i]))
  return lost.length === 0 ? undefined : `Unreliable in ${listed(lost)}: ${WHY_UNRELIABLE}.`
}

/** The difference with its sign; `-` without both values. */
export function signed(before: number | undefined, after: number | undefined): string {
  if (before === undefined || after === undefined) return '-'
  const difference = after - before
  return difference > 0 ? `+${figure(difference)}` : figure(difference)
}
