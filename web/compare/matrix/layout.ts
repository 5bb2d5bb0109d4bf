/** Chooses the label dimensions for rows and columns of a matrix, and the figures that are offered first. */
import type { MatrixFigure } from '../../engine/protocol'
import { type LabelTable, labelOf } from '../../state/runs/labels'
import type { MatrixLayout } from '../../state/types'
import type { MatrixArrangement, MatrixBase, PlacedRun } from './matrix'

/** A label dimension, or the complete label. */
export interface MatrixAxis {
  readonly key: string
  readonly name: string
}

/** The complete label of a run, where its dimensions do not distinguish runs. */
const WHOLE: MatrixAxis = { key: 'label', name: 'label' }
/** Dimensions in which runs of one cell may differ. */
const REPEATS = ['repeat', 'date']
/** Dimensions that make good columns, the best first. */
const COLUMNS = ['writers', 'threads', 'readers', 'jobs', 'workload', 'kernel']

export interface MatrixAxes {
  readonly rows: readonly MatrixAxis[]
  readonly columns: readonly MatrixAxis[]
  /** Runs that differ in these alone share a cell. */
  readonly averaged: readonly MatrixAxis[]
}

/** Whether the values of `part` follow from those of `from`: `1w` of one writer. */
function follows(table: LabelTable, part: MatrixAxis, from: MatrixAxis): boolean {
  const known = new Map<string, string>()
  const runs = Object.keys(table.values)
  const isKept = runs.every(run => {
    const [key, value] = [labelOf(table, run, from.key), labelOf(table, run, part.key)]
    const before = known.get(key)
    known.set(key, value)
    return before === undefined || before === value
  })
  return isKept && runs.length > 0
}

/** The names of a run are less certain than other dimensions. */
const isVague = ({ key }: MatrixAxis): boolean => key === 'workload' || key === 'number'

/** Drops dimensions that split the runs in the same way as another one. */
const withoutEqual = (table: LabelTable, parts: readonly MatrixAxis[]): readonly MatrixAxis[] =>
  parts.filter(part => {
    const equal = (other: MatrixAxis) => follows(table, part, other) && follows(table, other, part)
    return !isVague(part) || !parts.some(other => !isVague(other) && equal(other))
  })

/** The user's choice, else a guess: counts in columns, repeats averaged, the rest in rows. */
export function axesOf(table: LabelTable, layout: MatrixLayout): MatrixAxes {
  const all: readonly MatrixAxis[] = [...table.parts, WHOLE]
  const chosen = [...(layout.rows ?? []), ...(layout.columns ?? [])]
  // Ignore a choice of dimensions that the labels do not have (any more, or yet).
  const known = chosen.length === 0 || chosen.some(key => all.some(axis => axis.key === key))
  const { rows, columns } = known ? layout : {}
  const own = withoutEqual(
    table,
    table.parts.filter(part => !REPEATS.includes(part.key)),
  )
  // A column from which all rows follow would have a run in one cell each.
  const isColumn = (column: MatrixAxis) => own.some(part => part !== column && !follows(table, part, column))
  const across =
    own.length > 1
      ? [...COLUMNS.flatMap(key => own.find(part => part.key === key) ?? []), ...own.slice(-1)].find(isColumn)
      : undefined
  const guess =
    own.length === 0
      ? [WHOLE.key]
      : own.filter(part => part !== across && !(across && follows(table, part, across))).map(part => part.key)
  const down = rows ?? guess
  const over = columns ?? (across && rows === undefined ? [across.key] : [])
  return {
    rows: all.filter(axis => down.includes(axis.key)),
    columns: all.filter(axis => over.includes(axis.key) && !down.includes(axis.key)),
    averaged: all.filter(axis => !down.includes(axis.key) && !over.includes(axis.key)),
  }
}

/** The layout with a dimension moved to another place. */
export function withAxis(
  axes: MatrixAxes,
  key: string,
  place: keyof MatrixAxes,
): Pick<MatrixLayout, 'rows' | 'columns'> {
  const others = (list: readonly MatrixAxis[]) => list.flatMap(axis => (axis.key === key ? [] : [axis.key]))
  return {
    rows: [...others(axes.rows), ...(place === 'rows' ? [key] : [])],
    columns: [...others(axes.columns), ...(place === 'columns' ? [key] : [])],
  }
}

/** The most wanted figures with short names; throughput in the busier direction. */
export function quickFigures(
  figures: readonly MatrixFigure[],
): readonly { readonly key: string; readonly name: string }[] {
  const total = (key: string) =>
    figures.find(f => f.key === key)?.values.reduce<number>((sum, v) => sum + (v ?? 0), 0) ?? 0
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

/** The runs with their values on both axes. */
export function placed(
  runs: readonly Pick<PlacedRun, 'id' | 'letter' | 'label'>[],
  table: LabelTable,
  { rows, columns }: MatrixAxes,
): readonly PlacedRun[] {
  const of = (run: Pick<PlacedRun, 'id' | 'label'>, axes: readonly MatrixAxis[]) =>
    axes.map(axis => (axis === WHOLE ? run.label : labelOf(table, run.id, axis.key)))
  return runs.map(run => ({
    id: run.id,
    letter: run.letter,
    label: run.label,
    row: of(run, rows),
    column: of(run, columns),
  }))
}

/** Dimensions of the system, which are compared; the others are conditions of the comparison. */
const SYSTEM = ['kernel', 'scheduler']

interface BaseInput {
  readonly arrangement: MatrixArrangement
  readonly axes: MatrixAxes
  /** The user's choice. */
  readonly base: MatrixLayout['base']
  /** Id of the run. */
  readonly baseline: string | undefined
}

/**
 * The base of changes: the user's choice if it still exists, else the row of the baseline, else its column; its column
 * first where only the columns are kernels or schedulers.
 */
export function baseOf({ arrangement, axes, base, baseline }: BaseInput): MatrixBase | undefined {
  if (base === 'none') return undefined
  const lines = (axis: MatrixBase['axis']) => (axis === 'row' ? arrangement.rows : arrangement.columns)
  if (base && lines(base.axis).some(line => line.key === base.key)) return base
  const has = (r: number, c: number) => arrangement.cells[r]?.[c]?.some(run => run.id === baseline) ?? false
  const row = arrangement.rows.find((_, r) => arrangement.columns.some((_, c) => has(r, c)))
  const column = arrangement.columns.find((_, c) => arrangement.rows.some((_, r) => has(r, c)))
  const isSystem = (list: readonly MatrixAxis[]) => list.some(axis => SYSTEM.includes(axis.key))
  const ofRow = row && arrangement.rows.length > 1 ? ({ axis: 'row', key: row.key } as const) : undefined
  const ofColumn = column && arrangement.columns.length > 1 ? ({ axis: 'column', key: column.key } as const) : undefined
  return isSystem(axes.columns) && !isSystem(axes.rows) ? (ofColumn ?? ofRow) : (ofRow ?? ofColumn)
}
