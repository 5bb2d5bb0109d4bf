/** The snapshot from which the page was opened: in the link again, and replaced by its traces when they are dropped. */
import type { TraceInfo } from '../../engine/protocol'
import type { Link } from '../../link/link'
import type { Page } from '../page'
import type { Run } from '../types'

/**
 * The fields of a link for the open snapshot and its removed traces; empty once another trace was added, which a
 * snapshot cannot contain.
 */
export function snapshotFields({
  runs,
  snapshot,
  results,
}: Pick<Page, 'runs' | 'snapshot' | 'results'>): Pick<Link, 'snapshot' | 'gone' | 'sums'> {
  if (snapshot === undefined || (runs.length === 0 && !results) || runs.some(run => run.snapshotIndex === undefined))
    return {}
  const openIndexes = new Set(runs.map(run => run.snapshotIndex))
  const removed = Array.from({ length: snapshot.traces }, (_, i) => i).filter(i => !openIndexes.has(i))
  const sums = snapshot.sums?.flatMap((sum, i) => (sum === undefined ? [] : [{ trace: i + 1, sum }]))
  return {
    ...(!snapshot.inFile && { snapshot: snapshot.text }),
    ...(sums && { sums }),
    ...(removed.length > 0 && { gone: removed.map(i => i + 1) }),
  }
}

/** The opened snapshot, while something of it is on the page. */
export const openSnapshotOf = ({ runs, snapshot }: Pick<Page, 'runs' | 'snapshot'>): Page['snapshot'] =>
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
 * Whether only the digest of a run is open: from a table, or from a link that was made of one. Snapshots of size XS
 * lack the format but have a map, so the layers tell them apart.
 */
export const isOnlyDigest = ({ snapshot, info }: Run): boolean =>
  snapshot !== undefined && (info?.format === 'digest' || (snapshot.brief === true && snapshot.layers.length === 0))

/**
 * Compares what a digest has: the number of all events and the active time of each device. It lacks counts per
 * device.
 */
const isDigestOf = ({ digest, info: digestInfo }: Run, info: TraceInfo): boolean =>
  digest !== undefined &&
  digestInfo?.events === info.events &&
  digestInfo.devices.length === info.devices.length &&
  digestInfo.devices.every(({ dev, active }) =>
    info.devices.some(device => device.dev === dev && device.active[0] === active[0] && device.active[1] === active[1]),
  )

/** Number of the trace on the page that is a snapshot of this one. */
export const snapshotTraceOf = (runs: readonly Run[], info: TraceInfo): number | undefined =>
  runs.find(run => {
    const { snapshot, info: openInfo } = run
    return (
      snapshot &&
      openInfo &&
      (isDigestOf(run, info) || identity(openInfo, !snapshot.brief) === identity(info, !snapshot.brief))
    )
  })?.trace
