/** The rows of a fleet as a grid. Only the rows in sight are rendered. */
import {
  type KeyboardEvent,
  memo,
  type ReactNode,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { Column } from '../../fleet/columns'
import { wordAt } from '../../fleet/columns'
import { farness, type Outliers } from '../../fleet/outliers'
import { codesIn } from '../../fleet/schema'
import { LISTED } from '../../fleet/select'
import { MAX_COMPARED } from '../../fleet/view'
import { count, factor } from '../../lib/format'
import { LETTERS } from '../../state/runs'
import { type FleetField, inUnit, type Written, writtenAs } from './fields'
import { outliersIn } from './outlying'
import type { OpenFleet } from './useFleet'

const ROW = 28
/** Large enough for touch. */
const TALL_ROW = 44
const TALL_BELOW = 720
const HEAD = 58
/** Rows beyond the edges: a fast scroll shows no gap. */
const MORE = 8
const FIGURE_WIDTH = 98
const CHECK_WIDTH = 40
/** Of a character of a label, px. */
const CHAR = 7.2

interface TableField {
  readonly field: FleetField
  readonly column: Column | undefined
  readonly written: Written
  readonly width: number
  readonly outliers?: Outliers
}

function widthOf(field: FleetField, column: Column | undefined, narrow: boolean): number {
  if (column?.type !== 'text') return Math.max(FIGURE_WIDTH, Math.min(field.title.length, 15) * CHAR + 20)
  const longest = column.words
    .slice(0, 2000)
    .reduce((most, word) => Math.max(most, word.length), field.title.length + 2)
  const most = field.name === 'run' ? (narrow ? 17 : 34) : field.name === LISTED ? 34 : 24
  return Math.min(most, Math.max(7, longest)) * CHAR + 20
}

function useTableFields(open: OpenFleet, groups: Uint32Array | undefined, narrow: boolean): readonly TableField[] {
  const { shownColumns, fields, columns } = open
  const own = shownColumns.map(name => columns.get(name))
  // biome-ignore lint/correctness/useExhaustiveDependencies: of the columns only the shown ones count
  return useMemo(
    () =>
      shownColumns.flatMap((name, i) => {
        const field = fields.find(name)
        if (!field) return []
        const column = own[i]
        const outliers = field.kind === 'figure' ? outliersIn(column, groups) : undefined
        return [
          {
            field,
            column,
            written: writtenAs(field, column),
            width: widthOf(field, column, narrow),
            ...(outliers && { outliers }),
          },
        ]
      }),
    [shownColumns, fields, groups, narrow, ...own],
  )
}

export function FleetTable({ open, onCompare }: { readonly open: OpenFleet; onCompare(): void }) {
  const { view, set, order } = open
  const box = useRef<HTMLDivElement>(null)
  const [seen, setSeen] = useState({ height: 600, narrow: false })
  const { groups } = open
  const fields = useTableFields(open, groups, seen.narrow)
  const row = seen.narrow ? TALL_ROW : ROW
  const total = order?.length ?? 0
  const [top, setTop] = useState(view.top)
  const [active, setActive] = useState(0)
  const anchor = useRef(0)

  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const measure = () => setSeen({ height: element.clientHeight, narrow: element.clientWidth < TALL_BELOW })
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    measure()
    return () => observer.disconnect()
  }, [])
  // Where it was before a comparison was opened.
  const start = useRef(view.top)
  useLayoutEffect(() => {
    if (box.current && total > 0 && start.current > 0) {
      box.current.scrollTop = start.current * row
      start.current = 0
    }
  }, [total, row])
  const keep = useRef({ top, set })
  keep.current = { top, set }
  useEffect(() => () => keep.current.set({ top: keep.current.top }), [])
  const onScroll = () => {
    const next = Math.floor((box.current?.scrollTop ?? 0) / row)
    if (next !== top) setTop(next)
  }
  const reveal = (at: number) => {
    const element = box.current
    if (!element) return
    const [y, inner] = [at * row, element.clientHeight - HEAD]
    if (y < element.scrollTop) element.scrollTop = y
    else if (y + row > element.scrollTop + inner) element.scrollTop = y + row - inner
  }

  const selected = view.selected
  const toggle = (at: number, extend: boolean) => {
    const own = order?.[at]
    if (own === undefined) return
    if (extend && order) {
      const [from, to] = [Math.min(anchor.current, at), Math.max(anchor.current, at)]
      const more = Array.from(order.subarray(from, to + 1)).filter(one => !selected.includes(one))
      set({ selected: [...selected, ...more].slice(0, MAX_COMPARED) })
      return
    }
    anchor.current = at
    if (selected.includes(own)) set({ selected: selected.filter(one => one !== own) })
    else if (selected.length < MAX_COMPARED) set({ selected: [...selected, own] })
  }
  const latest = useRef(toggle)
  latest.current = toggle
  // Rows are not rendered again for a new function.
  const press = useCallback((at: number, extend: boolean) => {
    setActive(at)
    // A text in a row was selected to be copied.
    if (extend || String(document.getSelection()) === '') latest.current(at, extend)
  }, [])
  const choose = (at: number) => {
    const next = Math.max(0, Math.min(total - 1, at))
    setActive(next)
    reveal(next)
    return next
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const page = Math.max(1, Math.floor((seen.height - HEAD) / row) - 1)
    const steps: Readonly<Record<string, number>> = {
      ArrowUp: active - 1,
      ArrowDown: active + 1,
      PageUp: active - page,
      PageDown: active + page,
      Home: 0,
      End: total - 1,
    }
    const next = steps[event.key]
    if (next === undefined && event.key !== ' ' && event.key !== 'Enter') return
    event.preventDefault()
    event.stopPropagation()
    if (next !== undefined) {
      const at = choose(next)
      if (event.shiftKey) toggle(at, true)
    } else if (event.key === ' ') toggle(active, event.shiftKey)
    else if (selected.length > 0) onCompare()
    else toggle(active, false)
  }

  const first = Math.max(0, top - MORE)
  const last = Math.min(total, top + Math.ceil(seen.height / row) + MORE)
  const width = CHECK_WIDTH + fields.reduce((sum, field) => sum + field.width, 0)
  const template = `${CHECK_WIDTH}px ${fields.map(field => `${field.width}px`).join(' ')}`
  const inSight = active >= first && active < last
  return (
    <div
      ref={box}
      className="fleet-grid"
      role="grid"
      tabIndex={0}
      aria-label="Rows of the fleet"
      aria-rowcount={total + 1}
      aria-colcount={fields.length + 1}
      aria-multiselectable="true"
      aria-activedescendant={inSight ? `fleet-row-${active}` : undefined}
      onScroll={onScroll}
      onKeyDown={onKeyDown}
    >
      <div className="fleet-head" role="row" aria-rowindex={1} style={{ gridTemplateColumns: template, width }}>
        <span role="columnheader" className="fleet-check">
          <span className="visually-hidden">Selected</span>
        </span>
        {fields.map(field => (
          <HeadCell key={field.field.name} own={field} open={open} />
        ))}
      </div>
      {order && total === 0 && <p className="fleet-empty">No row passes the filters.</p>}
      <div className="fleet-rows" role="presentation" style={{ height: total * row, width }}>
        {Array.from({ length: Math.max(0, last - first) }, (_, i) => {
          const at = first + i
          const number = order?.[at] ?? 0
          return (
            <TableRow
              key={number}
              at={at}
              row={number}
              top={at * row}
              fields={fields}
              groups={groups}
              template={template}
              letter={selected.includes(number) ? LETTERS[selected.indexOf(number)] : undefined}
              active={at === active}
              press={press}
            />
          )
        })}
      </div>
    </div>
  )
}

function HeadCell({
  own: { field, written },
  open: { view, set },
}: {
  readonly own: TableField
  readonly open: OpenFleet
}) {
  const sort = view.sort?.column === field.name ? view.sort : undefined
  // Figures begin with the largest, labels with the first; a third press sorts no more.
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

interface RowProps {
  readonly at: number
  readonly row: number
  readonly top: number
  readonly fields: readonly TableField[]
  readonly groups: Uint32Array | undefined
  readonly template: string
  readonly letter: string | undefined
  readonly active: boolean
  press(at: number, extend: boolean): void
}

const sameRow = (a: RowProps, b: RowProps) =>
  a.at === b.at &&
  a.row === b.row &&
  a.top === b.top &&
  a.fields === b.fields &&
  a.groups === b.groups &&
  a.template === b.template &&
  a.letter === b.letter &&
  a.active === b.active

const TableRow = memo(function TableRow({ at, row, top, fields, groups, template, letter, active, press }: RowProps) {
  return (
    <div
      id={`fleet-row-${at}`}
      className="fleet-row"
      role="row"
      aria-rowindex={at + 2}
      aria-selected={letter !== undefined}
      data-active={active}
      data-row={row}
      style={{ transform: `translateY(${top}px)`, gridTemplateColumns: template }}
      onClick={event => press(at, event.shiftKey)}
    >
      <span role="gridcell" className="fleet-check">
        <span
          className={letter === undefined ? 'fleet-box' : 'badge'}
          data-run={letter}
          title={letter === undefined ? 'Select for a comparison (Space)' : `Run ${letter} of the comparison`}
        >
          {letter}
        </span>
      </span>
      {fields.map(own => (
        <Cell key={own.field.name} own={own} row={row} group={groups?.[row]} />
      ))}
    </div>
  )
}, sameRow)

function Cell({
  own,
  row,
  group,
}: {
  readonly own: TableField
  readonly row: number
  readonly group: number | undefined
}) {
  const { field, column, written, outliers } = own
  if (column === undefined) return <span role="gridcell" className="fleet-td" />
  if (column.type === 'text') {
    const word = wordAt(column, row)
    return (
      <span role="gridcell" className={field.name === 'run' ? 'fleet-td run' : 'fleet-td'} title={word}>
        {word === undefined ? <Absent /> : field.name === LISTED ? codesIn(word).join(', ') : word}
      </span>
    )
  }
  const value = column.values[row] ?? Number.NaN
  const mark = outliers?.marks[row] ?? 0
  const usual = group === undefined ? undefined : outliers?.usual.get(group)
  const told = mark !== 0 && usual ? outlierWords(value, usual, written) : undefined
  return (
    <span
      role="gridcell"
      className="fleet-td figure"
      data-outlier={mark === 0 ? undefined : mark > 0 ? 'above' : 'below'}
      title={told ?? (Number.isNaN(value) ? undefined : String(value))}
    >
      {told && (
        <span className="fleet-mark" role="img" aria-label={told}>
          {mark > 0 ? '▲' : '▼'}
        </span>
      )}
      {Number.isNaN(value) ? <Absent /> : written.text(value)}
    </span>
  )
}

const Absent = (): ReactNode => <span className="fleet-absent">–</span>

/** `×4.2 of the usual 1.3 ms: the median of 24 rows with the same labels; 12 robust standard deviations away`. */
function outlierWords(
  value: number,
  usual: NonNullable<ReturnType<Outliers['usual']['get']>>,
  written: Written,
): string {
  const far = Math.abs(farness(value, usual))
  const away = Number.isFinite(far) ? `${count(far)} robust standard deviations away` : 'all others are equal'
  const against = usual.median > 0 && value > 0 ? `${factor(value / usual.median)} against the usual` : 'The usual is'
  return `${against} ${inUnit(written, usual.median)}: median of ${count(usual.n)} rows with the same labels; ${away}`
}
