/** What the page knows of the snapshot that it came from, and when the traces themselves take its place. */
import type { TraceInfo } from '../engine/protocol'
import type { Link } from '../link/link'
import type { Page } from './page'
import type { Run } from './types'

/** The snapshot for the address, while nothing else was added to it; with the traces of it that were removed. */
export function carriedBy({ runs, snapshot }: Pick<Page, 'runs' | 'snapshot'>): Pick<Link, 'snapshot' | 'gone'> {
  if (snapshot === undefined || runs.length === 0 || runs.some(run => run.snapshotIndex === undefined)) return {}
  const there = new Set(runs.map(run => run.snapshotIndex))
  const gone = Array.from({ length: snapshot.traces }, (_, i) => i).filter(i => !there.has(i))
  return { ...(!snapshot.inFile && { snapshot: snapshot.text }), ...(gone.length > 0 && { gone: gone.map(i => i + 1) }) }
}

/** What a trace is recognised by: names of files may be left out of a snapshot. */
const identity = ({ events, requests, span, startedAt, devices }: TraceInfo): string =>
  JSON.stringify([events, requests, span, startedAt, devices.map(d => [d.dev, d.events, d.requests, d.lba, d.active])])

/** Number of the trace on the page that is a snapshot of the one that came. */
export const snapshotTraceOf = (runs: readonly Run[], info: TraceInfo): number | undefined =>
  runs.find(run => run.snapshot && run.info && identity(run.info) === identity(info))?.trace
