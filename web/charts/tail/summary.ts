import type { SlowRequest, SummaryTail } from '../../engine/summary'
import { counted, duration, share } from '../../lib/format'

/** Smaller shares in all runs are left out. */
const LEAST = 0.005

/** In the order of a request's life, with the colour of the stage or of what it is about. */
const TOKENS: Readonly<Record<string, string>> = {
  allocation: 'st-q2g',
  plugged: 'st-g2i',
  'other-process': 'proc-2',
  held: 'st-i2d',
  queued: 'proc-other',
  writes: 'proc-5',
  flush: 'proc-3',
  ahead: 'proc-1',
  overtaken: 'proc-4',
  'after-idle': 'st-d2c',
  device: 'ink-3',
  unknown: 'line',
}

export const causeToken = (cause: string): string => TOKENS[cause] ?? 'ink-3'

/** Causes that any run has, the largest first. */
export function causesOf(tails: readonly SummaryTail[]): readonly string[] {
  const most = (cause: string) => Math.max(...tails.map(tail => tail.causes.find(c => c.cause === cause)?.share ?? 0))
  return Object.keys(TOKENS)
    .filter(cause => most(cause) >= LEAST)
    .sort((a, b) => most(b) - most(a))
}

export const labelsOf = (tails: readonly SummaryTail[]): ReadonlyMap<string, string> =>
  new Map(tails.flatMap(tail => tail.causes.map(({ cause, label }) => [cause, label] as const)))

/** The requests that are always listed, and the others. */
export const slowestFirst = (all: readonly SlowRequest[], n: number): readonly [readonly SlowRequest[], readonly SlowRequest[]] => [
  all.slice(0, n),
  all.slice(n),
]

export function tailWords(letter: string, tail: SummaryTail): string {
  const [first] = tail.causes
  const most = first ? ` ${share(first.share)} of their time: ${first.label}.` : ''
  return `Slowest requests of ${letter}: ${counted(tail.requests, 'request')} above ${duration(tail.threshold_ns)} (${tail.stage.toUpperCase()}).${most}`
}
