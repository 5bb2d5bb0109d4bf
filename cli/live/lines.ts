/** `seekscope top` of what is complete, or not on a terminal: a line per device and interval. */
import type { IntervalLatency, IntervalSizes, PrintedInterval } from '../../web/engine/protocol'
import { visibleIn } from '../../web/lib/text/visible'
import type { TopDevice, TopInterval } from './interval'

/** A column of the table: stable, so that scripts can read it. */
interface LineColumn {
  readonly name: string
  readonly width: number
  value(device: TopDevice): string
}

const fixed = (digits: number, value: number | undefined): string => (value === undefined ? '-' : value.toFixed(digits))
const ms = (value: number | undefined): string => fixed(3, value === undefined ? undefined : value / 1e6)
const percent = (value: number | undefined): string => fixed(1, value === undefined ? undefined : value * 100)

const COLUMNS: readonly LineColumn[] = [
  { name: 'iops', width: 9, value: d => fixed(0, d.iops) },
  { name: 'rMB/s', width: 9, value: d => fixed(2, d.readBps / 1e6) },
  { name: 'wMB/s', width: 9, value: d => fixed(2, d.writeBps / 1e6) },
  { name: 'depth', width: 8, value: d => fixed(2, d.depth?.mean) },
  { name: 'max', width: 5, value: d => fixed(0, d.depth?.max) },
  { name: 'starved%', width: 8, value: d => percent(d.depth?.starved) },
  { name: 'd2c-p50', width: 9, value: d => ms(d.d2c?.p50) },
  { name: 'd2c-p99', width: 9, value: d => ms(d.d2c?.p99) },
  { name: 'q2c-p50', width: 9, value: d => ms(d.q2c?.p50) },
  { name: 'q2c-p99', width: 9, value: d => ms(d.q2c?.p99) },
  { name: '<=4k%', width: 6, value: d => percent(d.mix?.[0]) },
  { name: '<128k%', width: 6, value: d => percent(d.mix?.[1]) },
  { name: '>=128k%', width: 7, value: d => percent(d.mix?.[2]) },
  { name: 'open', width: 5, value: d => fixed(0, d.open) },
]

const TIME = 9
const DEVICE = 8

/** Left out first on a terminal that is too narrow. */
const FIRST_TO_DROP = ['open', '>=128k%', '<128k%', '<=4k%', 'q2c-p50', 'd2c-p50', 'q2c-p99', 'max', 'd2c-p99']

/** A table that fits, and the names of the columns that do not. */
export interface LineTable {
  readonly header: string
  readonly leftOut: readonly string[]
  /** Lines of an interval; the time is its begin, in seconds since the first event. */
  lines(interval: TopInterval): string
}

const widthOf = (columns: readonly LineColumn[]): number =>
  columns.reduce((sum, { width }) => sum + 1 + width, TIME + 1 + DEVICE)

/** All columns, or those that fit into the width of the terminal. */
export function lineTable(terminal = Number.POSITIVE_INFINITY): LineTable {
  let columns = COLUMNS
  const leftOut: string[] = []
  for (const name of FIRST_TO_DROP) {
    if (widthOf(columns) <= terminal) break
    columns = columns.filter(column => column.name !== name)
    leftOut.push(name)
  }
  const names = columns.map(({ name, width }) => name.padStart(width)).join(' ')
  return {
    header: `${'time'.padStart(TIME)} ${'device'.padEnd(DEVICE)} ${names}\n`,
    leftOut,
    lines: interval => linesOf(interval, columns),
  }
}

const linesOf = ({ range, devices }: TopInterval, columns: readonly LineColumn[]): string =>
  devices
    .map(device => {
      const values = columns.map(({ width, value }) => value(device).padStart(width))
      return `${(range.t0 / 1e9).toFixed(3).padStart(TIME)} ${visibleIn(device.name).padEnd(DEVICE)} ${values.join(' ')}\n`
    })
    .join('')

const sizes = (mix: TopDevice['mix']): { readonly sizes: IntervalSizes } | undefined =>
  mix && { sizes: { to_4k: mix[0], below_128k: mix[1], from_128k: mix[2] } }

const latency = ({ n, p50, p99 }: IntervalLatency): IntervalLatency => ({ n, p50, p99 })

/** The same with full precision: a JSON document per device and line. Units are those of `summary --json`. */
export const jsonOf = ({ range, devices, processes }: TopInterval): string =>
  devices
    .map(({ dev, name, iops, readBps, writeBps, depth, d2c, q2c, mix, open }) =>
      JSON.stringify({
        schema: 1,
        from_ns: range.t0,
        to_ns: range.t1,
        dev,
        name,
        iops,
        read_bps: readBps,
        write_bps: writeBps,
        ...(depth && { depth: { mean: depth.mean, max: depth.max }, starved_share: depth.starved }),
        latency_ns: { ...(d2c && { d2c: latency(d2c) }), ...(q2c && { q2c: latency(q2c) }) },
        ...sizes(mix),
        open,
        processes: processes
          .filter(process => process.dev === dev)
          .map(process => ({
            pid: process.pid,
            name: process.name,
            iops: process.iops,
            read_bps: process.readBps,
            write_bps: process.writeBps,
            in_flight: process.inFlight,
            ...(process.d2c && { d2c_ns: latency(process.d2c) }),
            ...sizes(process.mix),
          })),
      } satisfies PrintedInterval),
    )
    .map(line => `${line}\n`)
    .join('')
