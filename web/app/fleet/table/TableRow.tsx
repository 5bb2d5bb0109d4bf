/** A row of the fleet's grid: its letter in the comparison, its labels and figures, and marks of outliers. */
import { memo, type ReactNode } from 'react'
import { farness, type Outliers } from '../../../fleet/rows/outliers'
import { LISTED } from '../../../fleet/rows/select'
import { wordAt } from '../../../fleet/table/columns'
import { codesIn } from '../../../fleet/table/schema'
import { count, factor } from '../../../lib/format'
import { inUnit, type Written } from '../fields'
import { MAX_FINDINGS_CHARS, type TableField } from './useTableFields'

interface RowProps {
  /** Index of the row in the order of the table. */
  readonly line: number
  readonly row: number
  readonly top: number
  readonly fields: readonly TableField[]
  readonly groups: Uint32Array | undefined
  readonly template: string
  readonly letter: string | undefined
  readonly active: boolean
  press(line: number, extend: boolean): void
}

const isSameRow = (a: RowProps, b: RowProps) =>
  a.line === b.line &&
  a.row === b.row &&
  a.top === b.top &&
  a.fields === b.fields &&
  a.groups === b.groups &&
  a.template === b.template &&
  a.letter === b.letter &&
  a.active === b.active

export const TableRow = memo(function TableRow({
  line,
  row,
  top,
  fields,
  groups,
  template,
  letter,
  active,
  press,
}: RowProps) {
  return (
    <div
      id={`fleet-row-${line}`}
      className="fleet-row"
      role="row"
      aria-rowindex={line + 2}
      aria-selected={letter !== undefined}
      data-active={active}
      data-row={row}
      style={{ transform: `translateY(${top}px)`, gridTemplateColumns: template }}
      onClick={event => press(line, event.shiftKey)}
    >
      <span role="gridcell" className="fleet-check">
        <span
          className={letter === undefined ? 'fleet-box' : 'badge'}
          data-run={letter}
          title={letter === undefined ? 'Select for a comparison (Space)' : `Run ${letter} of the comparison`}
        >
          {letter}
        </span>
      </span>
      {fields.map(cell => (
        <Cell key={cell.field.name} cell={cell} row={row} group={groups?.[row]} />
      ))}
    </div>
  )
}, isSameRow)

function Cell({
  cell,
  row,
  group,
}: {
  readonly cell: TableField
  readonly row: number
  readonly group: number | undefined
}) {
  const { field, column, written, outliers } = cell
  if (column === undefined) return <span role="gridcell" className="fleet-td" />
  if (column.type === 'text') {
    const word = wordAt(column, row)
    return (
      <span role="gridcell" className={field.name === 'run' ? 'fleet-td run' : 'fleet-td'} title={word}>
        {word === undefined ? <Absent /> : field.name === LISTED ? fitting(codesIn(word)) : word}
      </span>
    )
  }
  const value = column.values[row] ?? Number.NaN
  const mark = outliers?.marks[row] ?? 0
  const usual = group === undefined ? undefined : outliers?.usual.get(group)
  const words = mark !== 0 && usual ? outlierWords(value, usual, written) : undefined
  return (
    <span
      role="gridcell"
      className="fleet-td figure"
      data-outlier={mark === 0 ? undefined : mark > 0 ? 'above' : 'below'}
      title={words ?? (Number.isNaN(value) ? undefined : String(value))}
    >
      {words && (
        <span className="fleet-mark" role="img" aria-label={words}>
          {mark > 0 ? '▲' : '▼'}
        </span>
      )}
      {Number.isNaN(value) ? <Absent /> : written.text(value)}
    </span>
  )
}

/** As many findings as the column has room for, and how many more there are. */
function fitting(codes: readonly string[]): string {
  const fits = (n: number) =>
    [...codes.slice(0, n), n < codes.length ? `+${codes.length - n}` : ''].filter(Boolean).join(', ')
  let n = codes.length
  while (n > 1 && fits(n).length > MAX_FINDINGS_CHARS) n--
  return fits(n)
}

const Absent = (): ReactNode => <span className="fleet-absent">–</span>

/** `×4.2 of the usual 1.3 ms: the median of 24 rows with the same labels; 12 robust standard deviations away`. */
function outlierWords(
  value: number,
  usual: NonNullable<ReturnType<Outliers['usual']['get']>>,
  written: Written,
): string {
  const distance = Math.abs(farness(value, usual))
  const distanceWords = Number.isFinite(distance)
    ? `${count(distance)} robust standard deviations away`
    : 'all others are equal'
  const comparedWords =
    usual.median > 0 && value > 0 ? `${factor(value / usual.median)} against the usual` : 'The usual is'
  const usualWords = `${inUnit(written, usual.median)}: median of ${count(usual.n)} rows with the same labels`
  return `${comparedWords} ${usualWords}; ${distanceWords}`
}
