/** A line of the event list, in the columns of blkparse. */
import type { EventRow } from '../../engine/protocol'
import { ZONE_NAMES } from '../../lib/zones'

export const EVENT_COLUMNS = [
  ['dev', 'dev'],
  ['cpu', 'cpu'],
  ['time', 'time, s'],
  ['pid', 'pid'],
  ['act', 'act'],
  ['rwbs', 'rwbs'],
  ['tail', 'sector + n [process]'],
] as const

/** Columns whose letters are terms. */
const TERM_COLUMNS: Readonly<Partial<Record<(typeof EVENT_COLUMNS)[number][0], string>>> = {
  act: 'action',
  rwbs: 'rwbs',
}

interface EventGridRowProps {
  readonly id: string
  readonly line: number
  /** The event; absent until the engine has answered. */
  readonly row: EventRow | undefined
  /** Top of the line in the list, px. */
  readonly top: number
  readonly active: boolean
  readonly selected: boolean
  onChoose(line: number, extend: boolean): void
  onShow(): void
}

export function EventGridRow({ id, line, row, top, active, selected, onChoose, onShow }: EventGridRowProps) {
  const cells = row && [row.dev, row.cpu, secondsOf(row.at), row.pid, row.action, row.rwbs, row.tail]
  return (
    <div
      id={id}
      className="events-row"
      role="row"
      aria-rowindex={line + 2}
      aria-selected={selected}
      data-active={active}
      data-action={row?.action}
      data-failed={row?.failed !== undefined}
      style={{ transform: `translateY(${top}px)` }}
      onClick={event => onChoose(line, event.shiftKey)}
      onDoubleClick={onShow}
    >
      {EVENT_COLUMNS.map(([name], i) => (
        <span
          key={name}
          role="gridcell"
          className={`ev-${name}`}
          data-term={TERM_COLUMNS[name]}
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

/** Seconds with all nine digits, from quotient and remainder: the float `t / 1e9` would round the last digits. */
function secondsOf(t: number): string {
  return `${Math.floor(t / 1e9)}.${String(t % 1e9).padStart(9, '0')}`
}
