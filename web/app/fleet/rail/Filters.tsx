/** The rail of the fleet: how many rows are shown, their labels to filter by, and the columns of the table. */
import { useState, useSyncExternalStore } from 'react'
import { count, counted } from '../../../lib/format'
import { useActions } from '../../context'
import { ColumnMenu } from '../table/ColumnMenu'
import type { OpenFleet } from '../useFleet'
import { FacetMenu, FacetSection } from './Facet'
import { facetFields, mainFacets } from './facetFields'
import '../../shared/page-bar.css'

const phone = matchMedia('(max-width: 720px)')

function followPhone(changed: () => void): () => void {
  phone.addEventListener('change', changed)
  return () => phone.removeEventListener('change', changed)
}

export function Filters({ open }: { readonly open: OpenFleet }) {
  const actions = useActions()
  const isPhone = useSyncExternalStore(followPhone, () => phone.matches)
  const [hasAll, setHasAll] = useState(false)
  const { view, set, rows, fleet } = open
  const { rows: total, files } = fleet.client.outline
  const all = facetFields(open)
  const shown = hasAll ? all : mainFacets(open)
  const filtered = view.where.trim() !== '' || Object.keys(view.filters).length > 0 || view.odd
  return (
    <section className="page-rail fleet-rail" aria-label="Filters">
      <header>
        <p className="fleet-count" role="status">
          {rows === undefined
            ? 'Reading columns…'
            : rows.length === total
              ? counted(total, 'row')
              : `${count(rows.length)} of ${counted(total, 'row')}`}
        </p>
        <button type="button" className="link" onClick={() => actions.pickFiles('files')}>
          Open files
        </button>
        <span className="caption">from {files.length === 1 ? '1 table' : counted(files.length, 'table')}</span>
      </header>
      <div className="fleet-facets">
        {filtered && (
          <button
            type="button"
            className="link"
            onClick={() => set({ where: '', filters: {}, odd: undefined, top: 0 })}
          >
            Clear filters
          </button>
        )}
        {shown.map(field =>
          isPhone ? (
            <FacetMenu key={field.name} open={open} field={field} />
          ) : (
            <FacetSection key={field.name} open={open} field={field} />
          ),
        )}
        {shown.length < all.length && (
          <button type="button" className="link" onClick={() => setHasAll(true)}>
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
      </div>
    </section>
  )
}
