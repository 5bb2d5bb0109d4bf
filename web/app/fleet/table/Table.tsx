/** The rows of a fleet as a grid. Only the rows in sight are rendered. */
import { type KeyboardEvent, useCallback, useRef, useState } from 'react'
import { lineAfterKey } from '../../shared/lineAfterKey'
import type { OpenFleet } from '../useFleet'
import { TableRow } from './TableRow'
import { useSelection } from './useSelection'
import { type TableField, useTableFields } from './useTableFields'
import { useTableScroll } from './useTableScroll'

/** Width of the column with the letters of selected rows, px. */
const CHECK_WIDTH = 40

export function FleetTable({ open, onCompare }: { readonly open: OpenFleet; onCompare(): void }) {
  const { view, order, groups } = open
  const total = order?.length ?? 0
  const scroll = useTableScroll(open, total)
  const fields = useTableFields(open, groups, scroll.narrow)
  const selection = useSelection(open)
  const [active, setActive] = useState(0)
  const latest = useRef(selection.toggle)
  latest.current = selection.toggle
  // A stable function, so that memoized rows do not render again.
  const press = useCallback((line: number, extend: boolean) => {
    setActive(line)
    // A click that ends a text selection must not select the row.
    if (extend || String(document.getSelection()) === '') latest.current(line, extend)
  }, [])
  const moveTo = (line: number) => {
    const next = Math.max(0, Math.min(total - 1, line))
    setActive(next)
    scroll.reveal(next)
    return next
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const next = lineAfterKey(event.key, active, scroll.page, total)
    if (next === undefined && event.key !== ' ' && event.key !== 'Enter') return
    event.preventDefault()
    event.stopPropagation()
    if (next !== undefined) {
      const line = moveTo(next)
      if (event.shiftKey) selection.toggle(line, true)
    } else if (event.key === ' ') selection.toggle(active, event.shiftKey)
    else if (view.selected.length > 0) onCompare()
    else selection.toggle(active, false)
  }

  const { first, last, rowHeight } = scroll
  const width = CHECK_WIDTH + fields.reduce((sum, field) => sum + field.width, 0)
  const template = `${CHECK_WIDTH}px ${fields.map(field => `${field.width}px`).join(' ')}`
  const inSight = active >= first && active < last
  return (
    <div
      ref={scroll.box}
      className="fleet-grid"
      role="grid"
      tabIndex={0}
      aria-label="Rows of the fleet"
      aria-rowcount={total + 1}
      aria-colcount={fields.length + 1}
      aria-multiselectable="true"
      aria-activedescendant={inSight ? `fleet-row-${active}` : undefined}
      onScroll={scroll.onScroll}
      onKeyDown={onKeyDown}
    >
      <div className="fleet-head" role="row" aria-rowindex={1} style={{ gridTemplateColumns: template, width }}>
        <span role="columnheader" className="fleet-check">
          <span className="visually-hidden">Selected</span>
        </span>
        {fields.map(field => (
          <HeadCell key={field.field.name} shown={field} open={open} />
        ))}
      </div>
      {order && total === 0 && <p className="fleet-empty">No row passes the filters.</p>}
      <div className="fleet-rows" role="presentation" style={{ height: total * rowHeight, width }}>
        {Array.from({ length: Math.max(0, last - first) }, (_, i) => {
          const line = first + i
          const row = order?.[line] ?? 0
          return (
            <TableRow
              key={row}
              line={line}
              row={row}
              top={line * rowHeight}
              fields={fields}
              groups={groups}
              template={template}
              letter={selection.letterOf(row)}
              active={line === active}
              press={press}
            />
          )
        })}
      </div>
    </div>
  )
}

function HeadCell({
  shown: { field, written },
  open: { view, set },
}: {
  readonly shown: TableField
  readonly open: OpenFleet
}) {
  const sort = view.sort?.column === field.name ? view.sort : undefined
  // Presses cycle: figures descending, then ascending, then unsorted; labels ascending first.
  const begins = field.kind !== 'label'
  const next = !sort
    ? { column: field.name, descending: begins }
    : sort.descending === begins
      ? { column: field.name, descending: !begins }
      : undefined
  return (
    <span
      role="columnheader"
      className={field.kind === 'label' ? 'fleet-th' : 'fleet-th figure'}
      aria-sort={sort ? (sort.descending ? 'descending' : 'ascending') : 'none'}
    >
      <button type="button" title={`Sort by ${field.title} (column ${field.name})`} onClick={() => set({ sort: next })}>
        <span className="fleet-title">{field.title}</span>
        <span className="fleet-unit">
          {written.unit}
          <span aria-hidden="true" className="fleet-arrow">
            {sort ? (sort.descending ? ' ↓' : ' ↑') : ''}
          </span>
        </span>
      </button>
    </span>
  )
}
