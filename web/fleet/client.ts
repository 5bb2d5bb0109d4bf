/** The page's side of a table of digests, and of runs from one. */
import { engineCrashed } from '../engine/errors'
import { comparingEngine } from '../engine/module'
import type { EngineError, TraceClient } from '../engine/protocol'
import { createQuestions } from '../engine/questions'
import { tableError } from './errors'
import type { FromTableWorker, TableQuestion, TableQuestions } from './protocol'
import type { Column, TableCell } from './table/columns'
import type { FleetOutline, StoredOutline, TableSource } from './table/outline'
import TableWorker from './worker?worker&inline'

/** Longer than any table within the limits takes: what takes longer is a damaged file. */
const MAX_MS = 60_000

const start = (failed: (error: EngineError) => void) => {
  const worker = new TableWorker()
  const pending = new Map<number, { resolve(answer: unknown): void; reject(reason: unknown): void }>()
  const end = (reason: unknown) => {
    worker.terminate()
    for (const { reject } of pending.values()) reject(reason)
    pending.clear()
  }
  const crash = (error: EngineError) => {
    end(error)
    failed(error)
  }
  worker.onerror = event => {
    event.preventDefault()
    crash(engineCrashed(event.message || 'its worker could not run'))
  }
  worker.onmessage = ({ data }: MessageEvent<FromTableWorker>) => {
    const request = pending.get(data.id)
    pending.delete(data.id)
    if ('error' in data) request?.reject(data.error)
    else request?.resolve(data.answer)
  }
  let last = 0
  return {
    end,
    ask: <K extends TableQuestion>(kind: K, ask: TableQuestions[K]['ask']): Promise<TableQuestions[K]['answer']> =>
      new Promise((resolve, reject) => {
        last += 1
        const timer = setTimeout(() => {
          crash(
            tableError(
              'digests-damaged',
              'Reading the table took more than a minute.',
              'The file is most likely damaged. Select fewer rows with DuckDB or Spark, or make it again.',
            ),
          )
        }, MAX_MS)
        const settle =
          <T>(callback: (value: T) => void) =>
          (value: T) => {
            clearTimeout(timer)
            callback(value)
          }
        pending.set(last, { resolve: settle(resolve as (answer: unknown) => void), reject: settle(reject) })
        worker.postMessage({ id: last, kind, ask })
      }),
  }
}

/** An open table; its columns are read when they are first asked for. */
export interface FleetClient {
  readonly outline: FleetOutline
  /** Columns in the order of the names. Rejects with an EngineError. */
  columns(names: readonly string[]): Promise<readonly Column[]>
  cells(name: string, rows: readonly number[]): Promise<readonly TableCell[]>
  close(): void
}

/** Opens files as one table, in a worker. Rejects with an EngineError. */
export async function openFleet(sources: readonly TableSource[]): Promise<FleetClient> {
  const worker = start(() => undefined)
  try {
    const outline = await worker.ask('open', { engine: await comparingEngine(), sources })
    return {
      outline,
      columns: names => worker.ask('columns', { names }),
      cells: (name, rows) => worker.ask('cells', { name, rows }),
      close: () => worker.end(new DOMException('The table was closed', 'AbortError')),
    }
  } catch (reason) {
    worker.end(reason)
    throw reason
  }
}

/** Runs of a table in the engine. */
export interface StoredRuns {
  readonly outlines: readonly StoredOutline[]
  /** Opens a run by its index, each at most once. The worker ends with its last open run. */
  openRun(index: number): { readonly client: TraceClient; cancel(): void }
}

/** `failed` when the engine dies. Rejects with an EngineError. */
export async function storeRuns(texts: readonly string[], failed: (error: EngineError) => void): Promise<StoredRuns> {
  const worker = start(failed)
  try {
    const outlines = await worker.ask('store', { engine: await comparingEngine(), texts })
    const open = new Set<number>()
    return {
      outlines,
      openRun(trace) {
        open.add(trace)
        const questions = createQuestions(
          (id, kind, query) => {
            worker.ask('query', { trace, kind, query }).then(
              answer => questions.answered(id, answer),
              reason => questions.refused(id, reason),
            )
          },
          { reading: false },
        )
        return {
          client: questions.client,
          cancel() {
            open.delete(trace)
            const closed = new DOMException('The run was closed', 'AbortError')
            questions.end(closed)
            if (open.size === 0) worker.end(closed)
          },
        }
      },
    }
  } catch (reason) {
    worker.end(reason)
    throw reason
  }
}
