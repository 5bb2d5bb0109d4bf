/** A thread that reads traces for `threads.ts`, one after another. */
import { parentPort, workerData } from 'node:worker_threads'
import { isEngineError } from '../web/engine/errors'
import { readTrace, startEngine } from './engine'
import { inputAt } from './inputs'
import type { PlacedFile, ThreadMessage, ThreadTask } from './threads'

const say = (message: ThreadMessage): void => parentPort?.postMessage(message)
const engine = startEngine(workerData)

/** The file stays open: the thread that opened it closes it. */
const inputOf = ({ place, ...file }: PlacedFile) => inputAt({ ...file, lastModified: 0, named: false }, place)

parentPort?.on('message', ({ opening, kind, ask }: ThreadTask) => {
  const { files, counters, ...rest } = opening
  try {
    const trace = readTrace(engine, { ...rest, files: files.map(inputOf), counters: counters.map(inputOf) }, (file, bytes) => say({ file, bytes }))
    say({ answer: trace.query(kind, ask) })
    trace.free()
  } catch (error) {
    if (!isEngineError(error)) throw error
    say({ error })
  }
})
