/**
 * The screen of `seekscope top`: what of the last interval fits into a terminal. Pure, so that tests need no terminal.
 */

import type { SizeMix } from '../../web/engine/protocol'
import { ascii } from '../../web/lib/format'
import { visibleLine } from '../../web/lib/text/visible'
import type { TopDevice, TopInterval } from './interval'

type TopProcess = TopInterval['processes'][number]

/** Sort orders by key. */
export const SORTS = { i: 'IOPS', r: 'read', w: 'write', f: 'in flight', l: 'latency', n: 'name' } as const
export type SortKey = keyof typeof SORTS

export interface ScreenState {
  readonly source: string
  readonly interval?: TopInterval
  readonly lengthMs: number
  readonly sort: SortKey
  readonly paused: boolean
  readonly events: number
  readonly lagMs: number
  /** Problems of the stream, or how it ended. */
  readonly notices: readonly string[]
}

/** A column; those that do not fit are left out from the last one on. */
interface ScreenColumn<T> {
  readonly name: string
  readonly width: number
  readonly left?: true
  text(row: T): string
}

const mb = (bps: number): string => ascii.figure(bps / 1e6)
/** `0.52 ms` in at most eight characters. */
const time = (ns: number | undefined): string => (ns === undefined ? '-' : ascii.duration(ns))
const percent = (share: number | undefined): string =>
  share === undefined ? '-' : `${(share * 100).toFixed(share > 0 && share < 0.1 ? 1 : 0)}%`
const number = (value: number | undefined): string => (value === undefined ? '-' : ascii.figure(value))

const MIX: readonly ScreenColumn<{ readonly mix?: SizeMix }>[] = [
  { name: '<=4k', width: 5, text: row => percent(row.mix?.[0]) },
  { name: '<128k', width: 5, text: row => percent(row.mix?.[1]) },
  { name: '>=128k', width: 6, text: row => percent(row.mix?.[2]) },
]

const DEVICES: readonly ScreenColumn<TopDevice>[] = [
  { name: 'DEVICE', width: 9, left: true, text: d => d.name },
  { name: 'IOPS', width: 8, text: d => ascii.count(Math.round(d.iops)) },
  { name: 'rMB/s', width: 7, text: d => mb(d.readBps) },
  { name: 'wMB/s', width: 7, text: d => mb(d.writeBps) },
  { name: 'DEPTH', width: 6, text: d => number(d.depth?.mean) },
  { name: 'MAX', width: 5, text: d => (d.depth ? ascii.count(d.depth.max) : '-') },
  { name: 'STARVED', width: 7, text: d => percent(d.depth?.starved) },
  { name: 'D2C p50', width: 8, text: d => time(d.d2c?.p50) },
  { name: 'p99', width: 8, text: d => time(d.d2c?.p99) },
  { name: 'Q2C p50', width: 8, text: d => time(d.q2c?.p50) },
  { name: 'p99', width: 8, text: d => time(d.q2c?.p99) },
  ...MIX,
]

const PROCESSES: readonly ScreenColumn<TopProcess>[] = [
  { name: 'PID', width: 7, text: p => String(p.pid) },
  { name: 'PROCESS', width: 16, left: true, text: p => p.name },
  { name: 'IOPS', width: 8, text: p => ascii.count(Math.round(p.iops)) },
  { name: 'rMB/s', width: 7, text: p => mb(p.readBps) },
  { name: 'wMB/s', width: 7, text: p => mb(p.writeBps) },
  { name: 'IN FL.', width: 6, text: p => number(p.inFlight) },
  { name: 'D2C p50', width: 8, text: p => time(p.d2c?.p50) },
  { name: 'p99', width: 8, text: p => time(p.d2c?.p99) },
  { name: 'DEVICE', width: 9, left: true, text: p => p.dev },
  ...MIX,
]

interface SortValues {
  readonly iops: number
  readonly readBps: number
  readonly writeBps: number
  readonly d2c?: { readonly p99: number }
  readonly name: string
}

function sortRows<T extends SortValues>(rows: readonly T[], key: SortKey, inFlight: (row: T) => number): readonly T[] {
  const comparators: Record<SortKey, (a: T, b: T) => number> = {
    i: (a, b) => b.iops - a.iops,
    r: (a, b) => b.readBps - a.readBps,
    w: (a, b) => b.writeBps - a.writeBps,
    f: (a, b) => inFlight(b) - inFlight(a),
    l: (a, b) => (b.d2c?.p99 ?? -1) - (a.d2c?.p99 ?? -1),
    n: (a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }),
  }
  return [...rows].sort(comparators[key])
}

/** Columns of a terminal that a text takes; names with wide characters may take more. */
function fitText(text: string, width: number, left?: true): string {
  const visible = visibleLine(text)
  const cut = visible.length > width ? `${visible.slice(0, Math.max(0, width - 1))}~` : visible
  return left ? cut.padEnd(width) : cut.padStart(width)
}

function table<T>(columns: readonly ScreenColumn<T>[], rows: readonly T[], width: number): readonly string[] {
  let used = -1
  const shown = columns.filter((column, i) => {
    used += column.width + 1
    return i === 0 || used <= width
  })
  const line = (text: (column: ScreenColumn<T>) => string) =>
    shown.map(column => fitText(text(column), column.width, column.left)).join(' ')
  return [line(({ name }) => name), ...rows.map(row => line(column => column.text(row)))].map(text =>
    text.slice(0, width),
  )
}

const BOLD = '\x1b[1m'
const REVERSE = '\x1b[7m'
const RESET = '\x1b[m'

function clock(ns: number): string {
  const seconds = Math.floor(ns / 1e9)
  const two = (n: number) => String(n).padStart(2, '0')
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
}

/** Lines of the screen, at most `rows` of at most `columns` characters. */
export function screenOf(state: ScreenState, columns: number, rows: number): readonly string[] {
  const { source, interval, lengthMs, sort, paused, events, lagMs, notices } = state
  const title = `seekscope top - ${visibleLine(source)}`
  const facts = `${interval ? clock(interval.range.t1) : '--:--:--'}  every ${ascii.duration(lengthMs * 1e6)}  ${ascii.shortCount(events)} events  lag ${ascii.duration(lagMs * 1e6)}${paused ? '  PAUSED' : ''}`
  const head = [
    `${BOLD}${`${title}  ${facts}`.slice(0, columns)}${RESET}`,
    ...notices.map(text => visibleLine(text).slice(0, columns)),
  ]
  const foot = `q quit  space pause  sort: ${Object.entries(SORTS)
    .map(([key, name]) => (key === sort ? `[${key} ${name}]` : `${key} ${name}`))
    .join('  ')}`.slice(0, columns)
  const room = Math.max(0, rows - head.length - 1)
  const body: string[] = []
  const titled = (lines: readonly string[]) =>
    lines.map((line, i) => (i === 0 ? `${REVERSE}${line.padEnd(columns).slice(0, columns)}${RESET}` : line))
  if (interval) {
    const devices = sortRows(interval.devices, sort, device => device.depth?.mean ?? 0)
    const processes = sortRows(interval.processes, sort, process => process.inFlight)
    body.push('', ...titled(table(DEVICES, devices, columns)), '', ...titled(table(PROCESSES, processes, columns)))
  } else body.push('', 'Waiting for the first interval.')
  const lines = [...head, ...body.slice(0, room)]
  while (lines.length < rows - 1) lines.push('')
  return [...lines.slice(0, rows - 1), foot].slice(0, rows)
}

/** Writes the lines over those of before: without erasing first, so that nothing flickers. */
export const drawn = (lines: readonly string[]): string =>
  `\x1b[H${lines.map(line => `${line}\x1b[K`).join('\r\n')}\x1b[J`
