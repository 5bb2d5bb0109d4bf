/**
 * Why the slowest requests were slow. Only the page has this panel; `seekscope summary --json` has the same causes of
 * the complete run.
 */
import type { SlowRequest, SummaryTail } from '../../engine/summary'
import { counted, duration, share } from '../../lib/format'
import type { PageSpec } from '../shared/spec'

export const slowest: PageSpec = {
  kind: 'page',
  name: 'tail',
  title: 'Slowest requests',
  measured: 'why-requests-were-slow',
}

/** The share of requests that a summary counts as fast. */
export const PERCENTILE = 0.99

export const TABLE_TITLE = `${slowest.title} by cause`
export const CAUSE = 'Cause'

/** Names the listed requests of a run. */
export const subjectOf = (letter: string): string => `${slowest.title} of ${letter}`

/** `above 27 ms`; all requests of a latency filter have no such limit. */
export const limitOf = ({ percentile, threshold_ns }: SummaryTail): string =>
  percentile > 0 ? `above ${duration(threshold_ns)}` : 'all'

/** Which requests a panel is about. */
export const slowestShare = (percentile: number): string => `the slowest ${+(100 * (1 - percentile)).toFixed(2)}%`

export const othersInFlight = ({ in_flight: n }: Pick<SlowRequest, 'in_flight'>): string =>
  `${n} others in flight when it was issued`

export function tailWords(letter: string, tail: SummaryTail): string {
  const [first] = tail.causes
  const cause = first ? ` ${share(first.share)} of their time: ${first.label}.` : ''
  return `${subjectOf(letter)}: ${counted(tail.requests, 'request')}, ${limitOf(tail)} (${tail.stage.toUpperCase()}).${cause}`
}
