/** Stalls in words, on the page and on the command line. */
import type { Stall } from '../engine/generated/protocol'

/** Formatting of counts and durations: `typographic` or `ascii` of `lib/format`. */
interface StallWords {
  readonly counted: (n: number, singular: string) => string
  readonly duration: (ns: number) => string
}

/** What the device did, without its name: `completed nothing for 640 ms with 3 requests outstanding`. */
export function stallInWords(stall: Stall, { counted, duration }: StallWords): string {
  const { kind, from_ns, to_ns, requests, completed, longest_ns, unfinished } = stall
  const length = duration(to_ns - from_ns)
  const waiting = counted(requests, 'request')
  const end = unfinished ? ', until the end of the recording' : ''
  if (kind === 'held') return `had nothing to do for ${length} while ${waiting} waited above it${end}`
  if (kind === 'frozen') return `completed nothing for ${length} with ${waiting} outstanding${end}`
  const longest = longest_ns === undefined ? '' : `, the slowest took ${duration(longest_ns)}`
  return `completed ${completed} of ${waiting} in ${length}, all of them late${longest}${end}`
}

/** Whose requests were delayed: `jbd2/vda1-8 2, reader 1`. */
export const stalledInWords = ({ processes }: Stall): string =>
  processes.map(({ name, requests }) => `${name} ${requests}`).join(', ')
