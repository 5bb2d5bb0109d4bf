/** Sides, figures, parameters, and what the rows and columns are. */
import { useMemo } from 'react'

import { ResultAxes, type ResultAxesProps } from '../../compare/Results'
import { viewOf } from '../../compare/results'
import { resultVerdict } from '../../compare/resultVerdict'
import { letterIn } from '../../compare/useResults'
import { VERDICT_MARKS, VERDICT_WORDS } from '../../compare/verdicts'
import type { ResultMatrix } from '../../engine/protocol'
import { count } from '../../lib/format'
import './results-rail.css'

interface ResultsRailProps extends ResultAxesProps {
  readonly sides: readonly string[]
  readonly figure: string
  /** Name of the base, if it is one of the sides. */
  readonly base: string | undefined
  swap(): void
}

export function ResultsRail({ table, view, layout, sides, figure, base, swap, setLayout }: ResultsRailProps) {
  return (
    <div className="results-rail-parts">
      {sides.length > 0 && (
        <section aria-label="Sides of the results">
          <h2>
            Sides{' '}
            <span className="caption">{table.evidence?.startsWith('by ') ? table.evidence : 'from the text'}</span>
          </h2>
          <ul>
            {sides.map(side => (
              <li key={side} data-run={letterIn(sides, side)}>
                <span className="badge">{letterIn(sides, side) ?? ''}</span>
                <span className="results-rail-name" title={side}>
                  {side}
                </span>
                {side === base && <span className="tag">base</span>}
              </li>
            ))}
          </ul>
          {sides.length === 2 && base !== undefined && (
            <button type="button" className="link" onClick={swap}>
              Make{' '}
              {letterIn(
                sides,
                sides.find(side => side !== base),
              )}{' '}
              the base
            </button>
          )}
        </section>
      )}
      <Figures table={table} figure={figure} choose={key => setLayout({ ...layout, figure: key })} />
      <ResultAxes table={table} view={view} layout={layout} setLayout={setLayout} />
      {table.common.length > 0 && (
        <section aria-label="Parameters">
          <h2>
            Parameters <span className="caption">equal in all runs</span>
          </h2>
          <dl>
            {table.common.map(({ name, value }) => (
              <div key={name}>
                <dt title={name}>{name}</dt>
                <dd title={value}>{value}</dd>
              </div>
            ))}
          </dl>
        </section>
      )}
    </div>
  )
}

interface FiguresProps {
  readonly table: ResultMatrix
  readonly figure: string
  choose(key: string): void
}

/** All figures with the change of each; one of them is in the matrix. */
function Figures({ table, figure, choose }: FiguresProps) {
  const figures = useMemo(
    () =>
      table.figures.map(one => ({
        one,
        change: resultVerdict({ ...table, figures: [one] }, one, viewOf(table, one)).change,
      })),
    [table],
  )
  if (table.figures.length < 2) return null
  /** All of them begin with it. */
  const tool = `${table.tool} `
  return (
    <section aria-label="Figures">
      <h2>
        Figures <span className="caption">{count(table.figures.length)}</span>
      </h2>
      <ul className="results-rail-figures">
        {figures.map(({ one, change }) => (
          <li key={one.key}>
            <button type="button" aria-pressed={one.key === figure} title={one.label} onClick={() => choose(one.key)}>
              <span>{one.label.startsWith(tool) ? one.label.slice(tool.length) : one.label}</span>
              {change && (
                <span data-verdict={change.verdict}>
                  <span aria-hidden="true">{VERDICT_MARKS[change.verdict]}</span> {change.text}
                  <span className="visually-hidden"> {VERDICT_WORDS[change.verdict]}</span>
                </span>
              )}
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
