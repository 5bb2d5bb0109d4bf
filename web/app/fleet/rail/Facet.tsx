/** The words of a label with their number of rows, to filter by: in the rail, and all of them in a menu. */
import { useMemo, useState } from 'react'
import { usePopup } from '../../../charts/shared/menu/usePopup'
import { type FacetWord, facetOf, NONE, rowsShown } from '../../../fleet/rows/select'
import { count, counted } from '../../../lib/format'
import { type FleetField, UNKNOWN } from '../fields'
import type { OpenFleet } from '../useFleet'

/** Maximum number of words in the menu; typing finds the others. */
const MAX_WORDS = 200

/** Words of a label in the rail: those of the most rows. */
const MAX_RAIL_WORDS = 6

interface FacetProps {
  readonly open: OpenFleet
  readonly field: FleetField
}

/** Words of the rows that pass all filters except this label's own: unchecking a word must not hide the others. */
function useWords({ open, field }: FacetProps, isNeeded: boolean): readonly FacetWord[] {
  const { columns, view, condition, fleet, passing } = open
  const column = columns.get(field.name)
  const isFiltered = view.filters[field.name] !== undefined
  return useMemo(() => {
    if (!isNeeded || column?.type !== 'text') return []
    const { rows } = fleet.client.outline
    // Without a filter of its own these are the rows that pass: a condition is not evaluated again for each label.
    const others = isFiltered
      ? rowsShown({ rows, columns, filters: view.filters, ...(condition && { condition }) }, field.name)
      : passing
    return others ? facetOf(field.name, column, others) : []
  }, [isNeeded, isFiltered, passing, column, fleet.client, columns, view.filters, condition, field.name])
}

/** The words that are kept, and a function that changes them. */
function useKept({ open: { view, set }, field }: FacetProps) {
  const words = view.filters[field.name] ?? []
  const setWords = (next: readonly string[]) => {
    const { [field.name]: _, ...otherLabels } = view.filters
    set({ filters: next.length === 0 ? otherLabels : { ...otherLabels, [field.name]: next }, top: 0 })
  }
  return { words, setWords }
}

function WordList({ words, ...facet }: FacetProps & { readonly words: readonly FacetWord[] }) {
  const { words: chosen, setWords } = useKept(facet)
  return (
    <ul>
      {words.map(({ word, n }) => (
        <li key={word}>
          <label>
            <input
              type="checkbox"
              checked={chosen.includes(word)}
              onChange={event =>
                setWords(event.target.checked ? [...chosen, word] : chosen.filter(other => other !== word))
              }
            />
            <span className="fleet-word" title={word}>
              {word === NONE ? <em>{UNKNOWN}</em> : word}
            </span>
            <span className="fleet-n">{count(n)}</span>
          </label>
        </li>
      ))}
    </ul>
  )
}

/** A label in the rail. */
export function FacetSection(facet: FacetProps) {
  const { field } = facet
  const words = useWords(facet, true)
  const { words: chosen } = useKept(facet)
  const most = words.toSorted((a, b) => b.n - a.n).slice(0, MAX_RAIL_WORDS)
  const shown = words.filter(entry => most.includes(entry) || chosen.includes(entry.word))
  return (
    <section className="fleet-section" aria-label={field.title}>
      <h2>
        {field.title}
        {shown.length < words.length && <FacetMenu {...facet} label={`all ${count(words.length)}`} />}
      </h2>
      <WordList {...facet} words={shown} />
    </section>
  )
}

/** A button that opens all words of a label. `label`: its text in place of the name of the label. */
export function FacetMenu({ label, ...facet }: FacetProps & { readonly label?: string }) {
  const popup = usePopup<HTMLSpanElement>()
  const [typed, setTyped] = useState('')
  const { open, field } = facet
  const { words: chosen, setWords } = useKept(facet)
  const words = useWords(facet, popup.open)
  const matching = words.filter(({ word }) => word.toLowerCase().includes(typed.trim().toLowerCase()))
  return (
    <span className="fleet-facet" ref={popup.box}>
      <button
        type="button"
        className={label === undefined ? 'button fleet-facet-button' : 'link'}
        aria-haspopup="dialog"
        aria-expanded={popup.open}
        data-on={chosen.length > 0}
        onClick={() => {
          open.want([field.name])
          popup.toggle()
        }}
      >
        {label ?? field.title}
        {label === undefined && chosen.length > 0 && (
          <span className="fleet-kept">
            : {chosen.length === 1 ? chosen[0] || UNKNOWN : counted(chosen.length, 'value')}
          </span>
        )}
        <span aria-hidden="true"> ▾</span>
      </button>
      {popup.open && (
        <div className="fleet-popup" role="dialog" aria-label={`Filter by ${field.title}`}>
          {words.length > 12 && (
            <input
              type="search"
              className="fleet-search"
              placeholder="Search"
              aria-label={`Search in ${field.title}`}
              value={typed}
              onChange={event => setTyped(event.target.value)}
            />
          )}
          <WordList {...facet} words={matching.slice(0, MAX_WORDS)} />
          {matching.length > MAX_WORDS && (
            <p className="caption">{count(matching.length - MAX_WORDS)} more: type to find them.</p>
          )}
          {chosen.length > 0 && (
            <button type="button" className="link" onClick={() => setWords([])}>
              All of {field.title}
            </button>
          )}
        </div>
      )}
    </span>
  )
}
