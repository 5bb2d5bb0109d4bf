/** Results of benchmarks without a trace: one table at a time, one metric of it as a matrix. */
import { useRef } from 'react'
import type { ResultMatrix } from '../engine/protocol'
import { measuredAt } from '../lib/docs'
import { counted } from '../lib/format'
import { type PageResults, put } from '../state/page'
import type { MatrixLayout } from '../state/types'
import { BaseChoice, Dimensions } from './Axes'
import type { MatrixAxes } from './layout'
import { FigureChoice, Legend, MatrixTools } from './Matrix'
import { AsText, Sweeps } from './MatrixParts'
import { MatrixTable, type MatrixText } from './MatrixTable'
import { type MatrixView, nameOfBase, sweepLines } from './matrixText'
import { ResultPictures } from './pictures/Pictures'
import './matrix.css'
import './results.css'
import type { ShownResults } from './useResults'

/** Metrics that are offered as buttons; all are in the list. */
const QUICK = 4

/**
 * Where the user put the dimensions, whether the engine has answered or not; absent if the choice is of another table.
 */
function chosenAxes({ dimensions }: ResultMatrix, { rows = [], columns = [] }: MatrixLayout): MatrixAxes | undefined {
  const of = (keys: readonly string[]) => dimensions.filter(({ key }) => keys.includes(key))
  const [down, over] = [of(rows), of(columns)]
  if (down.length + over.length === 0) return undefined
  return {
    rows: down,
    columns: over,
    averaged: dimensions.filter(axis => !down.includes(axis) && !over.includes(axis)),
  }
}

export interface ResultsProps {
  readonly results: PageResults
  readonly shown: ShownResults
  /** Names saved files. */
  readonly title: string
  readonly layout: MatrixLayout
  /** From which they were read; absent where it is not here. */
  readonly text?: MatrixText
  /** The page around it has the axes, and says what only traces have. */
  readonly isAlone?: true
  /** The complete layout. */
  setLayout(layout: MatrixLayout): void
}

export function Results({
  shown: { document, at, sides, shown },
  title,
  layout,
  text,
  isAlone,
  setLayout,
}: ResultsProps) {
  const section = useRef<HTMLElement>(null)
  if (!shown)
    return (
      <section className="matrix" aria-labelledby="results-title">
        <h2 id="results-title">No results</h2>
        <p>All blocks are excluded. Include one, or undo.</p>
      </section>
    )
  const { table, figure, view } = shown
  const { base } = view
  const choose = (figure: string) => setLayout({ ...layout, figure })
  return (
    <section ref={section} className="matrix" data-alone={isAlone ?? false} aria-labelledby="results-title">
      {!isAlone && <p className="results-absent">{document.absent}</p>}
      {document.tables.length > 1 && <TableChoice tables={document.tables} at={at} setLayout={setLayout} />}
      {!isAlone && (
        <details className="results-axes">
          <summary>Rows, columns and base</summary>
          <ResultAxes table={table} view={view} layout={layout} setLayout={setLayout} />
        </details>
      )}
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
        <MatrixTools view={view} title={title} section={section} />
      </header>
      <MatrixTable view={view} {...(text && { text })} />
      <p className="matrix-legend">
        Bars start at 0 and share one scale. <Legend view={view} figure={figure} />
      </p>
      <ResultPictures
        key={at}
        table={table}
        figure={figure}
        sides={sides}
        title={title}
        layout={layout}
        setPicture={picture => setLayout({ ...layout, picture })}
        setCumulative={on => setLayout(put(layout, 'cumulative', on ? true : undefined))}
      />
      {base && <Sweeps base={nameOfBase(view, base)} lines={sweepLines(view, base)} />}
      <div className="matrix-below">
        <AsText view={view} />
        <Sources table={table} />
      </div>
    </section>
  )
}

interface TableChoiceProps {
  readonly tables: readonly ResultMatrix[]
  readonly at: number
  setLayout(layout: MatrixLayout): void
}

function TableChoice({ tables, at, setLayout }: TableChoiceProps) {
  return (
    <label className="results-tables">
      Table{' '}
      <select
        className="field"
        value={at}
        onChange={event => setLayout(event.target.value === '0' ? {} : { table: Number(event.target.value) })}
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

/** What the rows and columns are, and with what they are compared. */
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
