/** One figure over two labels: the median of the rows in each cell, their number and their spread. */
import { useEffect, useMemo } from 'react'
import { gridOf } from '../../../fleet/rows/grid'
import { wordsIn } from '../../../fleet/rows/select'
import { count, counted } from '../../../lib/format'
import { columnFormat, differs, type FleetField, inUnit, UNKNOWN, type Written } from '../fields'
import type { OpenFleet } from '../useFleet'
import { Pick } from './Pick'

/** Steps of the shading, from the least median to the largest. */
const STEPS = 5

/** Value of the column choice for "no label": all rows are in one column. */
const NO_LABEL = '-'

/** The figure and the labels of both axes: those of the view, else the first that differ. */
function axesOf({ view, fields, columns }: OpenFleet) {
  const labels = fields.labels.filter(({ name }) => differs(columns.get(name)) && name !== 'run' && name !== 'trace')
  const rowLabel = view.rows ?? labels[0]?.name
  const columnLabel =
    view.across === NO_LABEL ? undefined : (view.across ?? labels.find(({ name }) => name !== rowLabel)?.name)
  const figure =
    view.figure ?? fields.usual.find(name => fields.find(name)?.kind === 'figure') ?? fields.figures[0]?.name
  return { labels, rowLabel, columnLabel, figure }
}

type Axes = ReturnType<typeof axesOf>

function useGrid({ columns, rows, statistics, want }: OpenFleet, { rowLabel, columnLabel, figure: name }: Axes) {
  useEffect(
    () => want([rowLabel, columnLabel, name].flatMap(column => column ?? [])),
    [want, rowLabel, columnLabel, name],
  )
  const [figure, rowLabels, columnLabels] = [
    columns.get(name ?? ''),
    columns.get(rowLabel ?? ''),
    columns.get(columnLabel ?? ''),
  ]
  return useMemo(
    () =>
      rows &&
      statistics &&
      figure?.type === 'number' &&
      rowLabels?.type === 'text' &&
      (columnLabels === undefined || columnLabels.type === 'text')
        ? gridOf(
            statistics,
            rows,
            figure,
            wordsIn(rowLabel ?? '', rowLabels),
            columnLabels ? wordsIn(columnLabel ?? '', columnLabels) : () => [''],
          )
        : undefined,
    [rows, statistics, figure, rowLabels, columnLabels, rowLabel, columnLabel],
  )
}

export function MatrixTab({ open }: { readonly open: OpenFleet }) {
  const { set, fields, columns } = open
  const axes = axesOf(open)
  const { labels, rowLabel, columnLabel, figure: name } = axes
  const field = name === undefined ? undefined : fields.find(name)
  const grid = useGrid(open, axes)
  return (
    <section className="fleet-matrix" aria-label="Matrix">
      <div className="fleet-picks">
        <Pick
          label="Figure"
          fields={fields.figures}
          value={name}
          change={figure => set({ ...(figure && { figure }) })}
        />
        <Pick label="Rows" fields={labels} value={rowLabel} change={rows => set({ ...(rows && { rows }) })} />
        <Pick
          label="Columns"
          fields={labels.filter(({ name }) => name !== rowLabel)}
          value={columnLabel}
          emptyLabel="None"
          change={chosenLabel => set({ across: chosenLabel ?? NO_LABEL })}
        />
      </div>
      {labels.length === 0 ? (
        <p>All rows have the same labels: there is nothing to lay out.</p>
      ) : !grid || !field ? (
        !open.error && <p className="caption">Reading columns…</p>
      ) : (
        <Grid
          open={open}
          axes={axes}
          grid={grid}
          field={field}
          written={columnFormat(field, columns.get(field.name))}
        />
      )}
    </section>
  )
}

type LaidOutGrid = ReturnType<typeof gridOf>

interface GridProps {
  readonly open: OpenFleet
  readonly axes: Axes
  readonly grid: LaidOutGrid
  readonly field: FleetField
  readonly written: Written
}

function Grid({ open, axes: { rowLabel, columnLabel }, grid, field, written }: GridProps) {
  const { view, set, fields } = open
  const medians = grid.cells.flat().flatMap(cell => (cell ? [cell.median] : []))
  const [min, max] = [Math.min(...medians), Math.max(...medians)]
  const step = (median: number) =>
    max > min ? Math.min(STEPS - 1, Math.floor(((median - min) / (max - min)) * STEPS)) : 0
  const title = rowLabel === undefined ? '' : (fields.find(rowLabel)?.title ?? rowLabel)
  const show = (row: string, column: string) => {
    const filters = {
      ...view.filters,
      ...(rowLabel !== undefined && { [rowLabel]: [row] }),
      ...(columnLabel !== undefined && { [columnLabel]: [column] }),
    }
    set({ tab: 'table', filters, top: 0 })
  }
  const omitted = grid.cut[0] + grid.cut[1]
  return (
    <>
      <div className="fleet-matrix-box">
        <table>
          <caption>
            {field.title}
            {written.unit && `, ${written.unit}`}: median of the rows with both labels
          </caption>
          <thead>
            <tr>
              <th scope="col">{title}</th>
              {grid.columns.map(column => (
                <th key={column} scope="col" className="fleet-across">
                  {columnLabel === undefined ? 'all' : column || UNKNOWN}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {grid.rows.map((row, i) => (
              <tr key={row}>
                <th scope="row">{row || UNKNOWN}</th>
                {grid.columns.map((column, j) => {
                  const cell = grid.cells[i]?.[j]
                  return cell ? (
                    <GridCell
                      key={column}
                      cell={cell}
                      step={step(cell.median)}
                      written={written}
                      show={() => show(row, column)}
                    />
                  ) : (
                    <td key={column} className="fleet-none" />
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="caption">
        {medians.length > 1 && `Shades from ${inUnit(written, min)} to ${inUnit(written, max)} in five equal steps. `}
        Under each median: its quartiles, from four rows on, and the number of rows.
        {omitted > 0 && ` ${count(omitted)} more values are left out: filter the rows.`}
      </p>
    </>
  )
}

interface GridCellProps {
  readonly cell: NonNullable<LaidOutGrid['cells'][number][number]>
  /** Step of the shading, 0 to `STEPS` - 1. */
  readonly step: number
  readonly written: Written
  show(): void
}

function GridCell({ cell, step, written, show }: GridCellProps) {
  const [low, high] = cell.quartiles ?? []
  const hasSpread = low !== undefined && high !== undefined
  const spread = hasSpread && `half of them from ${inUnit(written, low)} to ${inUnit(written, high)}`
  return (
    <td data-step={step}>
      <button
        type="button"
        title={[`${counted(cell.n, 'row')}: show them`, spread].filter(Boolean).join('; ')}
        onClick={show}
      >
        <span className="fleet-median">{written.text(cell.median)}</span>
        <span className="fleet-spread">
          {hasSpread && `${written.text(low)}–${written.text(high)}, `}n {count(cell.n)}
        </span>
      </button>
    </td>
  )
}
