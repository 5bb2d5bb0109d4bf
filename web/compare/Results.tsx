/** Results of benchmarks without a trace: one table at a time, one metric of it as a matrix. */
import { useEffect, useRef, useState } from 'react'
import type { ResultMatrix, ResultsDocument } from '../engine/protocol'
import { measuredAt } from '../lib/docs'
import { type PageResults, put } from '../state/page'
import { resultLayout, storedTables } from '../state/results'
import type { MatrixLayout } from '../state/types'
import { BaseChoice, Dimensions } from './Axes'
import type { MatrixAxes } from './layout'
import { FigureChoice, Legend, MatrixTools } from './Matrix'
import { AsText, Sweeps } from './MatrixParts'
import { MatrixTable, type MatrixText } from './MatrixTable'
import { nameOfBase, sweepLines } from './matrixText'
import { ResultPictures } from './pictures/Pictures'
import './matrix.css'
import './results.css'
import { viewOf } from './results'

/** Metrics that are offered as buttons; all are in the list. */
const QUICK = 4

/** The tables as the user laid one of them out. The last answer stays until the next one is there. */
function useArranged({ document, client }: PageResults, layout: MatrixLayout): ResultsDocument {
  const [arranged, setArranged] = useState<ResultsDocument>()
  const wanted = JSON.stringify(resultLayout(layout))
  useEffect(() => {
    let current = true
    const show = (next: ResultsDocument | undefined) => current && setArranged(next)
    if (wanted === undefined) show(undefined)
    else {
      const tables = storedTables(document, { files: true, distributions: true })
      client.arrange({ tables, layout: JSON.parse(wanted) }).then(show, () => show(undefined))
    }
    return () => {
      current = false
    }
  }, [document, client, wanted])
  return arranged ?? document
}

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
  /** Names saved files. */
  readonly title: string
  readonly layout: MatrixLayout
  /** From which they were read; absent where it is not here. */
  readonly text?: MatrixText
  /** The complete layout. */
  setLayout(layout: MatrixLayout): void
}

export function Results({ results, title, layout, text, setLayout }: ResultsProps) {
  const section = useRef<HTMLElement>(null)
  const document = useArranged(results, layout)
  const at = document.tables[layout.table ?? 0] ? (layout.table ?? 0) : 0
  const table = document.tables[at]
  const figure = table?.figures.find(f => f.key === layout.figure) ?? table?.figures[0]
  if (!table || !figure)
    return (
      <section className="matrix" aria-labelledby="results-title">
        <h2 id="results-title">No results</h2>
        <p className="results-absent">All blocks are excluded. Include one, or undo.</p>
      </section>
    )
  const view = viewOf(table, figure)
  const { axes, base } = view
  const choose = (figure: string) => setLayout({ ...layout, figure })
  const repeats = table.cells.some(cell => cell.length > 1)
  return (
    <section ref={section} className="matrix" aria-labelledby="results-title">
      <p className="results-absent">{document.absent}</p>
      {document.tables.length > 1 && (
        <label className="results-tables">
          Table{' '}
          <select
            className="field"
            value={at}
            onChange={event => setLayout(event.target.value === '0' ? {} : { table: Number(event.target.value) })}
          >
            {document.tables.map(({ title, files, runs }, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: tables have no other identity
              <option key={i} value={i} title={files.join(', ')}>
                {`${title} (${runs.length} runs)`}
              </option>
            ))}
          </select>
        </label>
      )}
      {table.dimensions.length > 0 && (
        <details className="results-axes">
          <summary>Rows, columns and base</summary>
          <div>
            <Dimensions
              legend="Dimensions"
              dimensions={table.dimensions}
              axes={chosenAxes(table, layout) ?? axes}
              setAxes={moved => setLayout({ ...layout, ...moved })}
            />
            <BaseChoice lines={view.matrix} axes={axes} base={base} setBase={base => setLayout({ ...layout, base })} />
          </div>
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
        title={title}
        layout={layout}
        setPicture={picture => setLayout({ ...layout, picture })}
        setCumulative={on => setLayout(put(layout, 'cumulative', on ? true : undefined))}
      />
      {base && <Sweeps base={nameOfBase(view, base)} lines={sweepLines(view, base)} />}
      <div className="matrix-below">
        <AsText view={view} />
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
      </div>
    </section>
  )
}
