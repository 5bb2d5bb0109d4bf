/** Results of benchmarks without a trace: one table at a time, one metric of it as a matrix. */
import { useRef, useState } from 'react'
import type { ResultsDocument } from '../engine/protocol'
import { explained, measuredAt } from '../lib/docs'
import { Distributions } from './Distribution'
import { FigureChoice, Legend, MatrixTools } from './Matrix'
import { MatrixTable } from './MatrixTable'
import { asText } from './matrixText'
import './matrix.css'
import './results.css'
import { sweepInWords, viewOf } from './results'

/** Metrics that are offered as buttons; all are in the list. */
const QUICK = 4

export function Results({ document, title }: { readonly document: ResultsDocument; readonly title: string }) {
  const section = useRef<HTMLElement>(null)
  const [at, setTable] = useState(0)
  const [chosen, choose] = useState<string>()
  const table = document.tables[at] ?? document.tables[0]
  const figure = table?.figures.find(f => f.key === chosen) ?? table?.figures[0]
  if (!table || !figure) return null
  const view = viewOf(table, figure)
  const sweeps = table.lines.flatMap((line, i) => {
    const test = figure.sweeps?.[i]
    return test && table.base ? [sweepInWords(line.join(' '), table.base.key, test)] : []
  })
  const repeats = table.cells.some(cell => cell.length > 1)
  return (
    <section ref={section} className="matrix" aria-labelledby="results-title">
      <p className="results-absent">{document.absent}</p>
      {document.tables.length > 1 && (
        <label className="results-tables">
          Table{' '}
          <select className="field" value={at} onChange={event => setTable(Number(event.target.value))}>
            {document.tables.map(({ title, files, runs }, i) => (
              <option key={`${title} ${files.join()}`} value={i}>
                {`${title} (${runs.length} runs)`}
              </option>
            ))}
          </select>
        </label>
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
      <MatrixTable view={view} />
      <p className="matrix-legend">
        Bars start at 0 and share one scale. <Legend view={view} thresholds={table.thresholds.filter((_, pair) => figure.changes[pair])} />
      </p>
      {sweeps.length > 0 && (
        <section aria-label="Matched cells" className="results-sweeps">
          <h3>All matched cells together</h3>
          <ul>
            {sweeps.map(words => (
              <li key={words}>{words}</li>
            ))}
          </ul>
          <a href={explained('how-noise-is-judged')} target="_blank" rel="noopener">
            How noise is judged
          </a>
        </section>
      )}
      <Distributions runs={table.runs} />
      <div className="matrix-below">
        <section aria-label="As text">
          <h3>As text</h3>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
          <pre tabIndex={0}>{asText(view)}</pre>
        </section>
        <section aria-label="Where the figures are from">
          <h3>Where the figures are from</h3>
          <p>{table.files.join(', ')}</p>
          {table.common.length > 0 && <p>All runs: {table.common.map(({ name, value }) => `${name} ${value}`).join(', ')}.</p>}
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
