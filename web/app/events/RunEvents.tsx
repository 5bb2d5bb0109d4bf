/**
 * The event list of one run. Only the visible lines are rendered; selected lines can be copied or shown in the charts.
 */
import { type KeyboardEvent, useEffect } from 'react'
import { count, counted } from '../../lib/format'
import type { Run } from '../../state/types'
import { useActions, usePage } from '../context'
import { lineAfterKey } from '../shared/lineAfterKey'
import { EVENT_COLUMNS, EventGridRow } from './EventGridRow'
import { type EventLine, eventFilterOf } from './filterLine'
import { type EventCursor, useEventCursor } from './useEventCursor'
import { type EventText, type LineSpan, useEventText } from './useEventText'
import { type Lines, useLines } from './useLines'
import { type Scroll, useScroll } from './useScroll'

const MAX_COPIED_ROWS = 100_000
/** Lines beyond the edges that are requested: a short scroll shows no gap. */
const MARGIN = 20

export function RunEvents({ run, line }: { readonly run: Run; readonly line: EventLine }) {
  const view = usePage(p => p.view)
  const filter = eventFilterOf(run, view, line)
  const lines = useLines(run, filter)
  const scroll = useScroll(lines.total)
  useEffect(() => lines.want(scroll.first - MARGIN, scroll.first + scroll.shown + MARGIN))
  const cursor = useEventCursor(run, lines, JSON.stringify(filter), scroll.show)
  const text = useEventText(run, filter)
  const { total, progress } = lines
  const span = copiedSpan(cursor, scroll, total)
  return (
    <section className="events-run" aria-label={`Events of ${run.letter}`}>
      <EventsHead run={run} lines={lines} cursor={cursor} text={text} span={span} />
      {total === 0 && progress >= 1 && lines.error === undefined && (
        <p className="events-none">No event matches the filters.</p>
      )}
      <EventGrid run={run} lines={lines} scroll={scroll} cursor={cursor} onCopy={() => text.copy(span)} />
    </section>
  )
}

/** The selected lines; the visible ones when only the active line is selected. */
function copiedSpan({ active, anchor }: EventCursor, { first, shown }: Scroll, total: number): LineSpan {
  const [from, to] =
    anchor === active
      ? [Math.floor(first), Math.ceil(first + shown)]
      : [Math.min(anchor, active), Math.max(anchor, active) + 1]
  return [from, from + Math.min(MAX_COPIED_ROWS, Math.min(to, total) - from)]
}

interface EventsHeadProps {
  readonly run: Run
  readonly lines: Lines
  readonly cursor: EventCursor
  readonly text: EventText
  readonly span: LineSpan
}

function EventsHead({ run, lines, cursor, text, span }: EventsHeadProps) {
  const actions = useActions()
  const { total } = lines
  return (
    <header>
      <span className="badge" data-run={run.letter}>
        {run.letter}
      </span>
      <span className="events-count">{countWords(run, lines)}</span>
      <span className="caption events-said" aria-live="polite">
        {text.message}
      </span>
      <button
        type="button"
        className="link"
        disabled={total === 0}
        title="Show the selected line in the charts (Enter)"
        onClick={cursor.showInCharts}
      >
        Show in charts
      </button>
      <button
        type="button"
        className="link"
        disabled={total === 0}
        title="Copy the selected lines, or all visible ones (Ctrl C)"
        onClick={() => text.copy(span)}
      >
        {cursor.anchor === cursor.active ? 'Copy visible lines' : `Copy ${counted(span[1] - span[0], 'line')}`}
      </button>
      <button type="button" className="link" disabled={total === 0} onClick={() => text.save(total)}>
        Save all as text
      </button>
      <button
        type="button"
        className="link"
        disabled={run.status.kind !== 'ready'}
        title="Summary of blkparse, tables of btt"
        onClick={() => actions.show({ kind: 'native-tables', run: run.id })}
      >
        Native tables
      </button>
    </header>
  )
}

function countWords(run: Run, { total, progress, error }: Lines): string {
  if (run.status.kind === 'failed') return 'Cannot read this run.'
  if (run.status.kind === 'reading') return 'Available when the trace has been read.'
  return (
    error ?? (progress < 1 ? `${count(total)} so far, ${Math.floor(progress * 100)}% searched` : counted(total, 'line'))
  )
}

interface EventGridProps {
  readonly run: Run
  readonly lines: Lines
  readonly scroll: Scroll
  readonly cursor: EventCursor
  onCopy(): void
}

function EventGrid({ run, lines, scroll, cursor, onCopy }: EventGridProps) {
  const { total } = lines
  const { first, shown } = scroll
  const { active, anchor, choose, showInCharts } = cursor
  const onKeyDown = (event: KeyboardEvent) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'c' && String(document.getSelection()) === '') {
      event.preventDefault()
      onCopy()
      return
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const next = lineAfterKey(event.key, active, Math.max(1, Math.floor(shown) - 1), total)
    if (next === undefined && event.key !== 'Enter') return
    event.preventDefault()
    event.stopPropagation()
    if (next === undefined) void showInCharts()
    else choose(next, event.shiftKey)
  }
  const top = Math.floor(first)
  const visible = Array.from(
    { length: Math.max(0, Math.min(total, Math.ceil(first + shown) + 1) - top) },
    (_, i) => top + i,
  )
  const id = `events-${run.letter}`
  return (
    <div
      ref={scroll.box}
      className="events-grid"
      role="grid"
      tabIndex={0}
      aria-label={`Events of ${run.letter} as blkparse prints them`}
      aria-rowcount={total + 1}
      aria-colcount={EVENT_COLUMNS.length}
      aria-multiselectable="true"
      aria-activedescendant={visible.includes(active) ? `${id}-${active}` : undefined}
      onKeyDown={onKeyDown}
    >
      <div className="events-row events-head" role="row" aria-rowindex={1}>
        {EVENT_COLUMNS.map(([name, title]) => (
          <span key={name} role="columnheader" className={`ev-${name}`}>
            {title}
          </span>
        ))}
      </div>
      <div className="events-space" role="presentation" style={{ height: scroll.height }}>
        <div className="events-seen" role="presentation">
          {visible.map(line => (
            <EventGridRow
              key={line}
              id={`${id}-${line}`}
              line={line}
              row={lines.line(line)}
              top={(line - first) * scroll.row}
              active={line === active}
              selected={line >= Math.min(anchor, active) && line <= Math.max(anchor, active)}
              onChoose={choose}
              onShow={showInCharts}
            />
          ))}
        </div>
      </div>
    </div>
  )
}
