/**
 * How large a trace is, from both ends of its files and from excerpts in between. Runs in a worker; the engine's module
 * must be set up.
 */
import { estimate } from '../generated/seekscope.js'
import type { TimeWindow, TraceEstimate, TraceFile } from '../protocol'
import { EXCERPT_BYTES, excerptPlaces, FEW_EXCERPTS, PROBE_BYTES, surelyFits } from './probe'

/** Number of parallel reads: enough to keep a disk busy. */
const MAX_PARALLEL_READS = 16

/** Reads an excerpt. An unreadable one is empty here; reading the trace reports the error. */
const bytesAt = async (blob: Blob, from: number, to: number): Promise<Uint8Array> =>
  new Uint8Array(
    await blob
      .slice(Math.max(0, from), to)
      .arrayBuffer()
      .catch(() => new ArrayBuffer()),
  )

async function readAll<T>(items: readonly T[], read: (item: T) => Promise<Uint8Array>): Promise<Uint8Array[]> {
  const all: Uint8Array[] = []
  for (let from = 0; from < items.length; from += MAX_PARALLEL_READS)
    all.push(...(await Promise.all(items.slice(from, from + MAX_PARALLEL_READS).map(read))))
  return all
}

/** Estimates a trace. With `rough`, a few excerpts suffice if the trace surely fits: each takes a browser 2 ms. */
export async function estimateTrace(
  parts: readonly TraceFile[],
  window?: TimeWindow,
  rough = false,
): Promise<TraceEstimate> {
  if (rough && !window) {
    const few = await estimateFrom(parts, undefined, FEW_EXCERPTS)
    if (surelyFits(few)) return few
  }
  return estimateFrom(parts, window)
}

async function estimateFrom(
  parts: readonly TraceFile[],
  window?: TimeWindow,
  maxExcerpts?: number,
): Promise<TraceEstimate> {
  const places = excerptPlaces(
    parts.map(part => part.blob.size),
    maxExcerpts,
  )
  const heads = await readAll(parts, ({ blob }) => bytesAt(blob, 0, PROBE_BYTES))
  const tails = await readAll(parts, ({ blob }) => bytesAt(blob, blob.size - PROBE_BYTES, blob.size))
  const excerpts = await readAll(places, ([file, offset]) =>
    bytesAt(parts[file]?.blob ?? new Blob(), offset, offset + EXCERPT_BYTES),
  )
  const probes = parts.map(({ name, blob, pattern }) => ({ name, path: name, size: blob.size, pattern }))
  return estimate(
    JSON.stringify(probes),
    heads,
    tails,
    window && JSON.stringify(window),
    undefined,
    JSON.stringify(places),
    excerpts,
  )
}
