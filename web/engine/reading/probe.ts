/** How many bytes of a file are read to classify it, on the page and on the command line. */
import type { TraceEstimate } from '../protocol'

/** From both ends of a file: whether it is part of a trace. */
export const PROBE_BYTES = 64 << 10
/** From the start of a file: whether it is an archive or compressed. */
export const CONTAINER_BYTES = 512
/** From the start of a text next to traces: its facts. */
export const NOTE_BYTES = 1 << 20
/** From the start of a file next to a trace: all that is read of counters, and a piece of other files. */
export const BESIDE_BYTES = 16 << 20
/** Whether a file of a trace may be text: the per-CPU files of blktrace are not. */
export const mayBeText = ({ name }: { readonly name: string }): boolean => !/\.blktrace\.\d+$/.test(name)

/** From the start of a text without a trace: results of benchmarks. */
export const RESULT_BYTES = 8 << 20
/** Limits of all such texts together: bytes, and number. A folder may have thousands. */
const ALL_RESULT_BYTES = 64 << 20
const MAX_RESULTS = 500

/** The first texts whose results are read. */
export function selectTexts<T>(texts: readonly T[], size: (text: T) => number): readonly T[] {
  let bytes = 0
  const selected = texts.slice(0, MAX_RESULTS)
  const end = selected.findIndex(text => {
    bytes += Math.min(size(text), RESULT_BYTES)
    return bytes > ALL_RESULT_BYTES
  })
  return end < 0 ? selected : selected.slice(0, end)
}

/** A trace whose files are smaller than this fits into memory without an estimate. */
export const FITTING_BYTES = 256 << 20
/** Size of an excerpt from within a file, for an estimate. */
export const EXCERPT_BYTES = 8 << 10
/** Number of excerpts of a trace: for an estimate, and only to know whether it fits. */
const MAX_EXCERPTS = 480
export const FEW_EXCERPTS = 16
/**
 * A trace surely fits if its estimate from few excerpts is below this share of the memory: they are never wrong by a
 * factor of two.
 */
const SURE_SHARE = 0.5

/** Whether an estimate from few excerpts shows that the trace fits into memory. */
export const surelyFits = ({ bytes, capacity }: Pick<TraceEstimate, 'bytes' | 'capacity'>): boolean =>
  bytes < SURE_SHARE * capacity

/** Evenly spread places within files of these sizes at which excerpts begin: index of the file and byte. */
export function excerptPlaces(
  sizes: readonly number[],
  maxExcerpts = MAX_EXCERPTS,
): readonly (readonly [number, number])[] {
  const inside = sizes.map(size => Math.max(0, size - 2 * PROBE_BYTES))
  const all = inside.reduce((sum, n) => sum + n, 0)
  return inside.flatMap((bytes, file) => {
    const n = Math.min(Math.floor(bytes / EXCERPT_BYTES), Math.ceil((maxExcerpts * bytes) / Math.max(1, all)))
    return Array.from({ length: n }, (_, i) => [file, PROBE_BYTES + Math.floor((bytes * (i + 0.5)) / n)] as const)
  })
}
