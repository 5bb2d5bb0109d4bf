/** The page's side of a stream that is followed. */
import { type OpenEvents, type OpenedTrace, openWith } from '../client'
import StreamWorker from './worker?worker&inline'

/** A stream that is followed. */
export interface FollowedStream extends OpenedTrace {
  /** Ends it: what has come is its run. */
  stop(): void
}

/** Follows a stream at a URL of this page's host. `ready` never comes: its end is a message of the stream. */
export const followStream = (url: string, on: OpenEvents): FollowedStream => {
  const {
    addCounters: _,
    tell,
    ...opened
  } = openWith(module => ({ type: 'follow', module, url }), on, new StreamWorker())
  return { ...opened, stop: () => tell({ type: 'stopStream' }) }
}
