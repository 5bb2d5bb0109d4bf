/** The snapshot from which the page was opened: in the link again, and replaced by its traces when they are dropped. */
import type { TraceInfo } from '../../engine/protocol'
import type { Link } from '../../link/link'
import type { Page } from '../page'
import type { Run } from '../types'

/** The snapshot for the URL and its removed traces; nothing once another trace was added. */
export function carriedBy({
  runs,
  snapshot,
  results,
}: Pick<Page, 'runs' | 'snapshot' | 'results'>): Pick<Link, 'snapshot' | 'gone' | 'sums'> {
  if (snapshot === undefined || (runs.length === 0 && !results) || runs.some(run => run.snapshotIndex === undefined))
    return {}
  const there = new Set(runs.map(run => run.snapshotIndex))
  const gone = Array.from({ length: snapshot.traces }, (_, i) => i).filter(i => !there.has(i))
  const sums = snapshot.sums?.flatMap((sum, i) => (sum === undefined ? [] : [{ trace: i + 1, sum }]))
  return {
    ...(!snapshot.inFile && { snapshot: snapshot.text }),
    ...(sums && { sums }),
    ...(gone.length > 0 && { gone: gone.map(i => i + 1) }),
  }
}

/** The opened snapshot, while something of it is on the page. */
export const carriedSnapshot = ({ runs, snapshot }: Pick<Page, 'runs' | 'snapshot'>): Page['snapshot'] =>
  runs.length === 0 || runs.some(run => run.snapshot) ? snapshot : undefined

/** Identifies a trace without its file names, which a snapshot may lack; small ones lack its date, too. */
const identity = ({ events, requests, span, startedAt, devices }: TraceInfo, dated: boolean): string =>
  JSON.stringify([
    events,
    requests,
    span,
    dated && startedAt,
    devices.map(d => [d.dev, d.events, d.requests, d.lba, d.active]),
  ])

/**
 * Whether of a run only its digest is open: from a table, or from a link that was made of one. Those of size XS lack
 * the format; no map has no layer.
 */
export const isOnlyDigest = ({ snapshot, info }: Run): boolean =>
  snapshot !== undefined && (info?.format === 'digest' || (snapshot.brief === true && snapshot.layers.length === 0))

/** A digest has the times of the devices and the number of all events, not those of each device. */
const isDigestOf = ({ digest, info: own }: Run, info: TraceInfo): boolean =>
  digest !== undefined &&
  own?.events === info.events &&
  own.devices.length === info.devices.length &&
  own.devices.every(({ dev, active }) =>
    info.devices.some(other => other.dev === dev && other.active[0] === active[0] && other.active[1] === active[1]),
  )

/** Number of the trace on the page that is a snapshot of this one. */
export const snapshotTraceOf = (runs: readonly Run[], info: TraceInfo): number | undefined =>
  runs.find(run => {
    const { snapshot, info: own } = run
    return (
      snapshot && own && (isDigestOf(run, info) || identity(own, !snapshot.brief) === identity(info, !snapshot.brief))
    )
  })?.trace
