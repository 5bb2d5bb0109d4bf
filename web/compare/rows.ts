/** From figures to the rows of the difference table. */

import { listed } from '../charts/shared/shown'
import type { BenchFigure } from '../engine/protocol'
import type { SummaryDevice } from '../engine/summary'
import { change, count, figure } from '../lib/format'
import { benchColumns } from './bench'
import { FIGURES, type Figure, isSpoiled } from './figures'
import { scaleOf } from './scale'

/** `spoiled`: events of one of the two runs were lost, nothing can be said. */
export type Verdict = 'worse' | 'better' | 'changed' | 'same' | 'spoiled'

export interface Row {
  readonly key: string
  readonly label: string
  readonly unit: string
  /** By run, in the row's unit; `undefined` where it does not apply. */
  readonly values: readonly (number | undefined)[]
  /** By run, against the baseline; `undefined` for the baseline itself and where one of the two is missing. */
  readonly changes: readonly (string | undefined)[]
  /** By run: lost events make the value wrong. */
  readonly spoiled: readonly boolean[]
  readonly good?: 'less' | 'more'
}

type Kinded = Pick<Figure, 'key' | 'label' | 'kind' | 'of' | 'good'>

function rowOf(fig: Kinded, spoiled: readonly boolean[], raw: readonly (number | undefined)[], baseline: number): Row {
  const { per, unit } = scaleOf(fig.kind, fig.of, Math.max(...raw.map(v => Math.abs(v ?? 0))))
  const base = raw[baseline]
  return {
    key: fig.key,
    label: fig.label,
    unit,
    values: raw.map(v => (v === undefined ? undefined : v / per)),
    changes: raw.map((v, i) => (i === baseline || v === undefined || base === undefined ? undefined : change(base, v))),
    spoiled,
    ...(fig.good && { good: fig.good }),
  }
}

export interface Differences {
  readonly rows: readonly Row[]
  /** What the application saw, where a benchmark lay beside a run. */
  readonly application?: readonly Row[]
  /** Labels of figures that are 0 in every run: named, not listed. */
  readonly zero: readonly string[]
}

/** Rows of all figures that at least one run has. */
export function differences(devices: readonly (SummaryDevice | undefined)[], baseline: number): Differences {
  const rows: Row[] = []
  const zero: string[] = []
  for (const fig of FIGURES) {
    const raw = devices.map(d => (d === undefined ? undefined : fig.value(d)))
    if (raw.every(v => v === undefined)) continue
    if (raw.every(v => v === undefined || v === 0)) zero.push(fig.label)
    else
      rows.push(
        rowOf(
          fig,
          devices.map(d => d !== undefined && isSpoiled(d, fig.key)),
          raw,
          baseline,
        ),
      )
  }
  return { rows, zero }
}

/** Rows of what the application saw; lost events spoil none of them. */
export const applicationRows = (runs: readonly (readonly BenchFigure[] | undefined)[], baseline: number): readonly Row[] =>
  benchColumns(runs).map(column =>
    rowOf(
      column,
      runs.map(() => false),
      column.values,
      baseline,
    ),
  )

/** `worse` and `better` only where there is a good side, and both values are right. */
export function verdictOf(row: Row, baseline: number, run: number): Verdict | undefined {
  const [before, after, said] = [row.values[baseline], row.values[run], row.changes[run]]
  if (before === undefined || after === undefined || said === undefined) return undefined
  if (row.spoiled[baseline] || row.spoiled[run]) return 'spoiled'
  if (said === 'same') return 'same'
  if (row.good === undefined) return 'changed'
  return after < before === (row.good === 'less') ? 'better' : 'worse'
}

/** -1..1: where on the bar from 1/32 to x32 a change ends; `undefined` without a ratio. */
export function barShare(before: number | undefined, after: number | undefined): number | undefined {
  if (before === undefined || after === undefined || before <= 0 || after <= 0) return undefined
  return Math.max(-1, Math.min(1, Math.log2(after / before) / 5))
}

/** Whole numbers as they are; else two digits below 10, one below 100. */
function written(value: number): string {
  const a = Math.abs(value)
  if (Number.isInteger(value) || a >= 99.95 || a < 0.095) return Number.isInteger(value) ? count(value) : figure(value)
  return value.toFixed(a < 9.995 ? 2 : 1).replace('-', '\u2212')
}

/** Value of a cell; `-` where it does not apply. */
export const cell = (value: number | undefined): string => (value === undefined ? '-' : written(value))

/** What stands below a table in which values are marked; absent where none is. */
export function spoiledNote(rows: readonly Row[], letters: readonly string[]): string | undefined {
  const spoiled = letters.filter((_, i) => rows.some(row => row.spoiled[i]))
  return spoiled.length === 0 ? undefined : `Spoiled: events of ${listed(spoiled)} were lost, so this figure is wrong.`
}

/** With its sign. */
export function signed(before: number | undefined, after: number | undefined): string {
  if (before === undefined || after === undefined) return '-'
  const by = after - before
  return by > 0 ? `+${written(by)}` : written(by)
}
