/** The worker of a stream: apart from the engine's, so that the page loads it only for a stream. */
import { answerOf, isOfPicture } from '../answer'
import { CRASHED, toEngineError } from '../errors'
import { compare, compareMatrix, compareText, packSnapshot } from '../generated/seekscope.js'
import type { FromWorker, QueryKind, ToWorker } from '../protocol'
import { createWorkerEngine } from '../workerEngine'
import { followStream, type StreamFollower } from './follow'

const post = (message: FromWorker, transfer: Transferable[] = []) => self.postMessage(message, { transfer })

const { engine, arrived, failed } = createWorkerEngine(post)

const functions = { compare, compareMatrix, compareText, packSnapshot }

const arraysOf = (answer: unknown): Transferable[] =>
  Object.values(answer ?? {}).flatMap(value =>
    ArrayBuffer.isView(value) && value.buffer instanceof ArrayBuffer ? [value.buffer] : [],
  )

const answer = async (stream: StreamFollower, id: number, kind: QueryKind, ask: unknown) => {
  if (!isOfPicture(kind)) await engine.load('compare')
  const begin = performance.now()
  const found = answerOf(functions, { query: (_, json) => stream.answer(kind, JSON.parse(json)) }, kind, ask)
  stream.answered(performance.now() - begin)
  post({ type: 'answer', id, answer: found }, arraysOf(found))
}

const refuse = (data: ToWorker, thrown: unknown) => {
  const error = toEngineError(thrown)
  if (data.type === 'query' && error.code !== CRASHED) post({ type: 'refused', id: data.id, error })
  else post({ type: 'failed', error })
}

let stream: StreamFollower | undefined
self.onmessage = ({ data }: MessageEvent<ToWorker>) => {
  try {
    if (data.type === 'follow') {
      engine.start(data.engine)
      stream = followStream(data.url, post, data.limits)
    } else if (data.type === 'stopStream') stream?.stop()
    else if (data.type === 'part') arrived(data.part, data.module)
    else if (data.type === 'partFailed') failed(data.part, data.error)
    else if (data.type === 'query' && stream)
      answer(stream, data.id, data.kind, data.ask).catch(thrown => refuse(data, thrown))
  } catch (thrown) {
    refuse(data, thrown)
  }
}
