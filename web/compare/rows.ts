/** From a comparison's figures to the rows of the difference table. */

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

/** A side against the baseline. */
export interface FigureChange {
  /** `×19`, `−48%`, `same`, `new`. */
  readonly text: string
  /** Absent without two values. */
  readonly ratio?: number
  /** 95 % interval of the ratio. */
  readonly interval?: RatioInterval
  /** Requests that the interval of this percentile needs; absent where there is one. */
  readonly needs?: number
  readonly verdict: Verdict
  /** `repeats differ by up to ×6.5`: what a difference that is not significant has to exceed. */
  readonly noise?: string
  /** False discovery rate, 0..1; absent for totals and without an interval. */
  readonly fdr?: number
}

/** Significant figures with a larger false discovery rate are marked. */
export const CHANCE = 0.05

/** Significant by itself, but one of many that were tested. */
export const mayBeChance = ({ verdict, fdr = 0 }: FigureChange): boolean =>
  (verdict === 'better' || verdict === 'worse' || verdict === 'changed') && fdr > CHANCE

export interface DifferenceRow {
  readonly key: string
  readonly label: string
  readonly unit: string
  /** Measured by a benchmark, not in the trace. */
  readonly application: boolean
  /** By side, in the row's unit: of a group the mean; `undefined` where it does not apply. */
  readonly values: readonly (number | undefined)[]
  /** By side: standard deviation and number of a group's runs. */
  readonly spreads: readonly ({ readonly sd: number; readonly n: number } | undefined)[]
  /** By side; `undefined` for the baseline itself and where one of the two is missing. */
  readonly changes: readonly (FigureChange | undefined)[]
  /** By side, of single runs: the interval within the run, in the row's unit. */
  readonly intervals: readonly (FigureInterval | undefined)[]
  /** By side: lost events make the value unreliable. */
  readonly unreliable: readonly boolean[]
}

/** All figures of the document by side. */
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
      spreads: sides.map((_, i) => {
        const group = first.groups?.[i]
        return group ? { sd: group.sd / per, n: group.n } : undefined
      }),
      intervals: sides.map(({ runs }) => {
        const [run, ...others] = runs
        const own = run === undefined || others.length > 0 ? undefined : first.intervals?.[run]
        return own ? [own[0] / per, own[1] === null ? null : own[1] / per] : undefined
      }),
      changes: sides.map((_, i) =>
        changeOf(bySide.get(i)?.get(first.key), [raw[baseline], raw[i]], needed(first, [sides[baseline], sides[i]])),
      ),
      unreliable: sides.map(({ runs }) => runs.some(run => first.unreliable?.includes(run))),
    }
  })
}

/** The most that a run of these sides needs. */
function needed(
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

/** What repeats can differ by, of a share in percentage points. */
const repeatsUpTo = (least: number, unit: string): string =>
  `repeats differ by up to ${unit === 'share' ? `${figure(least * 100)} percentage points` : change(1, 1 + least)}`

/** How certain a row is, then how large its difference: the most certain rows first, those without an interval last. */
export function byCertainty(rows: readonly DifferenceRow[], side: number): readonly DifferenceRow[] {
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

/** -1..1: where on the bar from 1/32 to x32 a change ends; `undefined` without a ratio. */
export function barShare(ratio: number | undefined): number | undefined {
  return ratio === undefined || ratio <= 0 ? undefined : Math.max(-1, Math.min(1, Math.log2(ratio) / 5))
}

/** `−56 to −35%`, `×6.6 to ×16`, `−3% to ×2.1`, `×1.2 or more`. */
export function intervalText([least, most]: RatioInterval): string {
  const end = (ratio: number) =>
    ratio >= 1e6 ? '\u00d7>999,999' : ratio === 1 ? '0%' : change(1, ratio).replace('same', '0%')
  if (most === null) return least > 0 ? `${end(least)} or more` : 'open'
  const [from, to] = [end(least), end(most)]
  if (least <= 0) return `${to} or less`
  return from.endsWith('%') && to.endsWith('%') ? `${from.slice(0, -1)} to ${to}` : `${from} to ${to}`
}

/** Value of a cell; `-` where it does not apply. */
export const cell = (value: number | undefined): string => (value === undefined ? '-' : figure(value))

/** A cell with the spread of a group: `4.03 ± 0.2 (3)`. */
export const spreadCell = ({ values, spreads }: DifferenceRow, side: number): string => {
  const spread = spreads[side]
  return spread ? `${cell(values[side])} \u00b1 ${figure(spread.sd)} (${spread.n})` : cell(values[side])
}

/** `95% interval 3.1 to 4.2 ms`; absent without one. */
export function ownIntervalText({ intervals, unit }: DifferenceRow, side: number): string | undefined {
  const own = intervals[side]
  if (own === undefined) return undefined
  const [low, high] = own
  return `95% interval within the run: ${high === null ? `${figure(low)} or more` : `${figure(low)} to ${figure(high)}`} ${unit}`.trimEnd()
}

/** Below a table in which values are marked; absent where none is. */
export function unreliableNote(rows: readonly DifferenceRow[], letters: readonly string[]): string | undefined {
  const lost = letters.filter((_, i) => rows.some(row => row.unreliable[i]))
  return lost.length === 0 ? undefined : `Unreliable in ${listed(lost)}: ${WHY_UNRELIABLE}.`
}

/** With its sign. */
export function signed(before: number | undefined, after: number | undefined): string {
  if (before === undefined || after === undefined) return '-'
  const by = after - before
  return by > 0 ? `+${figure(by)}` : figure(by)
}
