/** The selected rows with the buttons that compare or clear them. */

import { MAX_COMPARED } from '../../../fleet/rows/view'
import { wordAt } from '../../../fleet/table/columns'
import { LETTERS } from '../../../state/runs/runs'
import type { OpenFleet } from '../useFleet'

export function Selected({ open, onCompare }: { readonly open: OpenFleet; onCompare(): void }) {
  const { view, set, columns } = open
  const { selected, multiples } = view
  const runs = columns.get('run')
  return (
    <section className="fleet-selected" aria-label="Selected rows">
      {selected.length === 0 ? (
        <p className="caption">Select up to {MAX_COMPARED} rows to compare them: the first is the baseline.</p>
      ) : (
        <ul>
          {selected.map((row, i) => (
            <li key={row}>
              <span className="badge" data-run={LETTERS[i]}>
                {LETTERS[i]}
              </span>
              <span className="fleet-chosen">{runs?.type === 'text' ? wordAt(runs, row) : ''}</span>
              <button
                type="button"
                className="button quiet square"
                aria-label={`Remove ${LETTERS[i]}`}
                onClick={() => set({ selected: selected.filter(selectedRow => selectedRow !== row) })}
              >
                <span aria-hidden="true">×</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      <div className="fleet-do">
        {selected.length > 0 && (
          <button type="button" className="link" onClick={() => set({ selected: [] })}>
            Clear
          </button>
        )}
        <button
          type="button"
          className="button"
          aria-pressed={multiples}
          onClick={() => set({ multiples: !multiples })}
        >
          Small multiples
        </button>
        <button type="button" className="button primary" disabled={selected.length === 0} onClick={onCompare}>
          {selected.length === 1 ? 'Open run' : selected.length === 0 ? 'Compare' : `Compare ${selected.length} runs`}
        </button>
      </div>
    </section>
  )
}
