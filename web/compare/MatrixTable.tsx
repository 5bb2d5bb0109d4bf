/** The cells of the matrix: value, bar, change against the base; each opens its runs. */
import { type Base, baseCell, type Cell, type Change, changeOf, type Line, type Mark, marksOf, mostOf, scaled } from './matrix'
import { digitsOf, nameOf, type Printed, written } from './matrixText'

/** Smaller shares have neither colour nor fill: runs that repeat each other differ by as much. */
const CLEAR = 0.1
const SIGNS: Readonly<Record<Change['verdict'], string>> = { worse: '▲', better: '▽', changed: '◇', same: '=', spoiled: '†', noise: '~' }

interface TableProps {
  readonly printed: Printed
  lookAt(runs: readonly string[]): void
}

export function MatrixTable({ printed, lookAt }: TableProps) {
  const { matrix, axes, figure, scale, base } = printed
  const marks = marksOf(matrix, figure.good)
  const digits = digitsOf(matrix, scale)
  const top = niceTop(mostOf(matrix) / scale.per)
  const isBase = (axis: Base['axis'], line: Line) => base?.axis === axis && base.key === line.key
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section className="matrix-scroll" tabIndex={0} aria-label="Matrix">
      <table>
        <thead>
          <tr>
            <th scope="col">{axes.rows.map(axis => axis.name).join(', ') || 'all runs'}</th>
            {matrix.columns.map(line => (
              <th key={line.key} scope="col" data-base={isBase('column', line)}>
                <span className="matrix-column">
                  {axes.columns.length === 0 ? <span className="visually-hidden">{figure.label}</span> : nameOf(line, axes.columns)}
                  {isBase('column', line) && <span className="tag">base</span>}
                </span>
                <span className="matrix-axis" aria-hidden="true">
                  <span>0</span>
                  <span>{short(top)}</span>
                </span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {matrix.rows.map((row, r) => (
            <tr key={row.key} data-base={isBase('row', row)}>
              <th scope="row">
                <RowName line={row} printed={printed} />
                {isBase('row', row) && <span className="tag">base</span>}
              </th>
              {matrix.columns.map((column, c) => {
                const given = { printed, digits, top, cell: matrix.cells[r]?.[c], against: baseCell(matrix, base, r, c), mark: marks[r]?.[c] }
                const place = `${nameOf(row, axes.rows)}${axes.columns.length === 0 ? '' : `, ${nameOf(column, axes.columns)}`}`
                return (
                  <td key={column.key} data-base={isBase('column', column)}>
                    <CellView {...given} place={place} lookAt={lookAt} />
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** The first part stands out, numbers bring their names. */
function RowName({ line, printed: { axes } }: { readonly line: Line; readonly printed: Printed }) {
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

interface CellProps extends TableProps {
  readonly cell: Cell | undefined
  readonly against: Cell | undefined
  readonly mark: Mark | undefined
  readonly digits: number
  /** Right end of the scale, in the unit. */
  readonly top: number
  readonly place: string
}

function CellView({ printed, cell, against, mark, digits, top, place, lookAt }: CellProps) {
  const { scale, figure } = printed
  if (!cell) return <span className="matrix-none">no run</span>
  const change = changeOf(cell, against, figure.good)
  const text = cell.mean === undefined ? 'not measured' : written(cell, scale, digits)
  const letters = cell.runs.map(run => run.letter).join(', ')
  const beside = against?.runs.filter(run => !cell.runs.includes(run)) ?? []
  const opens = `Open ${letters}${beside.length > 0 ? ` beside ${beside.map(run => run.letter).join(', ')}` : ''}`
  const sd = cell.spread && cell.n > 1 ? `± ${(cell.spread.sd / scale.per).toFixed(digits)}` : undefined
  const clear = against?.mean !== undefined && Math.abs((cell.mean ?? 0) / against.mean - 1) > CLEAR
  return (
    <button
      type="button"
      className="matrix-cell"
      title={`${opens}: ${cell.runs.map(run => run.label).join(', ')}`}
      onClick={() => lookAt([...beside, ...cell.runs].map(run => run.id))}
    >
      <span className="matrix-value" data-missing={cell.mean === undefined}>
        <span className="visually-hidden">{place}: </span>
        {text}
        {cell.mean !== undefined && <span className="visually-hidden"> {scale.unit}</span>}
        {cell.spoiled && <sup>†</sup>}
        {sd && (
          <small>
            {sd} <span>n {cell.n}</span>
          </small>
        )}
      </span>
      <Bar cell={cell} base={scaled(against?.mean, scale)} printed={printed} top={top} flagged={clear && change?.verdict === 'worse'} />
      <span className="matrix-told">
        {change && (
          <span data-verdict={change.verdict} data-clear={clear}>
            <span aria-hidden="true">{SIGNS[change.verdict]}</span> {change.text}
            <span className="visually-hidden"> {change.verdict} </span>
          </span>
        )}
        {mark && <small data-mark={mark}>{mark}</small>}
        <span className="visually-hidden"> {opens}</span>
      </span>
    </button>
  )
}

interface BarProps {
  readonly cell: Cell
  readonly base: number | undefined
  readonly printed: Printed
  readonly top: number
  readonly flagged: boolean
}

function Bar({ cell, base, printed: { scale }, top, flagged }: BarProps) {
  const x = (value: number) => (top > 0 ? Math.max(0, Math.min(100, (value / top) * 100)) : 0)
  const mean = scaled(cell.mean, scale)
  const [least, most] = [scaled(cell.spread?.least, scale), scaled(cell.spread?.most, scale)]
  return (
    <svg className="matrix-bar" viewBox="0 0 100 20" preserveAspectRatio="none" aria-hidden="true">
      {mean !== undefined && <rect className={flagged ? 'flagged' : ''} x={0} y={4} width={x(mean)} height={12} />}
      <path className="zero" d="M0 0V20" />
      {least !== undefined && most !== undefined && <path className="spread" d={`M${x(least)} 7V13M${x(least)} 10H${x(most)}M${x(most)} 7V13`} />}
      {base !== undefined && <path className="base" d={`M${x(base)} 0V20`} />}
    </svg>
  )
}

/** A round number at or above. */
function niceTop(most: number): number {
  if (most <= 0) return 0
  const power = 10 ** Math.floor(Math.log10(most))
  return [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10].map(step => step * power).find(step => step >= most * 0.9999) ?? 10 * power
}

const short = (value: number): string => String(+value.toPrecision(3))
