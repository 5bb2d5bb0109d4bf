/** Which runs came from which URLs, so that a link can fetch them again. */
import type { TimeWindow } from '../../engine/protocol'
import type { FoundFile } from '../../ingest/found'
import type { TraceUrl } from '../../link/urls'
import type { TracePart } from '../../link/view'
import type { Run } from '../types'

/** The trace URLs of a link. */
export interface Reference {
  readonly urls: readonly TraceUrl[]
  /** Sizes of the batches to open; absent: all at once. */
  readonly opened?: readonly number[]
  /** Removed traces: numbers in the order of opening, from 1. */
  readonly gone?: readonly number[]
  /** Parts of traces that are read. */
  readonly windows?: readonly TracePart[]
}

/** A fetched file that is part of the page. */
export interface FetchedFile extends TraceUrl {
  /** Files with the same number were opened together. */
  readonly batch: number
  /** Traces with a file in it; none for a note. */
  readonly traces: readonly number[]
}

/** The fetched files among those that were opened together. `used`: paths that became part of a trace, or a note. */
export function sourcesOf(
  files: readonly FoundFile[],
  used: readonly { readonly path: string; readonly trace?: number }[],
  batch: number,
): readonly FetchedFile[] {
  return files.flatMap(({ path, source }) => {
    const uses = used.filter(u => u.path === path || u.path.startsWith(`${path}/`))
    if (source === undefined || uses.length === 0) return []
    return [{ ...source, batch, traces: [...new Set(uses.flatMap(u => u.trace ?? []))] }]
  })
}

/** The trace URLs for a link; empty unless all runs came from URLs. */
export function referenceOf(runs: readonly Run[], sources: readonly FetchedFile[]): Partial<Reference> {
  const openTraces = new Set(runs.map(run => run.trace))
  const fetched = new Set(sources.flatMap(source => source.traces))
  if (runs.length === 0 || ![...openTraces].every(trace => fetched.has(trace))) return {}
  const usedSources = sources.filter(({ traces }) => traces.length === 0 || traces.some(trace => openTraces.has(trace)))
  const opened = [...new Set(usedSources.map(source => source.batch))].map(
    batch => usedSources.filter(source => source.batch === batch).length,
  )
  const traces = [...new Set(usedSources.flatMap(source => source.traces))].sort((a, b) => a - b)
  const removed = traces.flatMap((trace, i) => (openTraces.has(trace) ? [] : [i + 1]))
  const windows = traces.flatMap((trace, i): readonly TracePart[] => {
    const window = runs.flatMap(run => (run.trace === trace ? (run.window ?? run.info?.window ?? []) : []))[0]
    return window ? [{ trace: i + 1, window }] : []
  })
  return {
    urls: usedSources.map(({ url, sha }) => ({ url, ...(sha !== undefined && { sha }) })),
    ...(opened.length > 1 && { opened }),
    ...(removed.length > 0 && { gone: removed }),
    ...(windows.length > 0 && { windows }),
  }
}

/** The part of a trace that a link reads: the one for this trace, else the one for all traces. */
export const windowIn = (windows: Reference['windows'], number: number): TimeWindow | undefined =>
  (windows?.find(({ trace }) => trace === number) ?? windows?.find(({ trace }) => trace === undefined))?.window

/** Splits files into batches of these sizes. */
export function batchesOf<T>(
  files: readonly T[],
  opened: readonly number[] = [files.length],
): readonly (readonly T[])[] {
  const begins = opened.map((_, i) => opened.slice(0, i).reduce((sum, n) => sum + n, 0))
  return begins.map((begin, i) => files.slice(begin, begin + (opened[i] ?? 0)))
}

export const sameUrls = (a: Partial<Reference>, b: Partial<Reference>): boolean =>
  JSON.stringify(a.urls?.map(u => u.url)) === JSON.stringify(b.urls?.map(u => u.url))
