/** Menu of a label: its words with their number of rows, to filter by. */
import { useId, useMemo, useState } from 'react'
import { usePopup } from '../../charts/shared/menu/usePopup'
import { type FacetWord, facetOf, NONE, rowsShown } from '../../fleet/rows/select'
import type { TextColumn } from '../../fleet/table/columns'
import { count, counted } from '../../lib/format'
import { type FleetField, UNKNOWN } from './fields'
import type { OpenFleet } from './useFleet'

/** Maximum number of words in the list; typing finds the others. */
const MAX_WORDS = 200

/** Words of the rows that pass all filters except this label's own: unchecking a word must not hide the others. */
function useWords(open: OpenFleet, field: FleetField, isNeeded: boolean): readonly FacetWord[] {
  const { columns, view, condition, fleet } = open
  const column = columns.get(field.name)
  return useMemo(() => {
    if (!isNeeded || column?.type !== 'text') return []
    const rows = rowsShown(
      { rows: fleet.client.outline.rows, columns, kept: view.kept, ...(condition && { condition }) },
      field.name,
    )
    return facetOf(field.name, column as TextColumn, rows)
  }, [isNeeded, column, fleet.client, columns, view.kept, condition, field.name])
}

export function FacetMenu({ open, field }: { readonly open: OpenFleet; readonly field: FleetField }) {
  const popup = usePopup<HTMLSpanElement>()
  const id = useId()
  const [typed, setTyped] = useState('')
  const { view, set } = open
  const keptWords = view.kept[field.name] ?? []
  const words = useWords(open, field, popup.open)
  const matching = words.filter(({ word }) => word.toLowerCase().includes(typed.trim().toLowerCase()))
  const setWords = (next: readonly string[]) => {
    const { [field.name]: _, ...otherLabels } = view.kept
    set({ kept: next.length === 0 ? otherLabels : { ...otherLabels, [field.name]: next }, top: 0 })
  }
  return (
    <span className="fleet-facet" ref={popup.box}>
      <button
        type="button"
        className="button fleet-facet-button"
        aria-haspopup="dialog"
        aria-expanded={popup.open}
        data-on={keptWords.length > 0}
        onClick={() => {
          open.want([field.name])
          popup.toggle()
        }}
      >
        {field.title}
        {keptWords.length > 0 && (
          <span className="fleet-kept">
            : {keptWords.length === 1 ? keptWords[0] || UNKNOWN : counted(keptWords.length, 'value')}
          </span>
        )}
        <span aria-hidden="true"> ▾</span>
      </button>
      {popup.open && (
        <div className="fleet-popup" role="dialog" aria-label={`Filter by ${field.title}`} id={id}>
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
          <ul>
            {matching.slice(0, MAX_WORDS).map(({ word, n }) => (
              <li key={word}>
                <label>
                  <input
                    type="checkbox"
                    checked={keptWords.includes(word)}
                    onChange={event =>
                      setWords(event.target.checked ? [...keptWords, word] : keptWords.filter(other => other !== word))
                    }
                  />
                  <span className="fleet-word">{word === NONE ? <em>{UNKNOWN}</em> : word}</span>
                  <span className="fleet-n">{count(n)}</span>
                </label>
              </li>
            ))}
          </ul>
          {matching.length > MAX_WORDS && (
            <p className="caption">{count(matching.length - MAX_WORDS)} more: type to find them.</p>
          )}
          {keptWords.length > 0 && (
            <button type="button" className="link" onClick={() => setWords([])}>
              All of {field.title}
            </button>
          )}
        </div>
      )}
    </span>
  )
}
