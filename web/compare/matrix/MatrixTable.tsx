/** The cells of the matrix: value, bar, change against the base; each opens its runs. */
import { useCallback, useMemo } from 'react'
import { SortedColumn, useSorted } from '../../charts/shared/table/SortedColumn'
import type { CellChange } from '../../engine/protocol'
import { counted, figure } from '../../lib/format'
import { DEVIATION_WORDS, deviationOf, deviationText, largestValue, rangeOfCell } from '../deviation'
import { intervalText } from '../rows'
import { VERDICT_MARKS, verdictInWords } from '../verdicts'
import { inScale, type MatrixBase, type MatrixCell, type MatrixLine } from './matrix'
import { type MatrixView, meanText, nameOf } from './matrixText'
import { useDrawn } from './useDrawn'

/** What a table knows about the text that it was read from. */
export interface MatrixText {
  /** Whether the text contains the figure of one of these runs. */
  canShow(figure: string, runs: readonly string[]): boolean
  show(figure: string, runs: readonly string[]): void
  /** Letter of the side of a row or column. */
  badge(axis: MatrixBase['axis'], values: readonly string[]): string | undefined
}

interface MatrixTableProps {
  readonly view: MatrixView
  readonly text?: MatrixText
  /**
   * Key of the figure that gets the focus next. While it is set all rows are rendered, so that its cell can be found.
   */
  readonly sought?: string | undefined
  /** Opens runs; absent for runs without a trace. */
  readonly lookAt?: (runs: readonly string[]) => void
}

export function MatrixTable({ view, text, sought, lookAt }: MatrixTableProps) {
  const { count, end } = useDrawn(view.matrix.rows.length, sought === undefined ? 0 : view.matrix.rows.length)
  const { matrix, axes, figure, scale, base } = view
  const top = niceTop(largestValue(matrix) / scale.per)
  const rows = useMemo(() => matrix.rows.map((row, r) => ({ row, cells: matrix.cells[r] ?? [] })), [matrix])
  const rankOf = useCallback(
    ({ row, cells }: (typeof rows)[number], column: number) =>
      column === 0 ? nameOf(row, axes.rows) : cells[column - 1]?.mean,
    [axes],
  )
  const [sortedRows, sorting] = useSorted(rows, rankOf)
  const isBase = (axis: MatrixBase['axis'], line: MatrixLine) => base?.axis === axis && base.key === line.key
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section className="matrix-scroll" tabIndex={0} aria-label="Matrix">
      <table>
        <thead>
          <tr>
            <SortedColumn column={0} sorting={sorting} isText={true}>
              {axes.rows.map(axis => axis.name).join(', ') || 'all runs'}
            </SortedColumn>
            {matrix.columns.map((line, c) => (
              <SortedColumn
                key={line.key}
                column={c + 1}
                sorting={sorting}
                isBaseline={isBase('column', line)}
                below={
                  <span className="matrix-axis" aria-hidden="true">
                    <span>0</span>
                    <span>{shortText(top)}</span>
                  </span>
                }
              >
                <span className="matrix-column">
                  <SideBadge letter={text?.badge('column', line.values)} />
                  {axes.columns.length === 0 ? figure.label : nameOf(line, axes.columns)}
                  {isBase('column', line) && <span className="tag">baseline</span>}
                </span>
              </SortedColumn>
            ))}
          </tr>
        </thead>
        <tbody>
          {sortedRows.slice(0, count).map(({ row, cells }) => (
            <tr key={row.key} data-base={isBase('row', row)}>
              <th scope="row">
                <SideBadge letter={text?.badge('row', row.values)} />
                <RowName line={row} view={view} />
                {isBase('row', row) && <span className="tag">baseline</span>}
              </th>
              {matrix.columns.map((column, c) => {
                const cellProps = {
                  view,
                  top,
                  cell: cells[c],
                  ...(text && { text }),
                  ...(lookAt && { lookAt }),
                }
                const columnName = axes.columns.length === 0 ? [] : [nameOf(column, axes.columns)]
                const place = [nameOf(row, axes.rows), ...columnName].join(', ')
                return (
                  <td key={column.key} data-base={isBase('column', column)}>
                    <CellView {...cellProps} place={place} />
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
      {count < matrix.rows.length && (
        <div ref={end} className="matrix-more">
          {counted(matrix.rows.length - count, 'more row')}
        </div>
      )}
    </section>
  )
}

const SideBadge = ({ letter }: { readonly letter: string | undefined }) =>
  letter === undefined ? null : (
    <span className="badge" data-run={letter}>
      {letter}
    </span>
  )

/** Head of a row: the first value is emphasized, numbers get the name of their dimension. */
function RowName({ line, view: { axes } }: { readonly line: MatrixLine; readonly view: MatrixView }) {
  const [first = '', ...rest] = line.values.flatMap((value, i) =>
    value === '' ? [] : [/^\d+$/.test(value) ? `${axes.rows[i]?.name} ${value}` : value],
  )
  return first === '' ? (
    <span>{nameOf(line, axes.rows)}</span>
  ) : (
    <span>
      <b>{first}</b> {rest.join(' ')}
    </span>
  )
}

interface CellViewProps extends MatrixTableProps {
  readonly cell: MatrixCell | undefined
  /** Right end of the scale of all cells, in the unit. */
  readonly top: number
  readonly place: string
}

function CellView({ view, cell, top, place, text: source, lookAt }: CellViewProps) {
  const { scale, figure } = view
  if (!cell) return <span className="matrix-none">no run</span>
  const { change, mark, base } = cell
  const text = cell.mean === undefined ? 'not measured' : meanText(cell, scale)
  const letters = cell.runs.map(run => run.letter).join(', ')
  const neighbours = base?.runs ?? []
  const beside = neighbours.length > 0 ? ` next to ${neighbours.map(run => run.letter).join(', ')}` : ''
  const opens = `Open ${letters}${beside}`
  const deviation = deviationOf(cell)
  const names = cell.runs.map(run => run.label).join(', ')
  const inside = (
    <>
      <span className="matrix-value" data-missing={cell.mean === undefined}>
        <span className="visually-hidden">{place}: </span>
        {text}
        {cell.mean !== undefined && <span className="visually-hidden"> {scale.unit}</span>}
        {cell.unreliable && <sup>†</sup>}
        {deviation && (
          <small title={DEVIATION_WORDS[deviation.source]}>
            {deviationText(deviation, scale)} {cell.n > 1 && <span>n {cell.n}</span>}
          </small>
        )}
      </span>
      <Bar cell={cell} base={inScale(base?.mean, scale)} view={view} top={top} flagged={change?.verdict === 'worse'} />
      <span className="matrix-change">
        {change && (
          <span data-verdict={change.verdict} title={intervalTitle(change)}>
            <span aria-hidden="true">{VERDICT_MARKS[change.verdict]}</span> {change.text}
            <span className="visually-hidden"> {verdictInWords(change.verdict)} </span>
          </span>
        )}
        {mark && <small data-mark={mark}>{mark}</small>}
        {lookAt && <span className="visually-hidden"> {opens}</span>}
      </span>
    </>
  )
  const ids = cell.runs.map(run => run.id)
  if (source?.canShow(figure.key, ids)) {
    return (
      <button
        type="button"
        className="matrix-cell"
        data-cell={figure.key}
        data-runs={ids.join(' ')}
        title={`Show in the text: ${names}`}
        onClick={() => source.show(figure.key, ids)}
      >
        {inside}
        <span className="visually-hidden"> Show in the text</span>
      </button>
    )
  }
  if (!lookAt) {
    return (
      <div className="matrix-cell" title={names}>
        {inside}
      </div>
    )
  }
  const open = () => lookAt([...neighbours, ...cell.runs].map(run => run.id))
  return (
    <button type="button" className="matrix-cell" title={`${opens}: ${names}`} onClick={open}>
      {inside}
    </button>
  )
}

const intervalTitle = ({ verdict, ci95 }: CellChange): string =>
  `${verdictInWords(verdict)}${ci95 === undefined ? '' : `; 95% interval ${intervalText(ci95)}`}`

interface BarProps {
  readonly cell: MatrixCell
  readonly base: number | undefined
  readonly view: MatrixView
  readonly top: number
  readonly flagged: boolean
}

function Bar({ cell, base, view: { scale }, top, flagged }: BarProps) {
  const x = (value: number) => (top > 0 ? Math.max(0, Math.min(100, (value / top) * 100)) : 0)
  const mean = inScale(cell.mean, scale)
  const range = rangeOfCell(cell)
  const [low, high] = [inScale(range?.min, scale), inScale(range?.max, scale)]
  return (
    <svg className="matrix-bar" viewBox="0 0 100 20" preserveAspectRatio="none" aria-hidden="true">
      {mean !== undefined && <rect className={flagged ? 'flagged' : ''} x={0} y={4} width={x(mean)} height={12} />}
      <path className="zero" d="M0 0V20" />
      {low !== undefined && high !== undefined && (
        <path className="spread" d={`M${x(low)} 7V13M${x(low)} 10H${x(high)}M${x(high)} 7V13`} />
      )}
      {base !== undefined && <path className="base" d={`M${x(base)} 0V20`} />}
    </svg>
  )
}

/** The smallest round number that is at least `max`; 0 for 0. */
function niceTop(max: number): number {
  if (max <= 0) return 0
  const power = 10 ** Math.floor(Math.log10(max))
  return (
    [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10].map(step => step * power).find(step => step >= max * 0.9999) ?? 10 * power
  )
}

const shortText = (value: number): string => figure(value)
