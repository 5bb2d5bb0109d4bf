/** The page's side of a stream that is followed. */
import { type OpenEvents, type OpenedTrace, openWith } from '../client'
import StreamWorker from './worker?worker&inline'

export interface FollowedStream extends OpenedTrace {
  /** Ends the stream; the bytes received so far become an ordinary run. */
  stop(): void
}

/** Follows a stream at a URL of this page's host. `ready` never comes: its end is a message of the stream. */
export const followStream = (url: string, events: OpenEvents): FollowedStream => {
  const {
    addBeside: _,
    tell,
    ...opened
  } = openWith(engine => ({ type: 'follow', engine, url }), events, new StreamWorker())
  return { ...opened, stop: () => tell({ type: 'stopStream' }) }
}
