/** Lines of the event list as text, piece by piece. */
import type { EventFilter, TraceClient } from '../../engine/protocol'

const PIECE = 8192

/** Lines [from, to) as blkparse prints them. */
export async function* textOf(
  client: TraceClient,
  filter: EventFilter,
  from: number,
  to: number,
): AsyncGenerator<string> {
  for (let at = from; at < to; ) {
    const { text, examined, of, total } = await client.query('eventText', {
      filter,
      offset: at,
      limit: Math.min(PIECE, to - at),
    })
    const end = Math.min(to, total, at + PIECE)
    if (end > at) yield text
    if (end <= at && examined >= of) return
    at = Math.max(at, end)
  }
}
