/** What is written where a run has ended and another goes on. */
import { duration, seconds } from '../../../lib/format'
import type { Shown } from '../answers/shown'
import { UNREAD } from '../answers/words'

/** `A ends at 4.03 s; B runs 3.74 s longer`, or that the rest is not read yet. */
export function endNoteOf(run: Shown, shown: readonly Shown[]): string | undefined {
  if (!run.info.complete) return UNREAD
  const moved = shown.some(other => other.moved !== 0)
  const longest = shown.reduce((a, b) => (b.end > a.end ? b : a), run)
  if (longest.end <= run.end && !moved) return undefined
  const time = (t: number) => (longest.end >= 1e9 ? `${seconds(t, 2)} s` : duration(t))
  const ends = `${run.letter} ends at ${time(run.end - run.moved)}`
  return longest.info.complete && !moved
    ? `${ends}; ${longest.letter} runs ${time(longest.end - run.end)} longer`
    : ends
}
