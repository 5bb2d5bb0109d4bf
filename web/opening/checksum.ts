/** Checksums of traces: for links and reports with a snapshot, and to compare traces that are dropped on one. */
import { checksumOf } from '../engine/client'
import type { SnapshotCheck } from '../state/types'
import type { Session, TraceToOpen } from './session'

const sums = new WeakMap<TraceToOpen, Promise<string | undefined>>()

/**
 * The checksum of a trace as 64 hex digits; `undefined` if the browser cannot compute it. Cached per trace: hashing
 * takes as long as reading.
 */
function sumOf(opening: TraceToOpen): Promise<string | undefined> {
  const sum = sums.get(opening) ?? checksumOf(opening.parts.map(part => part.blob)).catch(() => undefined)
  sums.set(opening, sum)
  return sum
}

/** Checksums of all open traces, by number of the trace. */
export async function checksums({ store, openingOf }: Session): Promise<ReadonlyMap<number, string>> {
  const sums = new Map<number, string>()
  for (const trace of new Set(store.getState().runs.map(run => run.trace))) {
    const opening = openingOf(trace)
    const sum = opening && (await sumOf(opening))
    if (sum !== undefined) sums.set(trace, sum)
  }
  return sums
}

/** How a trace relates to the page's snapshot. `index`: index of the snapshot's trace that it replaced. */
function checkOf(
  sums: readonly (string | undefined)[],
  index: number | undefined,
  sum: string | undefined,
): SnapshotCheck {
  if (index === undefined) return sum !== undefined && sums.includes(sum) ? 'contradicts' : 'foreign'
  if (sum === undefined || sums[index] === undefined) return 'counts'
  return sums[index] === sum ? 'same' : 'other'
}

/** Compares a trace with the snapshot from which the page was opened, if it was. */
export async function checkTrace(
  { store, runsOf, changeTrace }: Session,
  trace: number,
  opening: TraceToOpen,
): Promise<void> {
  const { snapshot } = store.getState()
  const stored = runsOf(trace)[0]?.digest?.sha256
  if (stored !== undefined) {
    const sum = await sumOf(opening)
    return changeTrace(trace, () => ({ check: sum === undefined ? 'counts' : sum === stored ? 'same' : 'other' }))
  }
  if (!snapshot) return
  const sum = snapshot.sums && (await sumOf(opening))
  const check = checkOf(snapshot.sums ?? [], runsOf(trace)[0]?.snapshotIndex, sum)
  if (store.getState().snapshot === snapshot) changeTrace(trace, () => ({ check }))
}
