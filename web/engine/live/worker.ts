/** The worker of a stream: apart from the engine's, so that the page loads it only for a stream. */
import { answerOf } from '../answer'
import { CRASHED, toEngineError } from '../errors'
import { compare, compareMatrix, compareText, initSync, packSnapshot } from '../generated/seekscope.js'
import type { FromWorker, QueryKind, ToWorker } from '../protocol'
import { followStream, type StreamFollower } from './follow'

const ENGINE = { compare, compareMatrix, compareText, packSnapshot }

const post = (message: FromWorker, transfer: Transferable[] = []) => self.postMessage(message, { transfer })

const arraysOf = (answer: unknown): Transferable[] =>
  Object.values(answer ?? {}).flatMap(value =>
    ArrayBuffer.isView(value) && value.buffer instanceof ArrayBuffer ? [value.buffer] : [],
  )

const answer = (stream: StreamFollower, id: number, kind: QueryKind, ask: unknown) => {
  const begin = performance.now()
  const found = answerOf(
    ENGINE,
    { query: (kind, query) => stream.answer(kind as QueryKind, JSON.parse(query)) },
    kind,
    ask,
  )
  stream.answered(performance.now() - begin)
  post({ type: 'answer', id, answer: found }, arraysOf(found))
}

let stream: StreamFollower | undefined
self.onmessage = ({ data }: MessageEvent<ToWorker>) => {
  try {
    if (data.type === 'follow') {
      initSync({ module: data.module })
      stream = followStream(data.url, post, data.limits)
    } else if (data.type === 'stopStream') stream?.stop()
    else if (data.type === 'query' && stream) answer(stream, data.id, data.kind, data.ask)
  } catch (thrown) {
    const error = toEngineError(thrown)
    if (data.type === 'query' && error.code !== CRASHED) post({ type: 'refused', id: data.id, error })
    else post({ type: 'failed', error })
  }
}
