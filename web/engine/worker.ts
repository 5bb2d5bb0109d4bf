/** One per trace: reads its files, feeds the engine, answers questions. */
import { engineUnavailable } from './errors'
import type { FromWorker, ToWorker } from './protocol'

const post = (message: FromWorker) => self.postMessage(message)

self.onmessage = ({ data }: MessageEvent<ToWorker>) => {
  const error = engineUnavailable(new Error('this build has no engine'))
  if (data.type === 'query') post({ type: 'refused', id: data.id, error })
  else post({ type: 'failed', error })
}
