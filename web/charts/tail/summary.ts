/** Causes of slow requests in the order in which they are shown, their colours, and the panel in words. */

import { TAIL_CAUSES } from '../../engine/protocol'
import type { SlowRequest, SummaryTail } from '../../engine/summary'
import { duration } from '../../lib/format'

/** Smaller shares in all runs are left out. */
const MIN_SHARE = 0.005

/** The token of a cause's colour. */
export const causeToken = (cause: string): string =>
  `tail-${TAIL_CAUSES.some(other => other === cause) ? cause : 'unknown'}`

/** Causes that any run has, the largest first. */
export function causesOf(tails: readonly SummaryTail[]): readonly string[] {
  const most = (cause: string) => Math.max(...tails.map(tail => tail.causes.find(c => c.cause === cause)?.share ?? 0))
  return TAIL_CAUSES.filter(cause => most(cause) >= MIN_SHARE).sort((a, b) => most(b) - most(a))
}

export const labelsOf = (tails: readonly SummaryTail[]): ReadonlyMap<string, string> =>
  new Map(tails.flatMap(tail => tail.causes.map(({ cause, label }) => [cause, label] as const)))

/** The requests that are always listed, and the others. */
export const slowestFirst = (
  all: readonly SlowRequest[],
  n: number,
): readonly [readonly SlowRequest[], readonly SlowRequest[]] => [all.slice(0, n), all.slice(n)]

/** `held although the device had room 80 ms, alone in the device 3 ms`. */
export const partsInWords = ({ parts }: Pick<SlowRequest, 'parts'>, labels: ReadonlyMap<string, string>): string =>
  parts.map(({ cause, ns }) => `${labels.get(cause) ?? cause} ${duration(ns)}`).join(', ')
