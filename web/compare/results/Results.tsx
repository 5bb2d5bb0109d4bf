/** Results of benchmarks without a trace: one table at a time, one metric of it as a matrix. */
import { useMemo, useRef } from 'react'
import { CopyButton } from '../../charts/shared/menu/CopyButton'
import { fileName, saveFile } from '../../charts/shared/menu/files'
import type { MatrixAxes, ResultMatrix } from '../../engine/protocol'
import { measuredAt } from '../../lib/docs'
import { count, counted } from '../../lib/format'
import type { ResultsView } from '../../link/view'
import { type PageResults, put } from '../../state/page'
import type { MatrixLayout } from '../../state/types'
import { FigureTable } from '../figures/FigureTable'
import { type FigureRow, figureRows, matchingRows, wordsOfSearch } from '../figures/rows'
import { BaseChoice, Dimensions } from '../matrix/Axes'
import { FigureChoice, Legend, MatrixTools } from '../matrix/Matrix'
import { AsText, Sweeps } from '../matrix/MatrixParts'
import { MatrixTable, type MatrixText } from '../matrix/MatrixTable'
import { asCsv, asText, type MatrixView, nameOfBase, sweepLines } from '../matrix/matrixText'
import { ResultPictures } from '../pictures/Pictures'
import '../matrix/matrix.css'
import './results.css'
import type { ShownResults } from './useResults'

/** Number of metrics that are offered as buttons; all are in the list. */
const QUICK = 4

/**
 * Where the user put the dimensions, whether the engine has answered or not; absent if the choice is of another table.
 */
function chosenAxes({ dimensions }: ResultMatrix, { rows = [], columns = [] }: MatrixLayout): MatrixAxes | undefined {
  const dimensionsIn = (keys: readonly string[]) => dimensions.filter(({ key }) => keys.includes(key))
  const [rowAxes, columnAxes] = [dimensionsIn(rows), dimensionsIn(columns)]
  if (rowAxes.length + columnAxes.length === 0) return undefined
  return {
    rows: rowAxes,
    columns: columnAxes,
    averaged: dimensions.filter(axis => !rowAxes.includes(axis) && !columnAxes.includes(axis)),
  }
}

export interface ResultsProps {
  readonly results: PageResults
  readonly shown: ShownResults
  /** Title for names of saved files. */
  readonly title: string
  readonly layout: MatrixLayout
  /** The text of the results; absent if it is not here. */
  readonly text?: MatrixText
  /** The only part to show, when the page around it has the controls. Absent: everything is shown, with controls. */
  readonly show?: ResultsView
  /** Rows are filtered by these words. */
  readonly search?: string
  /** Key of the figure whose cell gets the focus next. */
  readonly sought?: string | undefined
  setLayout(layout: MatrixLayout): void
}

export function Results(props: ResultsProps) {
  const { shown: results, show, layout, setLayout } = props
  const { document, tableIndex, shown } = results
  if (!shown)
    return (
      <section className="matrix" aria-labelledby="results-title">
        <h2 id="results-title">No results</h2>
        <p>All blocks are excluded. Include one, or undo.</p>
      </section>
    )
  const { table } = shown
  return (
    <section className="matrix" data-show={show ?? 'all'} aria-labelledby="results-title">
      {show === undefined && <p className="results-absent">{document.absent}</p>}
      {document.tables.length > 1 && (
        <TableChoice tables={document.tables} tableIndex={tableIndex} layout={layout} setLayout={setLayout} />
      )}
      {show === undefined && (
        <details className="results-axes">
          <summary>Rows, columns and baseline</summary>
          <ResultAxes table={table} view={shown.view} layout={layout} setLayout={setLayout} />
        </details>
      )}
      {show === 'table' ? <AllFigures {...props} {...shown} /> : <OneFigure {...props} {...shown} />}
      <div className="matrix-below">
        {show !== 'table' && <AsText view={shown.view} />}
        <Sources table={table} />
      </div>
    </section>
  )
}

type ShownTable = NonNullable<ShownResults['shown']>

/** The view `table`: all figures, filtered by the words of the search. */
function AllFigures({ shown: { sides }, table, layout, title, text, search = '', sought }: ResultsProps & ShownTable) {
  const all = useMemo(() => figureRows(table, sides, layout.hidden), [table, sides, layout.hidden])
  const rows = useMemo(() => matchingRows(all, wordsOfSearch(search)), [all, search])
  const remaining = layout.hidden?.length ?? 0
  return (
    <>
      <header className="matrix-head">
        <h2 id="results-title">
          Figures
          <small>
            {rows.length === all.length
              ? counted(all.length, 'row')
              : `${count(rows.length)} of ${counted(all.length, 'row')}`}
            {remaining > 0 && `, ${counted(remaining, 'figure')} left out`}
          </small>
        </h2>
        <span className="matrix-tools">
          <CopyButton label="Copy as text" text={() => viewsOf(rows).map(asText).join('\n')} />
          <button
            type="button"
            className="button"
            onClick={() => saveFile(`${fileName(title, 'figures')}.csv`, new Blob([csvOf(rows)], { type: 'text/csv' }))}
          >
            CSV
          </button>
        </span>
      </header>
      <FigureTable table={table} rows={rows} text={text} sought={sought} />
    </>
  )
}

/** The view of each figure in the rows, once per figure. */
const viewsOf = (rows: readonly FigureRow[]): readonly MatrixView[] => [
  ...new Set(rows.map(({ group }) => group.metric.view)),
]

/** All cells as CSV under one heading. */
const csvOf = (rows: readonly FigureRow[]): string =>
  viewsOf(rows)
    .map(asCsv)
    .map((text, i) => (i === 0 ? text : text.slice(text.indexOf('\n') + 1)))
    .join('')

/** One figure as a matrix, and its pictures. */
function OneFigure(props: ResultsProps & ShownTable) {
  const { shown: results, table, figure, view, title, layout, text, show, setLayout } = props
  const { tableIndex, sides } = results
  const section = useRef<HTMLDivElement>(null)
  const { base } = view
  const choose = (figure: string) => setLayout({ ...layout, figure })
  return (
    <div ref={section}>
      <header className="matrix-head">
        <h2 id="results-title">
          {figure.label}
          {view.scale.unit !== '' && <small>{view.scale.unit}</small>}
        </h2>
        {table.figures.length > 1 && table.figures.length <= QUICK && (
          <fieldset className="segments" aria-label="Metric">
            {table.figures.map(({ key, label }) => (
              <button key={key} type="button" aria-pressed={key === figure.key} onClick={() => choose(key)}>
                {label}
              </button>
            ))}
          </fieldset>
        )}
        {table.figures.length > QUICK && <FigureChoice figures={table.figures} figure={figure} choose={choose} />}
        {show !== 'chart' && <MatrixTools view={view} title={title} section={section} />}
      </header>
      {show !== 'chart' && (
        <>
          <MatrixTable view={view} {...(text && { text })} sought={props.sought} />
          <p className="matrix-legend">
            Bars start at 0 and share one scale. <Legend view={view} figure={figure} />
          </p>
        </>
      )}
      {show !== 'matrix' && (
        <ResultPictures
          key={tableIndex}
          table={table}
          figure={figure}
          sides={sides}
          title={title}
          layout={layout}
          setPicture={picture => setLayout({ ...layout, picture })}
          setCumulative={isOn => setLayout(put(layout, 'cumulative', isOn ? true : undefined))}
        />
      )}
      {base && <Sweeps base={nameOfBase(view, base)} lines={sweepLines(view, base)} />}
    </div>
  )
}

interface TableChoiceProps {
  readonly tables: readonly ResultMatrix[]
  readonly tableIndex: number
  readonly layout: MatrixLayout
  setLayout(layout: MatrixLayout): void
}

function TableChoice({ tables, tableIndex, layout, setLayout }: TableChoiceProps) {
  // Only `show` is kept: everything else names parts of the current table.
  const nextLayout: MatrixLayout = layout.show ? { show: layout.show } : {}
  return (
    <label className="results-tables">
      Table{' '}
      <select
        className="field"
        value={tableIndex}
        onChange={event =>
          setLayout({ ...nextLayout, ...(event.target.value !== '0' && { table: Number(event.target.value) }) })
        }
      >
        {tables.map(({ title, files, runs }, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: tables have no other identity
          <option key={i} value={i} title={files.join(', ')}>
            {`${title} (${counted(runs.length, 'run')})`}
          </option>
        ))}
      </select>
    </label>
  )
}

export interface ResultAxesProps {
  readonly table: ResultMatrix
  readonly view: MatrixView
  readonly layout: MatrixLayout
  setLayout(layout: MatrixLayout): void
}

/** Choices of rows, columns and base. */
export function ResultAxes({ table, view: { axes, base, matrix }, layout, setLayout }: ResultAxesProps) {
  if (table.dimensions.length === 0) return null
  return (
    <div className="results-axes-parts">
      <Dimensions
        legend="Dimensions"
        dimensions={table.dimensions}
        axes={chosenAxes(table, layout) ?? axes}
        setAxes={moved => setLayout({ ...layout, ...moved })}
      />
      <BaseChoice lines={matrix} axes={axes} base={base} setBase={base => setLayout({ ...layout, base })} />
    </div>
  )
}

function Sources({ table }: { readonly table: ResultMatrix }) {
  const repeats = table.cells.some(cell => cell.length > 1)
  return (
    <section aria-label="Where the figures are from">
      <h3>Where the figures are from</h3>
      <p>{table.files.join(', ')}</p>
      {table.common.length > 0 && (
        <p>All runs: {table.common.map(({ name, value }) => `${name} ${value}`).join(', ')}.</p>
      )}
      {table.zero && <p>0 in all runs: {table.zero.join(', ')}.</p>}
      <p>
        {repeats
          ? 'Cells with several runs show their mean, \u00b1 standard deviation, and number of runs. '
          : 'One run per cell: the variation between runs is unknown. Add repeated runs to get a mean with its spread. '}
        <a href={measuredAt('results-without-a-trace')} target="_blank" rel="noopener">
          How this is measured
        </a>
      </p>
    </section>
  )
}
