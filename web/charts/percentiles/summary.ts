/** The percentile curves in words and as a table. */
import type { Distribution } from '../../engine/protocol'
import { count } from '../../lib/format'
import { STAGE_NAMES } from '../latency/scale'
import { TITLE as LATENCY } from '../latency/summary'
import { listed, type Shown, type StableView } from '../shared/answers/shown'
import type { Table } from '../shared/answers/table'
import { type Crossing, latencyAt, upToLongest } from './draw'

export const TITLE = 'Latency by percentile'

const POINTS = [0, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 0.9999] as const

/** `p99.9`; the first is the minimum. */
export const percentileName = (p: number): string => (p === 0 ? 'min' : `p${+(p * 100).toFixed(4)}`)

/**
 * `B is faster up to p95.2 and far slower beyond`. The curves of a snapshot have fewer points: where they cross is between
 * two of them.
 */
export function crossingWords(cross: Crossing, letters: readonly [string, string], isSnapshot = false): string {
  const name = letters[cross.faster]
  const percent = cross.p * 100
  const point = isSnapshot
    ? `about p${+percent.toFixed(percent < 99 ? 0 : 1)} by the points of the snapshot`
    : `p${+percent.toPrecision(3)}`
  return `${name} is faster up to ${point} and ${cross.beyond >= 5 ? 'far ' : ''}slower beyond`
}

/** Number of requests per curve: `1,280 requests each`, or by run. */
export function countsInWords(shown: readonly Shown[], distributions: readonly (Distribution | undefined)[]): string {
  const counts = distributions.flatMap(d => (d === undefined ? [] : [d.n]))
  if (counts.length === 0) return 'requests'
  if (counts.every(n => n === counts[0])) return `${count(counts[0] ?? 0)} requests${counts.length > 1 ? ' each' : ''}`
  return `${listed(shown.map((run, i) => `${run.letter} ${count(distributions[i]?.n ?? 0)}`))} requests`
}

export function table(
  shown: readonly Shown[],
  stage: StableView['stage'],
  distributions: readonly (Distribution | undefined)[],
): Table {
  return {
    title: `${LATENCY} ${STAGE_NAMES[stage]} by percentile, ms`,
    columns: [{ label: 'percentile', text: true }, ...shown.map(run => ({ label: run.letter }))],
    rows: POINTS.map(p => [
      percentileName(p),
      ...distributions.map(d =>
        d === undefined || d.n === 0 || d.n < 1 / (1 - p) ? '' : +(latencyAt(d, p) / 1e6).toPrecision(5),
      ),
    ]),
  }
}

/** The curves as drawn: one row per point. */
export function curves(
  shown: readonly Shown[],
  stage: StableView['stage'],
  distributions: readonly (Distribution | undefined)[],
): Table {
  return {
    title: `${LATENCY} ${STAGE_NAMES[stage]} by percentile`,
    columns: [
      { label: 'run', text: true },
      { label: 'percentile, %' },
      { label: `${STAGE_NAMES[stage]}, ms` },
      { label: '95% from, ms' },
      { label: '95% to, ms' },
    ],
    rows: shown.flatMap((run, i) => {
      const d = distributions[i]
      if (d === undefined || d.n === 0) return []
      const { p, ns } = upToLongest(d)
      const end = (list: Float64Array | undefined, k: number) => {
        const value = d.p[k] === p[k] ? (list?.[k] ?? Number.NaN) : Number.NaN
        return Number.isNaN(value) ? '' : value / 1e6
      }
      return Array.from(p, (share, k) => [run.letter, share * 100, (ns[k] ?? 0) / 1e6, end(d.low, k), end(d.high, k)])
    }),
  }
}
