/**
 * The event list of one run. Only the visible lines are rendered; selected lines can be copied or shown in the charts.
 */
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { copyText, saveFile } from '../../charts/shared/files'
import type { EventRow } from '../../engine/protocol'
import { count, counted } from '../../lib/format'
import { ns } from '../../lib/units'
import { ZONE_NAMES } from '../../lib/zones'
import type { Run } from '../../state/types'
import { useActions, usePage } from '../context'
import { type EventLine, eventFilterOf } from './filterLine'
import { textOf } from './text'
import { type Lines, useLines } from './useLines'
import { useScroll } from './useScroll'

/** Most lines copied at once. */
const MAX_COPIED_ROWS = 100_000

export function RunEvents({ run, line }: { readonly run: Run; readonly line: EventLine }) {
  const actions = useActions()
  const view = usePage(p => p.view)
  const filter = eventFilterOf(run, view, line)
  const lines = useLines(run, filter)
  const scroll = useScroll(lines.total)
  const { first, shown, height, row: rowHeight } = scroll
  const [active, setActive] = useState(0)
  const [anchor, setAnchor] = useState(0)
  const [said, say] = useState('')
  const saving = useRef<{ stopped: boolean }>(undefined)
  const mine = useRef<number>(undefined)
  const { total, done, find } = lines
  const key = JSON.stringify(filter)

  useEffect(() => lines.want(first - 20, first + shown + 20))

  // The list follows the cursor set by charts, timeline and address bar, but not the one it set itself.
  const { cursor } = view
  // Times of lines are relative to the trace, not to the common axis.
  const shift = run.shift ?? 0
  const start = ns(Math.max(0, (cursor ?? view.range.t0) - shift))
  const { show } = scroll
  // biome-ignore lint/correctness/useExhaustiveDependencies: with another filter the same time is on another line
  useEffect(() => {
    if (done < 1 || mine.current === start) return
    let gone = false
    find(start).then(
      at => {
        if (gone) return
        setActive(at)
        setAnchor(at)
        show(at, 'third')
      },
      () => undefined,
    )
    return () => {
      gone = true
    }
  }, [start, key, done, find, show])

  const choose = (at: number, extend: boolean) => {
    const next = Math.max(0, Math.min(total - 1, at))
    setActive(next)
    if (!extend) setAnchor(next)
    show(next)
    const row = lines.line(next)
    if (row !== undefined && !extend) {
      mine.current = row.at
      actions.cursor(ns(row.at + shift))
    }
  }
  const toCharts = async () => {
    const row = lines.line(active)
    if (row === undefined) return
    const { row: request } = await run.client.query('eventRequest', { entry: row.entry })
    actions.cursor(ns(row.at + shift))
    actions.setLayout('columns')
    if (request >= 0) actions.select(run.id, request)
  }
  const [from, to] =
    anchor === active
      ? [Math.floor(first), Math.ceil(first + shown)]
      : [Math.min(anchor, active), Math.max(anchor, active) + 1]
  const copied = Math.min(MAX_COPIED_ROWS, Math.min(to, total) - from)
  const copy = async () => {
    const pieces: string[] = []
    for await (const piece of textOf(run.client, filter, from, from + copied)) pieces.push(piece)
    say(
      (await copyText(pieces.join('')))
        ? `${counted(copied, 'line')} copied`
        : 'Clipboard blocked. Select and copy manually.',
    )
  }
  const save = async () => {
    if (saving.current) {
      saving.current.stopped = true
      return
    }
    const job = { stopped: false }
    saving.current = job
    const pieces: Blob[] = []
    let bytes = 0
    for await (const piece of textOf(run.client, filter, 0, total)) {
      if (job.stopped) break
      pieces.push(new Blob([piece]))
      bytes += piece.length
      say(`${(bytes / 1e6).toFixed(1)} MB saved; press again to stop`)
    }
    saving.current = undefined
    if (!job.stopped) saveFile(`${run.info?.name ?? run.letter}-events.txt`, new Blob(pieces, { type: 'text/plain' }))
    say(job.stopped ? 'Stopped' : `${counted(total, 'line')} saved`)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'c' && String(document.getSelection()) === '') {
      event.preventDefault()
      void copy()
      return
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const page = Math.max(1, Math.floor(shown) - 1)
    const steps: Readonly<Record<string, number>> = {
      ArrowUp: active - 1,
      ArrowDown: active + 1,
      PageUp: active - page,
      PageDown: active + page,
      Home: 0,
      End: total - 1,
    }
    const next = steps[event.key]
    if (next === undefined && event.key !== 'Enter') return
    event.preventDefault()
    event.stopPropagation()
    if (next === undefined) void toCharts()
    else choose(next, event.shiftKey)
  }

  const words = wordsOf(run, lines)
  const top = Math.floor(first)
  const numbers = Array.from(
    { length: Math.max(0, Math.min(total, Math.ceil(first + shown) + 1) - top) },
    (_, i) => top + i,
  )
  const id = `events-${run.letter}`
  return (
    <section className="events-run" aria-label={`Events of ${run.letter}`}>
      <header>
        <span className="badge" data-run={run.letter}>
          {run.letter}
        </span>
        <span className="events-count">{words}</span>
        <span className="caption events-said" aria-live="polite">
          {said}
        </span>
        <button
          type="button"
          className="link"
          disabled={total === 0}
          title="Show the selected line in the charts (Enter)"
          onClick={toCharts}
        >
          Show in charts
        </button>
        <button
          type="button"
          className="link"
          disabled={total === 0}
          title="Copy the selected lines, or all visible ones (Ctrl C)"
          onClick={copy}
        >
          {anchor === active ? 'Copy visible lines' : `Copy ${counted(copied, 'line')}`}
        </button>
        <button type="button" className="link" disabled={total === 0} onClick={save}>
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
      {total === 0 && done >= 1 && lines.error === undefined && (
        <p className="events-none">No event matches the filters.</p>
      )}
      <div
        ref={scroll.box}
        className="events-grid"
        role="grid"
        tabIndex={0}
        aria-label={`Events of ${run.letter} as blkparse prints them`}
        aria-rowcount={total + 1}
        aria-colcount={COLUMNS.length}
        aria-multiselectable="true"
        aria-activedescendant={numbers.includes(active) ? `${id}-${active}` : undefined}
        onKeyDown={onKeyDown}
      >
        <div className="events-row events-head" role="row" aria-rowindex={1}>
          {COLUMNS.map(([name, title]) => (
            <span key={name} role="columnheader" className={`ev-${name}`}>
              {title}
            </span>
          ))}
        </div>
        <div className="events-space" role="presentation" style={{ height }}>
          <div className="events-seen" role="presentation">
            {numbers.map(at => (
              <Row
                key={at}
                id={`${id}-${at}`}
                at={at}
                row={lines.line(at)}
                top={(at - first) * rowHeight}
                active={at === active}
                selected={at === active || (at >= Math.min(anchor, active) && at <= Math.max(anchor, active))}
                onChoose={choose}
                onShow={toCharts}
              />
            ))}
          </div>
        </div>
      </div>
    </section>
  )
}

function wordsOf(run: Run, { total, done, error }: Lines): string {
  if (run.status.kind === 'failed') return 'Cannot read this run.'
  if (run.status.kind === 'reading') return 'Available when the trace has been read.'
  return error ?? (done < 1 ? `${count(total)} so far, ${Math.floor(done * 100)}% searched` : counted(total, 'line'))
}

const COLUMNS = [
  ['dev', 'dev'],
  ['cpu', 'cpu'],
  ['time', 'time, s'],
  ['pid', 'pid'],
  ['act', 'act'],
  ['rwbs', 'rwbs'],
  ['tail', 'sector + n [process]'],
] as const

interface EventRowProps {
  readonly id: string
  readonly at: number
  readonly row: EventRow | undefined
  readonly top: number
  readonly active: boolean
  readonly selected: boolean
  onChoose(at: number, extend: boolean): void
  onShow(): void
}

function Row({ id, at, row, top, active, selected, onChoose, onShow }: EventRowProps) {
  const cells = row && [row.dev, row.cpu, secondsOf(row.at), row.pid, row.action, row.rwbs, row.tail]
  return (
    <div
      id={id}
      className="events-row"
      role="row"
      aria-rowindex={at + 2}
      aria-selected={selected}
      data-active={active}
      data-action={row?.action}
      data-failed={row?.failed !== undefined}
      style={{ transform: `translateY(${top}px)` }}
      onClick={event => onChoose(at, event.shiftKey)}
      onDoubleClick={onShow}
    >
      {COLUMNS.map(([name], i) => (
        <span
          key={name}
          role="gridcell"
          className={`ev-${name}`}
          title={
            name === 'tail'
              ? [row?.tail, row?.zone && ZONE_NAMES[row.zone], row?.failed].filter(Boolean).join(' ')
              : undefined
          }
        >
          {cells?.[i] ?? (name === 'time' ? '…' : '')}
          {name === 'tail' && row?.zone !== undefined && <em className="ev-zone">{ZONE_NAMES[row.zone]}</em>}
          {name === 'tail' && row?.failed !== undefined && <em className="ev-failed">{row.failed}</em>}
        </span>
      ))}
    </div>
  )
}

/** Seconds with all nine digits, exact. */
function secondsOf(t: number): string {
  return `${Math.floor(t / 1e9)}.${String(t % 1e9).padStart(9, '0')}`
}
