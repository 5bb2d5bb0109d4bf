/** Stalls in words, and quiet recordings, on the page and on the command line. */
import { STALL_VERBS, type Stall } from '../engine/generated/protocol'

/** Formatting of counts and durations: `typographic` or `ascii` of `lib/format`. */
interface StallWords {
  readonly counted: (n: number, singular: string) => string
  readonly duration: (ns: number) => string
}

/** What the device did, without its name: `completed nothing for 640 ms with 3 requests outstanding`. */
export function stallInWords(stall: Stall, { counted, duration }: StallWords): string {
  const { kind, from_ns, to_ns, requests, longest_ns, unfinished } = stall
  const slowest = kind === 'slow' && longest_ns !== undefined ? `, the slowest took ${duration(longest_ns)}` : ''
  const end = unfinished ? ', until the end of the recording' : ''
  const words = `${STALL_VERBS[kind]} for ${duration(to_ns - from_ns)} with ${counted(requests, 'request')} outstanding`
  return words + slowest + end
}

/** Whose requests were delayed: `jbd2/vda1-8 2, reader 1`. */
export const stalledInWords = ({ processes }: Stall): string =>
  processes.map(({ name, requests }) => `${name} ${requests}`).join(', ')

interface TextFacts {
  readonly facts: readonly { readonly key: string; readonly value: string | number }[]
}

/**
 * Whether an armed recorder kept the recording beside these texts because no condition held. A text may have more than
 * one kind of facts, so that its kind does not tell.
 */
export const isQuietRecording = (texts: readonly TextFacts[]): boolean =>
  texts.some(({ facts }) => facts.some(({ key, value }) => key === 'trigger' && value === 'none'))
