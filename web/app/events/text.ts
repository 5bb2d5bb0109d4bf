/** Lines of the event list as text, piece by piece. */
import type { EventFilter, TraceClient } from '../../engine/protocol'

const PIECE = 8192

/** Lines [from, to) as blkparse prints them. */
export async function* eventText(
  client: TraceClient,
  filter: EventFilter,
  from: number,
  to: number,
): AsyncGenerator<string> {
  for (let start = from; start < to; ) {
    const {
      text,
      examined,
      of: eventCount,
      total,
    } = await client.query('eventText', {
      filter,
      offset: start,
      limit: Math.min(PIECE, to - start),
    })
    const end = Math.min(to, total, start + PIECE)
    if (end > start) yield text
    if (end <= start && examined >= eventCount) return
    start = Math.max(start, end)
  }
}
