/** A thread that reads traces for `threads.ts`, one after another. */
import { parentPort, workerData } from 'node:worker_threads'
import { isEngineError } from '../web/engine/errors'
import { answerOfTrace, startEngine } from './engine'
import { inputAt } from './inputs'
import type { PlacedFile, ThreadMessage, ThreadTask } from './threads'

const say = (message: ThreadMessage): void => parentPort?.postMessage(message)
const engine = startEngine(workerData)

/** The file stays open: the thread that opened it closes it. */
const inputOf = ({ place, ...file }: PlacedFile) => inputAt({ ...file, lastModified: 0, named: false }, place)

parentPort?.on('message', ({ opening, kind, ask }: ThreadTask) => {
  const { files, counters, ...rest } = opening
  try {
    const placed = { ...rest, files: files.map(inputOf), counters: counters.map(inputOf) }
    say({ answer: answerOfTrace(engine, placed, kind, ask, (file, bytes) => say({ file, bytes })) })
  } catch (error) {
    if (!isEngineError(error)) throw error
    say({ error })
  }
})
