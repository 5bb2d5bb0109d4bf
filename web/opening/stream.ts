/** A stream that is being written becomes a run at once, and an ordinary run when it ends. */
import type { OpenEvents } from '../engine/client'
import type { EndedStream, EngineError } from '../engine/protocol'
import { put } from '../state/page'
import { LETTERS, placeRuns } from '../state/runs/runs'
import { followEnd, withSeconds } from '../state/runs/stream'
import type { FollowedRun, Run, StreamedRun } from '../state/types'
import { failTrace, NO_PROGRESS, rereadTrace, withInfo } from './run'
import type { Session, TraceToOpen } from './session'

/** Why a URL of a stream is not opened. */
function refusal(url: string): EngineError | undefined {
  if (URL.canParse(url) && new URL(url).origin === location.origin) return undefined
  return {
    code: 'foreign-stream',
    message: 'A stream is followed only from the command that serves this page.',
    at: { file: url },
    remedy: 'Run `seekscope open -` on this machine, and open the URL that it prints.',
  }
}

/** The retained bytes of a stream as a trace to open. */
function openingOf({ parts, origin, window }: EndedStream, label: string): TraceToOpen {
  return { name: label, label, parts, ...(origin !== undefined && { origin }), ...(window && { window }) }
}

const streamedOf = ({ why, bytes, message }: EndedStream, { status, seconds }: FollowedRun): StreamedRun => ({
  why,
  seconds,
  ...(status && { status }),
  ...(bytes !== undefined && { bytes }),
  ...(message !== undefined && { message }),
})

/** The error of a stream that ended before it sent any event. */
const emptyStreamError = (url: string, { why, message }: EndedStream): EngineError => ({
  code: 'empty-stream',
  message:
    why === 'lost'
      ? `The stream cannot be reached${message ? `: ${message}` : ''}.`
      : 'The stream ended before the first event.',
  at: { file: url },
  remedy:
    why === 'lost'
      ? 'The command that served it has probably ended: start it again.'
      : 'Check the messages of blktrace, and that the device was in use.',
})

/** Reads the retained bytes of an ended stream as an ordinary run. */
function finish(session: Session, trace: number, url: string, ended: EndedStream): void {
  const { runsOf, changeTrace, update } = session
  const run = runsOf(trace)[0]
  if (!run?.stream) return
  if (!run.info) {
    failTrace(session, trace, emptyStreamError(url, ended))
    return
  }
  const streamed = streamedOf(ended, run.stream)
  rereadTrace(session, openingOf(ended, run.label), trace)
  changeTrace(trace, run => ({ ...put(run, 'stream', undefined), streamed, rereadable: true }))
  update(page => ({
    ...put(page, 'following', undefined),
    runs: page.runs.map(r => (r.trace === trace ? put(r, 'stream', undefined) : r)),
  }))
}

/** Follows a stream as a new run. */
export async function openStream(session: Session, url: string): Promise<void> {
  const { engine, update, changeTrace, store } = session
  const refused = refusal(url)
  if (refused || store.getState().runs.length >= LETTERS.length) {
    if (refused)
      update(page => ({ ...page, dialog: { kind: 'errors', title: 'The stream was not opened', errors: [refused] } }))
    return
  }
  const followStream = await engine.following()
  const trace = session.nextTrace()
  const events: OpenEvents = {
    progress: () => undefined,
    partial(info) {
      changeTrace(trace, run => withInfo(run, info))
      update(followEnd)
    },
    ready: () => undefined,
    failed: error => failTrace(session, trace, error),
    stream(message) {
      if (message.type === 'streamEnded') return finish(session, trace, url, message.ended)
      const { status } = message
      changeTrace(trace, ({ stream }) => ({
        stream: { url, status, seconds: withSeconds(stream?.seconds ?? [], status.seconds) },
      }))
    },
  }
  const following = followStream(url, events)
  session.onCancel(trace, following.cancel)
  session.onStop(trace, following.stop)
  const run: Run = {
    id: `run-${trace}`,
    trace,
    letter: 'A',
    linkLetter: 'A',
    label: 'live',
    openedAs: 'live',
    baseline: false,
    hidden: false,
    status: { kind: 'reading', progress: NO_PROGRESS },
    client: following.client,
    device: 0,
    stream: { url, seconds: [] },
  }
  update(page => ({ ...page, following: true, runs: placeRuns([...page.runs, run]) }))
}
