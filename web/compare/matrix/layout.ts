/** Chooses the label dimensions for rows and columns of a matrix, and the figures that are offered first. */
import type { MatrixAxes, MatrixAxis, MatrixFigure } from '../../engine/protocol'
import { type LabelTable, labelOf } from '../../state/runs/labels'
import type { MatrixLayout } from '../../state/types'
import type { MatrixArrangement, MatrixBase, PlacedRun } from './matrix'

/** The complete label of a run, where its dimensions do not distinguish runs. */
const WHOLE_LABEL: MatrixAxis = { key: 'label', name: 'label' }
/** Dimensions in which repeats of a measurement differ: runs that differ only in these share a cell. */
const REPEATS = ['repeat', 'date']
/** Dimensions that suit columns, the best first. */
const COLUMNS = ['writers', 'threads', 'readers', 'jobs', 'workload', 'kernel']

/** Whether each value of `from` implies one value of `part`: `writers 1` implies `1w`. */
function follows(table: LabelTable, part: MatrixAxis, from: MatrixAxis): boolean {
  const valueByKey = new Map<string, string>()
  const runs = Object.keys(table.values)
  const isKept = runs.every(run => {
    const [key, value] = [labelOf(table, run, from.key), labelOf(table, run, part.key)]
    const previous = valueByKey.get(key)
    valueByKey.set(key, value)
    return previous === undefined || previous === value
  })
  return isKept && runs.length > 0
}

/** Dimensions guessed from the names of runs: other dimensions are more reliable. */
const isVague = ({ key }: MatrixAxis): boolean => key === 'workload' || key === 'number'

/** Drops vague dimensions that split the runs in exactly the same way as a reliable one. */
const withoutEqual = (table: LabelTable, parts: readonly MatrixAxis[]): readonly MatrixAxis[] =>
  parts.filter(part => {
    const equal = (candidate: MatrixAxis) => follows(table, part, candidate) && follows(table, candidate, part)
    return !isVague(part) || !parts.some(candidate => !isVague(candidate) && equal(candidate))
  })

/**
 * Places every dimension: as the user chose, or by a guess.
 *
 * The guess puts one dimension into columns, the first of `COLUMNS` that the runs have, else the last one; repeats
 * are averaged; the rest becomes rows. A dimension whose value follows from the column's is left out of the rows,
 * because it would only repeat the column, and a column from which all others follow is none: every row would have a
 * single cell. Links store the user's choice only, so a changed guess changes what old links show.
 */
export function axesOf(table: LabelTable, layout: MatrixLayout): MatrixAxes {
  const axes: readonly MatrixAxis[] = [...table.parts, WHOLE_LABEL]
  const choice = [...(layout.rows ?? []), ...(layout.columns ?? [])]
  // A choice is ignored while the labels have none of its dimensions: they may have been edited, or not be read yet.
  const isValid = choice.length === 0 || choice.some(key => axes.some(axis => axis.key === key))
  const { rows, columns } = isValid ? layout : {}
  const distinct = withoutEqual(
    table,
    table.parts.filter(part => !REPEATS.includes(part.key)),
  )
  // A column from which all rows follow would leave one cell in each row.
  const isColumn = (column: MatrixAxis) => distinct.some(part => part !== column && !follows(table, part, column))
  const columnAxis =
    distinct.length > 1
      ? [...COLUMNS.flatMap(key => distinct.find(part => part.key === key) ?? []), ...distinct.slice(-1)].find(isColumn)
      : undefined
  const guess =
    distinct.length === 0
      ? [WHOLE_LABEL.key]
      : distinct
          .filter(part => part !== columnAxis && !(columnAxis && follows(table, part, columnAxis)))
          .map(part => part.key)
  const rowKeys = rows ?? guess
  const columnKeys = columns ?? (columnAxis && rows === undefined ? [columnAxis.key] : [])
  return {
    rows: axes.filter(axis => rowKeys.includes(axis.key)),
    columns: axes.filter(axis => columnKeys.includes(axis.key) && !rowKeys.includes(axis.key)),
    averaged: axes.filter(axis => !rowKeys.includes(axis.key) && !columnKeys.includes(axis.key)),
  }
}

/** The layout after moving a dimension to another place, as stored in links. */
export function moveAxis(
  axes: MatrixAxes,
  key: string,
  place: keyof MatrixAxes,
): Pick<MatrixLayout, 'rows' | 'columns'> {
  const remaining = (list: readonly MatrixAxis[]) => list.flatMap(axis => (axis.key === key ? [] : [axis.key]))
  return {
    rows: [...remaining(axes.rows), ...(place === 'rows' ? [key] : [])],
    columns: [...remaining(axes.columns), ...(place === 'columns' ? [key] : [])],
  }
}

/** The figures offered as buttons, with short names; throughput in the busier direction. */
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

/** Adds to each run its values on both axes. */
export function placeRuns(
  runs: readonly Pick<PlacedRun, 'id' | 'letter' | 'label'>[],
  table: LabelTable,
  { rows, columns }: MatrixAxes,
): readonly PlacedRun[] {
  const valuesOf = (run: Pick<PlacedRun, 'id' | 'label'>, axes: readonly MatrixAxis[]) =>
    axes.map(axis => (axis === WHOLE_LABEL ? run.label : labelOf(table, run.id, axis.key)))
  return runs.map(run => ({
    id: run.id,
    letter: run.letter,
    label: run.label,
    row: valuesOf(run, rows),
    column: valuesOf(run, columns),
  }))
}

/** Dimensions of the system under test, which are compared; the others are conditions of the comparison. */
const SYSTEM = ['kernel', 'scheduler']

interface BaseInput {
  readonly arrangement: MatrixArrangement
  readonly axes: MatrixAxes
  readonly base: MatrixLayout['base']
  readonly baseline: string | undefined
}

/**
 * The base of changes: the user's choice if it still exists, else the row of the baseline, else its column; its column
 * first where only the columns are kernels or schedulers.
 */
export function baseOf({ arrangement, axes, base, baseline }: BaseInput): MatrixBase | undefined {
  if (base === 'none') return undefined
  const linesOf = (axis: MatrixBase['axis']) => (axis === 'row' ? arrangement.rows : arrangement.columns)
  if (base && linesOf(base.axis).some(line => line.key === base.key)) return base
  const hasLine = (r: number, c: number) => arrangement.cells[r]?.[c]?.some(run => run.id === baseline) ?? false
  const row = arrangement.rows.find((_, r) => arrangement.columns.some((_, c) => hasLine(r, c)))
  const column = arrangement.columns.find((_, c) => arrangement.rows.some((_, r) => hasLine(r, c)))
  const isSystem = (list: readonly MatrixAxis[]) => list.some(axis => SYSTEM.includes(axis.key))
  const ofRow = row && arrangement.rows.length > 1 ? ({ axis: 'row', key: row.key } as const) : undefined
  const ofColumn = column && arrangement.columns.length > 1 ? ({ axis: 'column', key: column.key } as const) : undefined
  return isSystem(axes.columns) && !isSystem(axes.rows) ? (ofColumn ?? ofRow) : (ofRow ?? ofColumn)
}
