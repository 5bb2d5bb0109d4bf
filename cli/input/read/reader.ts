/** A thread that reads traces for `threads.ts`, one after another. */
import { parentPort, workerData } from 'node:worker_threads'
import { isEngineError } from '../../../web/engine/errors'
import { inputOfPlaced } from '../find/inputs'
import { startEngine } from './engine'
import { answerOfTrace } from './read'
import type { ThreadMessage, ThreadTask } from './threads'

const say = (message: ThreadMessage): void => parentPort?.postMessage(message)
const engine = startEngine(workerData)

parentPort?.on('message', async ({ opening, kind, ask, threads }: ThreadTask) => {
  const { files, beside, ...rest } = opening
  try {
    const placed = { ...rest, files: files.map(inputOfPlaced), beside: beside.map(inputOfPlaced) }
    say({ answer: await answerOfTrace(engine, placed, kind, ask, threads, (file, bytes) => say({ file, bytes })) })
  } catch (error) {
    if (!isEngineError(error)) throw error
    say({ error })
  }
})
