/** Sides, figures, parameters, and what the rows and columns are. */
import { useMemo } from 'react'

import { rowFigures, SECTION_NAMES, shortLabel } from '../../compare/figures/rows'
import { ResultAxes, type ResultAxesProps } from '../../compare/results/Results'
import { viewOf } from '../../compare/results/results'
import { resultVerdict } from '../../compare/results/resultVerdict'
import { letterIn } from '../../compare/results/useResults'
import { VERDICT_MARKS, VERDICT_WORDS } from '../../compare/verdicts'
import { FIGURE_SECTIONS, type ResultMatrix } from '../../engine/protocol'
import { count } from '../../lib/format'
import { put } from '../../state/page'
import './results-rail.css'

const NO_KEYS: readonly string[] = []
/** Maximum number of figures listed per section. */
const MAX_LISTED = 100

interface ResultsRailProps extends ResultAxesProps {
  readonly sides: readonly string[]
  readonly figure: string
  /** Name of the base, if it is one of the sides. */
  readonly base: string | undefined
  makeBase(side: string): void
  leaveOut(side: string, isLeftOut: boolean): void
}

export function ResultsRail({
  table,
  view,
  layout,
  sides,
  figure,
  base,
  makeBase,
  leaveOut,
  setLayout,
}: ResultsRailProps) {
  const { leftOut = [] } = layout
  const shownSides = sides.filter(side => !leftOut.includes(side))
  const otherSide = sides.find(side => side !== base)
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
                <label>
                  <input
                    type="checkbox"
                    checked={!leftOut.includes(side)}
                    disabled={shownSides.length === 1 && shownSides[0] === side}
                    onChange={event => leaveOut(side, !event.target.checked)}
                  />
                  <span className="badge">{letterIn(sides, side) ?? ''}</span>
                  <span className="results-rail-name" title={side}>
                    {side}
                  </span>
                </label>
                {side === base && <span className="tag">baseline</span>}
              </li>
            ))}
          </ul>
          {sides.length === 2 && shownSides.length === 2 && base !== undefined && otherSide !== undefined && (
            <button type="button" className="link" onClick={() => makeBase(otherSide)}>
              Make {letterIn(sides, otherSide)} the baseline
            </button>
          )}
        </section>
      )}
      <Figures
        table={table}
        figure={figure}
        hidden={layout.hidden ?? NO_KEYS}
        choose={key => setLayout({ ...layout, figure: key })}
        hide={keys => setLayout(put(layout, 'hidden', keys.length > 0 ? keys : undefined))}
      />
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
  /** Keys of figures that the user hid. */
  readonly hidden: readonly string[]
  choose(key: string): void
  hide(keys: readonly string[]): void
}

/** All figures in sections, with the change of each. A check box takes rows out; the name shows one in the matrix. */
function Figures({ table, figure, hidden, choose, hide }: FiguresProps) {
  const figures = useMemo(
    () =>
      rowFigures(table).map(item => ({
        item,
        change: resultVerdict({ ...table, figures: [item] }, item, viewOf(table, item)).change,
      })),
    [table],
  )
  if (figures.length < 2) return null
  const setHidden = (keys: readonly string[], isHidden: boolean) => {
    const remaining = hidden.filter(key => !keys.includes(key))
    hide(isHidden ? [...remaining, ...keys] : remaining)
  }
  return (
    <section aria-label="Figures">
      <h2>
        Figures
        {hidden.length > 0 ? (
          <button type="button" className="link" onClick={() => hide([])}>
            Show all
          </button>
        ) : (
          <span className="caption">{count(figures.length)}</span>
        )}
      </h2>
      <div className="results-rail-figures">
        {FIGURE_SECTIONS.map(section => {
          const sectionFigures = figures.filter(({ item }) => (item.section ?? 'other') === section)
          const keys = sectionFigures.map(({ item }) => item.key)
          const hiddenCount = keys.filter(key => hidden.includes(key)).length
          if (sectionFigures.length === 0) return null
          return (
            <fieldset key={section}>
              <legend>
                <label>
                  <input
                    type="checkbox"
                    ref={box => {
                      // Neither where only some of the section are.
                      if (box) box.indeterminate = hiddenCount > 0 && hiddenCount < keys.length
                    }}
                    checked={hiddenCount === 0}
                    onChange={event => setHidden(keys, !event.target.checked)}
                  />
                  {SECTION_NAMES[section]}
                </label>
              </legend>
              <ul>
                {sectionFigures.slice(0, MAX_LISTED).map(({ item, change }) => (
                  <li key={item.key}>
                    <input
                      type="checkbox"
                      aria-label={`Row of ${item.label}`}
                      checked={!hidden.includes(item.key)}
                      onChange={event => setHidden([item.key], !event.target.checked)}
                    />
                    <button
                      type="button"
                      aria-pressed={item.key === figure}
                      title={item.label}
                      onClick={() => choose(item.key)}
                    >
                      <span>{shortLabel(table, item.label)}</span>
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
              {sectionFigures.length > MAX_LISTED && (
                <p className="caption">
                  {count(sectionFigures.length - MAX_LISTED)} more are in the table; Find narrows it.
                </p>
              )}
            </fieldset>
          )
        })}
      </div>
    </section>
  )
}
