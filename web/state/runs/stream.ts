/** Runs that are being written: the view that follows them, and the seconds that are kept of them. */
import type { StreamSecond } from '../../engine/protocol'
import { ns } from '../../lib/units'
import { endOf } from '../filter'
import type { Page } from '../page'
import { replace } from '../trail'

/** How much of a stream is in view while it is followed. */
export const FOLLOWED_NS = 60e9

/** The last minute of the stream that is furthest; everything while that is less. */
export function withEnd(page: Page): Page {
  const ends = page.runs.flatMap(run => (run.stream && run.info ? [endOf(run) + (run.shift ?? 0)] : []))
  if (!page.following || ends.length === 0) return page
  const end = Math.max(...ends)
  const range = end <= FOLLOWED_NS ? undefined : { t0: ns(end - FOLLOWED_NS), t1: ns(end) }
  return { ...page, trail: replace(page.trail, range) }
}

/** Seconds that are kept at most: twice the columns of a wide strip. */
const MAX_SECONDS = 3600

/** Two that follow each other as one; the worse of both percentiles. */
function together(a: StreamSecond, b: StreamSecond): StreamSecond {
  const length = a.length + b.length
  const mean = (of: (second: StreamSecond) => number) => (of(a) * a.length + of(b) * b.length) / length
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

/** With more seconds; when there are many, neighbours are joined. */
export function withSeconds(before: readonly StreamSecond[], more: readonly StreamSecond[]): readonly StreamSecond[] {
  const all = more.length === 0 ? before : [...before, ...more]
  if (all.length <= MAX_SECONDS) return all
  return all.flatMap((second, i) => {
    const next = all[i + 1]
    return i % 2 === 1 ? [] : [next ? together(second, next) : second]
  })
}
