/** The paths through the kernel by which requests were submitted, as lines of text of at most 80 columns. */
import type { StacksUsed } from '../../../web/engine/protocol'
import { ascii } from '../../../web/lib/format'
import { printable } from './printable'

const { counted, share } = ascii

/** Paths that are listed; `--json` has more. */
const MAX_PATHS = 8
const WIDTH = 80
const SHARE = 9

const line = (part: string, text: string): string => `    ${part.padStart(SHARE)}  ${text}`.slice(0, WIDTH)

/** The paths of a device; empty without call stacks. */
export function stackLines(used: StacksUsed | undefined): string[] {
  if (!used) return []
  const { paths, unknown, all } = used
  const part = (requests: number) => share(requests / Math.max(1, all.requests))
  return [
    `  call stacks   of ${part(all.requests - unknown.requests)} of the requests`,
    ...paths.slice(0, MAX_PATHS).map(({ path, requests }) => line(part(requests), printable(path))),
    ...(paths.length > MAX_PATHS ? [`    and ${counted(paths.length - MAX_PATHS, 'other path')}`] : []),
    ...(unknown.requests > 0 ? [line(part(unknown.requests), 'unknown')] : []),
    ...(used.other_clock > 0
      ? [`    ${counted(used.other_clock, 'stack')} by another clock: record with that of the trace (mono)`]
      : []),
    ...(used.other_symbols ? ['    symbols of another kernel were not used'] : []),
    ...(used.has_addresses
      ? ['    addresses instead of names: put /proc/kallsyms, read as root, or perf script --ns next to it']
      : []),
  ]
}
