/** Requests of open runs as one file. */
import type { DeviceInfo, TraceInfo } from '../engine/protocol'
import { ns } from '../lib/units'
import { filterOf } from '../state/filter'
import type { Run, View } from '../state/types'
import { createFile, type ExportFormat, pages, type RequestSelection } from './file'

/** A run that was read to its end. */
export interface CompleteRun extends Run {
  readonly info: TraceInfo
}

export const isRead = (run: Run): run is CompleteRun => run.status.kind === 'ready' && run.info !== undefined

export interface RequestExport {
  /** Several runs may be devices of one trace. */
  readonly runs: readonly CompleteRun[]
  /** Only requests of this view; absent: all requests of all devices. */
  readonly view?: View
  readonly format: ExportFormat
}

export interface RequestBlob {
  readonly blob: Blob
  readonly rows: number
}

/** Bytes kept in memory until they become a Blob, which the browser may keep on disk. */
const HELD = 16 << 20

/** The queries of a run, in ns since the trace's first event. */
export function asksOf(run: CompleteRun, view: View | undefined): readonly RequestSelection[] {
  if (view) {
    const shift = run.shift ?? 0
    return [{ filter: filterOf(run, view), range: { t0: ns(view.range.t0 - shift), t1: ns(view.range.t1 - shift) } }]
  }
  const { geometry, device, alone, info } = run
  if (!geometry && !alone) return [{}]
  const devices = info.devices.filter(d => !alone || d.index === device)
  return devices.map(({ index }: DeviceInfo) => ({
    filter: { device: index, ...(geometry && index === device && { geometry }) },
  }))
}

/** Lets the page draw and handle events. */
const yieldToMessages = () => new Promise<void>(resolve => setTimeout(resolve))

/** Rejects with an EngineError, or with the signal's reason. `progress` is called with the number of rows written. */
export async function requestFile(
  { runs, view, format }: RequestExport,
  progress: (rows: number) => void,
  signal: AbortSignal,
): Promise<RequestBlob> {
  const done: Blob[] = []
  let held: BlobPart[] = []
  let size = 0
  const put = () => {
    done.push(new Blob(held))
    held = []
    size = 0
  }
  const file = await createFile(format, async bytes => {
    held.push(bytes as Uint8Array<ArrayBuffer>)
    size += bytes.length
    if (size >= HELD) put()
    await yieldToMessages()
    signal.throwIfAborted()
  })
  let rows = 0
  for (const run of runs) {
    for (const ask of asksOf(run, view)) {
      for await (const page of pages(asked => run.client.query('columns', asked), ask)) {
        signal.throwIfAborted()
        await file.add(page, { run: run.label, trace: run.info.name, info: run.info })
        rows += page.n
        progress(rows)
        await yieldToMessages()
      }
    }
  }
  await file.finish()
  put()
  return { rows, blob: new Blob(done, { type: format === 'csv' ? 'text/csv' : 'application/vnd.apache.parquet' }) }
}
