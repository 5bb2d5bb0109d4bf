/** Menu that chooses the columns of the table. */
import { useState } from 'react'
import { usePopup } from '../../../charts/shared/menu/usePopup'
import type { FleetField } from '../fields'
import type { OpenFleet } from '../useFleet'

const GROUPS = [
  ['label', 'Labels'],
  ['figure', 'Figures'],
  ['fact', 'About the trace'],
] as const satisfies readonly (readonly [FleetField['kind'], string])[]

export function ColumnMenu({ open }: { readonly open: OpenFleet }) {
  const popup = usePopup<HTMLSpanElement>()
  const [typed, setTyped] = useState('')
  const { fields, shownColumns, set, view } = open
  const filter = typed.trim().toLowerCase()
  const change = (name: string, isShown: boolean) =>
    set({ columns: isShown ? [...shownColumns, name] : shownColumns.filter(shownName => shownName !== name) })
  return (
    <span className="fleet-facet" ref={popup.box}>
      <button
        type="button"
        className="button fleet-facet-button"
        aria-haspopup="dialog"
        aria-expanded={popup.open}
        onClick={popup.toggle}
      >
        Columns<span aria-hidden="true"> ▾</span>
      </button>
      {popup.open && (
        <div className="fleet-popup fleet-many" role="dialog" aria-label="Columns of the table">
          <input
            type="search"
            className="fleet-search"
            placeholder="Search"
            aria-label="Search in the columns"
            value={typed}
            onChange={event => setTyped(event.target.value)}
          />
          {GROUPS.map(([kind, title]) => {
            const matching = fields.allFields.filter(
              field =>
                field.kind === kind &&
                field.name !== 'run' &&
                `${field.title} ${field.name}`.toLowerCase().includes(filter),
            )
            return matching.length === 0 ? undefined : (
              <fieldset key={kind}>
                <legend>{title}</legend>
                <ul>
                  {matching.map(({ name, title }) => (
                    <li key={name}>
                      <label>
                        <input
                          type="checkbox"
                          checked={shownColumns.includes(name)}
                          onChange={event => change(name, event.target.checked)}
                        />
                        <span className="fleet-word">{title}</span>
                        <code className="fleet-n">{name}</code>
                      </label>
                    </li>
                  ))}
                </ul>
              </fieldset>
            )
          })}
          {view.columns && (
            <button type="button" className="link" onClick={() => set({ columns: undefined })}>
              The usual columns
            </button>
          )}
        </div>
      )}
    </span>
  )
}
