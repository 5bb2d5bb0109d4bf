/** Which runs came from which addresses, so that a link can fetch them again. */
import type { FoundFile } from '../ingest/found'
import type { TraceUrl } from '../link/urls'
import type { Run } from './types'

/** Traces on the web, as a link names them. */
export interface Reference {
  readonly urls: readonly TraceUrl[]
  /** How many of them to open at once, each time; absent: all. */
  readonly opened?: readonly number[]
  /** Traces in them that are not shown: number, from 1 as they were opened. */
  readonly gone?: readonly number[]
}

/** A fetched file that something on the page came from. */
export interface FetchedFile extends TraceUrl {
  /** Files with the same number were opened at once. */
  readonly batch: number
  /** Traces with a part in it; none for a text beside traces. */
  readonly traces: readonly number[]
}

/** Of files that were opened at once: what came from each. `used`: paths that say something, with the trace that they are of. */
export function sourcesOf(
  files: readonly FoundFile[],
  used: readonly { readonly path: string; readonly trace?: number }[],
  batch: number,
): readonly FetchedFile[] {
  return files.flatMap(({ path, source }) => {
    const own = used.filter(u => u.path === path || u.path.startsWith(`${path}/`))
    if (source === undefined || own.length === 0) return []
    return [{ ...source, batch, traces: [...new Set(own.flatMap(u => u.trace ?? []))] }]
  })
}

/** What a link says of where the runs came from; nothing unless all of them came from addresses. */
export function referenceOf(runs: readonly Run[], sources: readonly FetchedFile[]): Partial<Reference> {
  const there = new Set(runs.map(run => run.trace))
  const fetched = new Set(sources.flatMap(source => source.traces))
  if (runs.length === 0 || ![...there].every(trace => fetched.has(trace))) return {}
  const kept = sources.filter(({ traces }) => traces.length === 0 || traces.some(trace => there.has(trace)))
  const opened = [...new Set(kept.map(source => source.batch))].map(batch => kept.filter(source => source.batch === batch).length)
  const traces = [...new Set(kept.flatMap(source => source.traces))].sort((a, b) => a - b)
  const gone = traces.flatMap((trace, i) => (there.has(trace) ? [] : [i + 1]))
  return {
    urls: kept.map(({ url, sha }) => ({ url, ...(sha !== undefined && { sha }) })),
    ...(opened.length > 1 && { opened }),
    ...(gone.length > 0 && { gone }),
  }
}

/** Files in the lots in which they are opened. */
export function batchesOf<T>(files: readonly T[], opened: readonly number[] = [files.length]): readonly (readonly T[])[] {
  const begins = opened.map((_, i) => opened.slice(0, i).reduce((sum, n) => sum + n, 0))
  return begins.map((begin, i) => files.slice(begin, begin + (opened[i] ?? 0)))
}

export const sameUrls = (a: Partial<Reference>, b: Partial<Reference>): boolean =>
  JSON.stringify(a.urls?.map(u => u.url)) === JSON.stringify(b.urls?.map(u => u.url))
