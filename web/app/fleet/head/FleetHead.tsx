/** The head of the fleet: what the rows are, how far their figures reach, and the condition that selects them. */
import { type RefObject, useId, useMemo } from 'react'
import { capitalized } from '../../../lib/text/capitalized'
import '../../shared/verdict-bar.css'
import { mainFacets } from '../rail/facetFields'
import type { OpenFleet } from '../useFleet'
import { fleetSentence, outlierWords, spanWords } from './summary'

/** Figures whose reach stands in the head: the first ones of the table. */
const MAX_SPANS = 2

export function FleetHead({
  open,
  input,
}: {
  readonly open: OpenFleet
  readonly input: RefObject<HTMLInputElement | null>
}) {
  const { columns, fields, rows, shownColumns, outlying, view, set, fleet } = open
  const { rows: total } = fleet.client.outline
  const labels = mainFacets(open).map(field => ({ field, column: columns.get(field.name) }))
  const figures = shownColumns.flatMap(name => {
    const field = fields.find(name)
    return field?.kind === 'figure' ? [{ field, column: columns.get(name) }] : []
  })
  const read = [...labels, ...figures].map(({ column }) => column)
  // biome-ignore lint/correctness/useExhaustiveDependencies: of the columns only the named ones count
  const { sentence, spans } = useMemo(
    () => ({
      sentence: fleetSentence(total, rows, labels),
      spans: rows
        ? figures.slice(0, MAX_SPANS).flatMap(({ field, column }) => spanWords(field, column, rows) ?? [])
        : [],
    }),
    [total, rows, ...read],
  )
  return (
    <section className="verdict-bar fleet-head-bar" aria-label="Summary of the rows">
      <h2 className="verdict-sentence">{sentence}</h2>
      <ul className="verdict-facts">
        {spans.map(words => (
          <li key={words}>{words}</li>
        ))}
        {outlying && (
          <li>
            {outlying.length === 0 ? (
              outlierWords(0)
            ) : (
              <button
                type="button"
                className="link"
                aria-pressed={view.odd === true}
                title="Only rows with a figure that is far from those of the rows with the same labels"
                onClick={() => set({ odd: view.odd ? undefined : true, top: 0 })}
              >
                {outlierWords(outlying.length)}
              </button>
            )}
          </li>
        )}
      </ul>
      <Where open={open} input={input} />
    </section>
  )
}

/** The condition, and what is wrong with it. */
function Where({ open: { view, set, wrong }, input }: Parameters<typeof FleetHead>[0]) {
  const id = useId()
  return (
    <>
      <div className="fleet-where">
        <label htmlFor={id} className="fleet-where-label">
          Rows where
        </label>
        <input
          ref={input}
          id={id}
          type="text"
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="off"
          placeholder="iops > 100 and kernel like '6.%'"
          value={view.where}
          aria-invalid={wrong !== undefined}
          aria-describedby={`${id}-wrong`}
          onChange={event => set({ where: event.target.value, top: 0 })}
          onKeyDown={event => {
            if (event.key !== 'Escape') return
            if (view.where !== '') set({ where: '', top: 0 })
            else event.currentTarget.blur()
          }}
        />
      </div>
      <p id={`${id}-wrong`} className="fleet-wrong" role="alert">
        {wrong && `${capitalized(wrong.message)} (character ${wrong.position + 1}). All rows are shown.`}
      </p>
    </>
  )
}
