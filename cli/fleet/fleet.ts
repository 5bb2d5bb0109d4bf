/**
 * `seekscope fleet`: digests of a folder of recordings, with all cores. It resumes where it stopped, and reads nothing
 * twice that has not changed.
 */

import { relative } from 'node:path'
import { version } from '../../package.json'
import type { Geometry } from '../../web/engine/protocol'
import { visibleLine } from '../../web/lib/text/visible'
import { type Recording, recordingsIn } from '../input/find/recordings'
import { askThread, workAside } from '../input/read/pool'
import { cores } from '../input/read/threads'
import { complain, progress, say } from '../output/progress'
import { packageFile } from '../places'
import { type FleetProblem, openJournal, type ReadRecording } from './journal'
import { fleetTables } from './results'

/** A recording that a thread reads. */
export interface FleetTask {
  readonly source: string
  readonly path: string
  /** Hash of the recording when its rows were last made; absent: never. */
  readonly previousHash?: string
  /** Result of `madeBy`. */
  readonly made: string
  readonly limited: boolean
  readonly geometry?: Geometry
}

/** Result of a thread: the rows of a recording, or that it is unchanged. */
export type DigestedRecording = ReadRecording | { readonly source: string; readonly unchanged: true }

interface FleetOptions {
  readonly output: string
  readonly limited: boolean
  readonly threads?: number
  readonly geometry?: Geometry
}

const READER = packageFile('dist-cli/fleet.mjs')

/** Everything besides its bytes that affects the rows of a recording. Rows made by other values are not reused. */
export const madeBy = ({ limited, geometry }: Pick<FleetOptions, 'limited' | 'geometry'>): string =>
  [
    `seekscope ${version}`,
    ...(geometry ? [`--stripe ${JSON.stringify(geometry)}`] : []),
    ...(limited ? [] : ['--no-limits']),
  ].join(' ')

/** A crash of the engine costs the recording that it read. */
const crashed = (task: FleetTask, error: Error): DigestedRecording => {
  const problem = { source: task.source, file: task.path, code: 'engine-crashed', message: error.message }
  return { source: task.source, sha256: '', rows: [], problems: [problem] }
}

export async function fleet(folder: string, options: FleetOptions): Promise<void> {
  const { output, limited, threads = cores(), geometry } = options
  const made = madeBy(options)
  const tables = fleetTables(output)
  tables.check(folder)
  const skipped: FleetProblem[] = []
  const recordings = recordingsIn(folder, ({ code, message, remedy, at: place }) => {
    const file = place?.file ?? ''
    skipped.push({
      source: relative(visibleLine(folder), file),
      file,
      code,
      message: remedy ? `${message} ${remedy}` : message,
    })
  })
  const journal = await openJournal(tables, new Set(recordings.map(({ source }) => source)), made)
  let [read, unchanged] = [0, 0]
  try {
    progress.start(
      'Reading',
      recordings.reduce((sum, { bytes }) => sum + bytes, 0),
    )
    for (const problem of skipped) {
      journal.add({ source: problem.source, sha256: '', rows: [], problems: [problem] })
      complain(problem.file, problem.code, problem.message)
    }
    const taskOf = ({ source, path }: Recording): FleetTask => {
      const previousHash = journal.hashOf(source)
      return {
        source,
        path,
        limited,
        made,
        ...(previousHash !== undefined && { previousHash }),
        ...(geometry && { geometry }),
      }
    }
    await workAside(READER, recordings, threads, async (thread, recording) => {
      progress.file(recording.source)
      const task = taskOf(recording)
      const answer = await askThread<DigestedRecording, DigestedRecording>(
        thread,
        task,
        made => made,
        error => crashed(task, error),
      )
      progress.advance(recording.bytes)
      if ('unchanged' in answer) unchanged += 1
      else {
        read += 1
        journal.add(answer)
        for (const { source, file, code, message } of answer.problems)
          complain(file.includes(source) ? file : `${source}: ${file}`, code, message)
      }
    })
    progress.stop()
    await tables.write(journal)
    journal.remove()
  } finally {
    progress.stop()
    journal.close()
  }
  const failed = new Set(journal.problems().map(({ source }) => source)).size
  // Fails even if all failures were already in the journal.
  if (failed > 0) process.exitCode = 1
  const also = failed > 0 ? `; ${failed} with problems: see ${tables.errors}` : ''
  say(
    `${journal.runs()} runs of ${recordings.length} recordings in ${tables.path}: ${read} read, ${unchanged} unchanged${also}`,
  )
}
