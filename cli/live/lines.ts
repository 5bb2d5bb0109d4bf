/** `seekscope top` where standard output is no terminal: a line per device and interval. */
import { visibleIn } from '../visible'
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

export const HEADER = `${'time'.padStart(TIME)} ${'device'.padEnd(DEVICE)} ${COLUMNS.map(({ name, width }) => name.padStart(width)).join(' ')}\n`

/** Lines of an interval; the time is its begin, in seconds since the first event. */
export const linesOf = ({ range, devices }: TopInterval): string =>
  devices
    .map(device => {
      const values = COLUMNS.map(({ width, value }) => value(device).padStart(width))
      return `${(range.t0 / 1e9).toFixed(3).padStart(TIME)} ${visibleIn(device.name).padEnd(DEVICE)} ${values.join(' ')}\n`
    })
    .join('')

const sizes = (mix: TopDevice['mix']) => mix && { sizes: { to_4k: mix[0], below_128k: mix[1], from_128k: mix[2] } }

const latency = (of: TopDevice['d2c']) => of && { n: of.n, p50: of.p50, p99: of.p99 }

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
      }),
    )
    .map(line => `${line}\n`)
    .join('')
