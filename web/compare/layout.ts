/** What a matrix shows and where: which parts of the labels stand in rows and columns, and which figures there are to choose from. */
import { deviceOf } from '../state/filter'
import { type LabelTable, labelOf } from '../state/labels'
import type { MatrixLayout, Run } from '../state/types'
import { benchColumns } from './bench'
import { FIGURES, type Figure, isSpoiled } from './figures'
import type { Base, Matrix, Measured } from './matrix'

/** A part of the labels, or the label as a whole. */
export interface Axis {
  readonly key: string
  readonly name: string
}

/** Stands for the whole label of a run, where its parts do not tell runs apart. */
export const WHOLE: Axis = { key: 'label', name: 'label' }
const REPEAT = 'repeat'
/** Parts that make good columns, the best first. */
const COLUMNS = ['writers', 'threads', 'readers', 'jobs', 'workload', 'kernel']

export interface Axes {
  readonly rows: readonly Axis[]
  readonly columns: readonly Axis[]
  /** Told apart in neither: runs that differ in these alone share a cell. */
  readonly averaged: readonly Axis[]
}

/** The reader's choice, else a guess: counts in columns, repeats averaged, the rest in rows. */
export function axesOf(table: LabelTable, layout: MatrixLayout): Axes {
  const all: readonly Axis[] = [...table.parts, WHOLE]
  const asked = [...(layout.rows ?? []), ...(layout.columns ?? [])]
  // A choice for labels that are not there any more, or not yet, is none.
  const known = asked.length === 0 || asked.some(key => all.some(axis => axis.key === key))
  const { rows, columns } = known ? layout : {}
  const own = table.parts.filter(part => part.key !== REPEAT)
  const across = own.length > 1 ? (COLUMNS.map(key => own.find(part => part.key === key)).find(part => part) ?? own.at(-1)) : undefined
  const guess = own.length === 0 ? [WHOLE.key] : own.filter(part => part !== across).map(part => part.key)
  const down = rows ?? guess
  const over = columns ?? (across && rows === undefined ? [across.key] : [])
  return {
    rows: all.filter(axis => down.includes(axis.key)),
    columns: all.filter(axis => over.includes(axis.key) && !down.includes(axis.key)),
    averaged: all.filter(axis => !down.includes(axis.key) && !over.includes(axis.key)),
  }
}

/** The layout with a part moved to another place. */
export function withAxis(axes: Axes, key: string, place: keyof Axes): Pick<MatrixLayout, 'rows' | 'columns'> {
  const others = (list: readonly Axis[]) => list.flatMap(axis => (axis.key === key ? [] : [axis.key]))
  return {
    rows: [...others(axes.rows), ...(place === 'rows' ? [key] : [])],
    columns: [...others(axes.columns), ...(place === 'columns' ? [key] : [])],
  }
}

/** A figure that may stand in the cells. */
export interface MatrixFigure extends Pick<Figure, 'key' | 'label' | 'kind' | 'of' | 'good'> {
  /** By run. */
  readonly values: readonly (number | undefined)[]
  readonly spoiled: readonly boolean[]
  /** Said by a benchmark, not measured in the trace. */
  readonly application: boolean
}

/** Of each run on its shown device; without those that no run has. Figures that are 0 in all runs stay: that is an answer, too. */
export function matrixFigures(runs: readonly Run[]): readonly MatrixFigure[] {
  const devices = runs.map(run => run.summary?.devices.find(d => d.dev === deviceOf(run)?.dev))
  const bench = benchColumns(runs.map(run => run.bench)).map(
    (column): MatrixFigure => ({ ...column, spoiled: runs.map(() => false), application: true }),
  )
  const measured = FIGURES.map(
    (figure): MatrixFigure => ({
      ...figure,
      values: devices.map(d => (d === undefined ? undefined : figure.value(d))),
      spoiled: devices.map(d => d !== undefined && isSpoiled(d, figure.key)),
      application: false,
    }),
  )
  return [...bench, ...measured].filter(figure => figure.values.some(value => value !== undefined))
}

/** What readers ask for first, with short names; throughput in the direction that was busier. */
export function quickFigures(figures: readonly MatrixFigure[]): readonly { readonly key: string; readonly name: string }[] {
  const total = (key: string) => figures.find(f => f.key === key)?.values.reduce<number>((sum, v) => sum + (v ?? 0), 0) ?? 0
  const rate = total('read_bps') > total('write_bps') ? 'read_bps' : 'write_bps'
  const application = figures.find(figure => figure.application)
  const quick = [
    { key: 'iops', name: 'IOPS' },
    { key: rate, name: 'MB/s' },
    { key: 'depth.mean', name: 'Queue depth' },
    { key: 'q2c.p99', name: 'Q2C p99' },
    { key: 'starved.share', name: 'Starved' },
    ...(application ? [{ key: application.key, name: application.label }] : []),
  ]
  return quick.filter(({ key }) => figures.some(figure => figure.key === key))
}

/** The runs as the matrix takes them. */
export function measured(runs: readonly Run[], table: LabelTable, { rows, columns }: Axes, figure: MatrixFigure | undefined): readonly Measured[] {
  const of = (run: Run, axes: readonly Axis[]) => axes.map(axis => (axis === WHOLE ? run.label : labelOf(table, run.id, axis.key)))
  return runs.map((run, i): Measured => {
    const value = figure?.values[i]
    const { id, letter, label } = run
    return {
      id,
      letter,
      label,
      row: of(run, rows),
      column: of(run, columns),
      ...(value !== undefined && { value }),
      spoiled: figure?.spoiled[i] ?? false,
    }
  })
}

/** What changes are told against: the reader's choice where it is still there, else the row of the baseline, else its column. */
export function baseOf(matrix: Matrix, base: MatrixLayout['base'], baseline: string | undefined): Base | undefined {
  if (base === 'none') return undefined
  const lines = (axis: Base['axis']) => (axis === 'row' ? matrix.rows : matrix.columns)
  if (base && lines(base.axis).some(line => line.key === base.key)) return base
  const has = (r: number, c: number) => matrix.cells[r]?.[c]?.runs.some(run => run.id === baseline) ?? false
  const row = matrix.rows.find((_, r) => matrix.columns.some((_, c) => has(r, c)))
  const column = matrix.columns.find((_, c) => matrix.rows.some((_, r) => has(r, c)))
  if (row && matrix.rows.length > 1) return { axis: 'row', key: row.key }
  return column && matrix.columns.length > 1 ? { axis: 'column', key: column.key } : undefined
}
