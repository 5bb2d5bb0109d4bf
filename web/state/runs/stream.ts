/** Runs that are being written: the view that follows them, and the seconds that are kept of them. */
import type { StreamSecond } from '../../engine/protocol'
import { ns } from '../../lib/units'
import { endOf } from '../filter'
import type { Page } from '../page'
import { replace } from '../trail'

/** Time range in view while a stream is followed, ns. */
const FOLLOWED_NS = 60e9

/** Shows the last minute of the longest stream, or all of it while it is shorter. */
export function followEnd(page: Page): Page {
  const ends = page.runs.flatMap(run => (run.stream && run.info ? [endOf(run) + (run.shift ?? 0)] : []))
  if (!page.following || ends.length === 0) return page
  const end = Math.max(...ends)
  const range = end <= FOLLOWED_NS ? undefined : { t0: ns(end - FOLLOWED_NS), t1: ns(end) }
  return { ...page, trail: replace(page.trail, range) }
}

/** Maximum number of seconds that are kept: twice the columns of a wide strip. Beyond it, neighbours are merged. */
const MAX_SECONDS = 3600

/** Merges two adjacent seconds: means weighted by length, and the worse p99, because percentiles cannot be averaged. */
function mergeSeconds(a: StreamSecond, b: StreamSecond): StreamSecond {
  const length = a.length + b.length
  const mean = (getValue: (second: StreamSecond) => number) =>
    (getValue(a) * a.length + getValue(b) * b.length) / length
  const p99 = Math.max(a.p99 ?? 0, b.p99 ?? 0)
  return {
    at: a.at,
    length: ns(length),
    readBps: mean(second => second.readBps),
    writeBps: mean(second => second.writeBps),
    depth: mean(second => second.depth),
    ...(p99 > 0 && { p99: ns(p99) }),
  }
}

/** Appends seconds; beyond `MAX_SECONDS`, adjacent pairs are merged. */
export function withSeconds(before: readonly StreamSecond[], more: readonly StreamSecond[]): readonly StreamSecond[] {
  const all = more.length === 0 ? before : [...before, ...more]
  if (all.length <= MAX_SECONDS) return all
  return all.flatMap((second, i) => {
    const next = all[i + 1]
    return i % 2 === 1 ? [] : [next ? mergeSeconds(second, next) : second]
  })
}
