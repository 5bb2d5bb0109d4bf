/** The condition, the menus of labels, and how many rows are left. */

import { type RefObject, useId, useState } from 'react'
import { count, counted } from '../../lib/format'
import { capitalized } from '../../lib/text/capitalized'
import { FacetMenu } from './Facet'
import { differs } from './fields'
import { ColumnMenu } from './table/ColumnMenu'
import type { OpenFleet } from './useFleet'

/** Labels whose menus are shown by default, if they have more than one value. */
const MAIN = ['build', 'kernel', 'device', 'model', 'scheduler', 'workload', 'findings']

export function Filters({
  open,
  input,
}: {
  readonly open: OpenFleet
  readonly input: RefObject<HTMLInputElement | null>
}) {
  const { view, set, wrong, fields, columns, rows, fleet } = open
  const id = useId()
  const [withAll, setAll] = useState(false)
  const { rows: total } = fleet.client.outline
  const menus = fields.labels.filter(({ name }) => differs(columns.get(name)) || view.kept[name])
  const main = menus.filter(({ name }) => MAIN.includes(name) || view.kept[name])
  const visibleLabels = withAll || menus.length - main.length < 2 ? menus : main
  const filtered = view.where.trim() !== '' || Object.keys(view.kept).length > 0 || view.odd
  return (
    <section className="fleet-filters" aria-label="Filters">
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
        <p className="fleet-count" role="status">
          {rows === undefined
            ? 'Reading columns…'
            : rows.length === total
              ? counted(total, 'row')
              : `${count(rows.length)} of ${counted(total, 'row')}`}
        </p>
      </div>
      <p id={`${id}-wrong`} className="fleet-wrong" role="alert">
        {wrong && `${capitalized(wrong.message)} (character ${wrong.position + 1}). All rows are shown.`}
      </p>
      <div className="fleet-menus">
        {visibleLabels.map(field => (
          <FacetMenu key={field.name} open={open} field={field} />
        ))}
        {visibleLabels.length < menus.length && (
          <button type="button" className="link" onClick={() => setAll(true)}>
            More labels
          </button>
        )}
        <button
          type="button"
          className="button fleet-facet-button"
          aria-pressed={view.odd === true}
          data-on={view.odd === true}
          title="Only rows with a figure that is far from those of the rows with the same labels"
          onClick={() => set({ odd: view.odd ? undefined : true, top: 0 })}
        >
          Only outliers
        </button>
        <ColumnMenu open={open} />
        {filtered && (
          <button type="button" className="link" onClick={() => set({ where: '', kept: {}, odd: undefined, top: 0 })}>
            Clear filters
          </button>
        )}
      </div>
    </section>
  )
}
