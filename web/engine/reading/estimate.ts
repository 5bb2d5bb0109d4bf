/**
 * How large a trace is, from both ends of its files and from excerpts in between. Runs in a worker; the engine's module
 * must be set up.
 */
import { estimate } from '../generated/seekscope.js'
import type { TimeWindow, TraceEstimate, TraceFile } from '../protocol'
import { EXCERPT_BYTES, excerptPlaces, FEW_EXCERPTS, PROBE_BYTES } from './probe'

/** Reads at once: enough to keep a disk busy. */
const TOGETHER = 16

/** An unreadable place has no events; reading the file reports the error. */
const bytesAt = async (blob: Blob, from: number, to: number): Promise<Uint8Array> =>
  new Uint8Array(
    await blob
      .slice(Math.max(0, from), to)
      .arrayBuffer()
      .catch(() => new ArrayBuffer()),
  )

async function readAll<T>(items: readonly T[], read: (item: T) => Promise<Uint8Array>): Promise<Uint8Array[]> {
  const all: Uint8Array[] = []
  for (let from = 0; from < items.length; from += TOGETHER)
    all.push(...(await Promise.all(items.slice(from, from + TOGETHER).map(read))))
  return all
}

/** A trace that is estimated to need less than this share of the memory surely fits: a few excerpts are off by less. */
const SURE_SHARE = 0.5

/** With `rough`, a few excerpts are enough if the complete trace surely fits: a browser needs 2 ms for each. */
export async function estimateTrace(
  parts: readonly TraceFile[],
  window?: TimeWindow,
  rough = false,
): Promise<TraceEstimate> {
  if (rough && !window) {
    const few = await estimateFrom(parts, undefined, FEW_EXCERPTS)
    if (few.bytes < SURE_SHARE * few.capacity) return few
  }
  return estimateFrom(parts, window)
}

async function estimateFrom(parts: readonly TraceFile[], window?: TimeWindow, most?: number): Promise<TraceEstimate> {
  const places = excerptPlaces(
    parts.map(part => part.blob.size),
    most,
  )
  const heads = await readAll(parts, ({ blob }) => bytesAt(blob, 0, PROBE_BYTES))
  const tails = await readAll(parts, ({ blob }) => bytesAt(blob, blob.size - PROBE_BYTES, blob.size))
  const excerpts = await readAll(places, ([file, at]) =>
    bytesAt(parts[file]?.blob ?? new Blob(), at, at + EXCERPT_BYTES),
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
