/** A thread that makes digests of recordings for `fleet.ts`, one after another. */
import { parentPort, workerData } from 'node:worker_threads'
import { isEngineError } from '../../web/engine/errors'
import { visibleLine } from '../../web/lib/text/visible'
import { hashOf } from '../input/find/recordings'
import { systemWords } from '../input/find/system'
import { startEngine } from '../input/read/engine'
import { messages } from '../output/progress'
import { rowsOfTraces } from './digest'
import type { DigestedRecording, FleetTask } from './fleet'
import type { FleetProblem } from './journal'

startEngine(workerData)

async function digestRecording({
  source,
  path,
  previousHash,
  made,
  limited,
  geometry,
}: FleetTask): Promise<DigestedRecording> {
  const problems: FleetProblem[] = []
  messages.complain = (file, code, message) => void problems.push({ source, file, code, message })
  messages.say = () => undefined
  let sha256 = ''
  try {
    sha256 = hashOf(path) ?? ''
    if (sha256 === previousHash) return { source, unchanged: true }
    const rows = await rowsOfTraces({ paths: [path], limited, threads: 1 }, geometry)
    if (rows.length === 0 && problems.length === 0)
      problems.push({ source, file: visibleLine(path), code: 'no-trace', message: 'No trace found.' })
    return {
      source,
      sha256,
      rows: rows.map(row => ({ ...row, source, source_sha256: sha256, made_by: made })),
      problems,
    }
  } catch (error) {
    const [code, message] = isEngineError(error) ? [error.code, error.message] : ['unreadable', systemWords(error)]
    return { source, sha256, rows: [], problems: [...problems, { source, file: visibleLine(path), code, message }] }
  }
}

parentPort?.on('message', async (task: FleetTask) => parentPort?.postMessage(await digestRecording(task)))
