/**
 * The time in a layer of a stack, and the calls by which requests were made, as lines of text of at most 80 columns.
 */
import { ownShare } from '../../../web/charts/layers/ownShare'
import type { CallsUsed, LayerTime } from '../../../web/engine/protocol'
import { ascii } from '../../../web/lib/format'
import { printable } from './printable'

const { count, counted, duration, share, size } = ascii

/** Calls that are listed; `--json` has more. */
const MAX_CALLS = 8
const NAME = 24
const CELL = 11

/** The line of a device that lies on others; empty for any other. */
export function layerLines(layer: LayerTime | undefined): string[] {
  if (!layer) return []
  const spread = ({ p50, p99 }: LayerTime['layer']) => `median ${duration(p50)}, p99 ${duration(p99)}`
  return [
    `  layer         itself ${spread(layer.layer)}; ${share(ownShare(layer))} of the time`,
    `                below ${spread(layer.below)}; of ${counted(layer.requests, 'request')}`,
  ]
}

const row = (name: string, cells: readonly string[]): string =>
  `    ${name.padEnd(NAME)}${cells.map(cell => cell.padStart(CELL)).join('')}`.trimEnd()

type CallSums = CallsUsed['all']

/** The table of calls of a device; empty where none are known. */
export function callLines(used: CallsUsed | undefined): string[] {
  if (!used) return []
  const { top, unknown, all } = used
  const cells = ({ requests, bytes, d2c_ns }: CallSums) => [
    count(requests),
    size(bytes),
    all.d2c_ns > 0 ? share(d2c_ns / all.d2c_ns) : '-',
  ]
  const named = all.requests - unknown.requests
  return [
    `  calls         known for ${share(named / Math.max(1, all.requests))} of the requests`,
    row('', ['requests', 'bytes', 'of D2C']),
    ...top.slice(0, MAX_CALLS).map(call => row(printable(call.name).slice(0, NAME), cells(call))),
    ...(top.length > MAX_CALLS ? [`    and ${counted(top.length - MAX_CALLS, 'other call')}`] : []),
    ...(unknown.requests > 0 ? [row('unknown', cells(unknown))] : []),
  ]
}
