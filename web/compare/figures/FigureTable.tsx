/** All figures of a table, a line per side: bar, value with spread, change. A value leads to its line in the text. */
import { Fragment, useMemo } from 'react'
import { FIGURE_SECTIONS, type ResultMatrix } from '../../engine/protocol'
import { counted } from '../../lib/format'
import { DEVIATION_WORDS, deviationOf, deviationText, rangeOfCell } from '../deviation'
import type { MatrixText } from '../matrix/MatrixTable'
import { meanText } from '../matrix/matrixText'
import { useDrawn } from '../matrix/useDrawn'
import { directionWords } from '../pictures/drawBars'
import { isInterval } from '../pictures/intervals'
import type { SideValue } from '../pictures/shape'
import { intervalText } from '../rows'
import { VERDICT_MARKS, verdictInWords } from '../verdicts'
import { type FigureRow, SECTION_NAMES, shortLabel } from './rows'
import './figures.css'

export interface FigureTableProps {
  readonly table: ResultMatrix
  readonly rows: readonly FigureRow[]
  readonly text?: MatrixText | undefined
  /** Key of the figure to which the keyboard goes next. */
  readonly sought: string | undefined
}

export function FigureTable({ table, rows, text, sought }: FigureTableProps) {
  const soughtRow = sought === undefined ? -1 : rows.findLastIndex(row => row.group.metric.figure.key === sought)
  const { count, end } = useDrawn(rows.length, soughtRow + 1)
  const shown = rows.slice(0, count)
  const spread = useMemo(() => spreadWords(table, rows), [table, rows])
  return (
    <>
      {spread !== '' && <p className="figures-legend">{spread}</p>}
      <table className="figures">
        <thead>
          <tr>
            <th scope="col">Figure</th>
            <th scope="col">Side</th>
            <th scope="col">Bars from 0</th>
            <th scope="col" data-figure>
              Value
            </th>
            <th scope="col">Unit</th>
            <th scope="col" data-figure>
              Change
            </th>
            <th scope="col">Verdict</th>
          </tr>
        </thead>
        {FIGURE_SECTIONS.map(section => {
          const sectionRows = shown.filter(row => row.section === section)
          if (sectionRows.length === 0) return null
          return (
            <Fragment key={section}>
              <tbody className="figures-section">
                <tr>
                  <th scope="rowgroup" colSpan={7} id={`figures-${section}`}>
                    {SECTION_NAMES[section]}
                  </th>
                </tr>
              </tbody>
              {sectionRows.map(row => (
                <FigureLines key={row.key} row={row} table={table} text={text} />
              ))}
            </Fragment>
          )
        })}
      </table>
      {rows.length === 0 && <p className="figures-none">No figure has these words, or all are left out.</p>}
      {count < rows.length && (
        <div ref={end} className="figures-more">
          {counted(rows.length - count, 'more row')}
        </div>
      )}
    </>
  )
}

interface FigureLinesProps {
  readonly row: FigureRow
  readonly table: ResultMatrix
  readonly text?: MatrixText | undefined
}

function FigureLines({ row: { group, top }, table, text }: FigureLinesProps) {
  const { metric, bars, name } = group
  const label = shortLabel(table, metric.figure.label)
  const direction = directionWords(metric)
  return (
    <tbody>
      {bars.map((bar, i) => (
        <tr key={bar.side.letter} data-run={bar.side.letter}>
          {i === 0 && (
            <th scope="rowgroup" rowSpan={bars.length}>
              <b title={metric.figure.label}>{withBreaks(label)}</b>
              {name !== '' && <span>{name}</span>}
              <small>
                {metric.view.scale.unit !== '' && (
                  <span className="figures-unit">
                    {metric.view.scale.unit}
                    {direction !== '' && '; '}
                  </span>
                )}
                {direction}
              </small>
            </th>
          )}
          <SideCells bar={bar} row={{ group, top }} text={text} place={`${label}${name === '' ? '' : `, ${name}`}`} />
        </tr>
      ))}
    </tbody>
  )
}

/** Allows line breaks behind the marks between words: `aim7.time.elapsed_time`. */
const withBreaks = (name: string) =>
  name.split(/(?<=[._/])/).map((part, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of a name have no other identity
    <Fragment key={i}>
      {i > 0 && <wbr />}
      {part}
    </Fragment>
  ))

/** Explains the boxes and lines that some rows have. */
function spreadWords(table: ResultMatrix, rows: readonly FigureRow[]): string {
  const cells = rows.flatMap(({ group }) => group.bars.map(({ placed }) => placed.cell))
  const sources = new Set(cells.flatMap(cell => deviationOf(cell)?.source ?? []))
  const runsNoun = table.runs.some(isInterval) ? 'intervals' : 'runs'
  const parts = [
    ...(sources.has('runs')
      ? [`\u00b1 and box: standard deviation between the ${runsNoun}; line: their minimum to maximum.`]
      : []),
    ...(sources.has('within') ? ['\u00b1 and box of a single run: standard deviation within it.'] : []),
    ...(cells.some(({ n, within }) => n === 1 && within?.max !== undefined)
      ? ['Line of a single run: minimum to maximum within it.']
      : []),
    ...(sources.has('printed')
      ? ['\u00b1 and box: standard deviation as the text prints it; of how many runs it does not say.']
      : []),
  ]
  return parts.join(' ')
}

interface SideCellsProps {
  readonly bar: SideValue
  readonly row: Pick<FigureRow, 'group' | 'top'>
  readonly text?: MatrixText | undefined
  readonly place: string
}

function SideCells({ bar: { side, placed }, row: { group, top }, text, place }: SideCellsProps) {
  const { cell, isBase } = placed
  const { figure, view } = group.metric
  const { scale } = view
  const deviation = deviationOf(cell)
  const ids = cell.runs.map(run => run.id)
  const { change } = cell
  const value = (
    <>
      <span className="visually-hidden">
        {place}, {side.name}:{' '}
      </span>
      {meanText(cell, scale)}
      {cell.unreliable && <sup>†</sup>}
    </>
  )
  return (
    <>
      <td>
        <span className="badge" title={side.name}>
          {side.letter}
        </span>
      </td>
      <td>
        <FigureBar bar={{ side, placed }} row={{ group, top }} />
      </td>
      <td data-figure>
        {text?.canShow(figure.key, ids) ? (
          <button
            type="button"
            className="figures-value"
            data-cell={figure.key}
            data-runs={ids.join(' ')}
            title="Show in the text"
            onClick={() => text.show(figure.key, ids)}
          >
            {value}
            <span className="visually-hidden"> Show in the text</span>
          </button>
        ) : (
          value
        )}
        <small title={deviation && DEVIATION_WORDS[deviation.source]}>
          {deviation && deviationText(deviation, scale)}
          {cell.n > 1 && ` n ${cell.n}`}
        </small>
      </td>
      <td>{scale.unit}</td>
      <td data-figure data-verdict={change?.verdict}>
        {change ? change.text : isBase ? <span className="tag">baseline</span> : ''}
      </td>
      <td
        data-verdict={change?.verdict}
        title={
          change &&
          `${verdictInWords(change.verdict)}${change.ci95 ? `; 95% interval ${intervalText(change.ci95)}` : ''}`
        }
      >
        {change && (
          <>
            <span aria-hidden="true">{VERDICT_MARKS[change.verdict]}</span>{' '}
            {verdictInWords(change.verdict).split(':')[0]}
          </>
        )}
      </td>
    </>
  )
}

/** A bar from 0 with the whisker of its spread and a box of one standard deviation. */
function FigureBar({ bar: { placed }, row: { group, top } }: Pick<SideCellsProps, 'bar' | 'row'>) {
  const { cell } = placed
  const { per } = group.metric.view.scale
  const x = (value: number) => (top > 0 ? Math.max(0, Math.min(100, (value / per / top) * 100)) : 0)
  if (cell.mean === undefined) return null
  const range = rangeOfCell(cell)
  const deviation = deviationOf(cell)
  const box = deviation && range && [x(cell.mean - deviation.sd), x(cell.mean + deviation.sd)]
  return (
    <svg viewBox="0 0 100 16" preserveAspectRatio="none" aria-hidden="true">
      <rect className="figures-mean" x={0} y={2} width={x(cell.mean)} height={12} />
      <path className="figures-zero" d="M0 0V16" />
      {range && (
        <path
          className="figures-whisker"
          d={`M${x(range.min)} 5V11M${x(range.min)} 8H${x(range.max)}M${x(range.max)} 5V11`}
        />
      )}
      {box && <rect className="figures-box" x={box[0]} y={4} width={(box[1] ?? 0) - (box[0] ?? 0)} height={8} />}
    </svg>
  )
}
