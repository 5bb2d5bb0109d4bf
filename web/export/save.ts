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
  /** The runs; several may be devices of one trace. */
  readonly runs: readonly CompleteRun[]
  /** Only requests of this view; absent: all requests of all devices. */
  readonly view?: View
  readonly format: ExportFormat
}

export interface RequestBlob {
  readonly blob: Blob
  readonly rows: number
}

/** Bytes that are collected in memory before they become a Blob, which the browser may store on disk. */
const MAX_PIECES_BYTES = 16 << 20

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
  const blobs: Blob[] = []
  let pieces: BlobPart[] = []
  let size = 0
  const flushPieces = () => {
    blobs.push(new Blob(pieces))
    pieces = []
    size = 0
  }
  const file = await createFile(format, async bytes => {
    pieces.push(bytes as Uint8Array<ArrayBuffer>)
    size += bytes.length
    if (size >= MAX_PIECES_BYTES) flushPieces()
    await yieldToMessages()
    signal.throwIfAborted()
  })
  let rows = 0
  for (const run of runs) {
    const objects = await run.client.query('objectNames', {})
    for (const ask of asksOf(run, view)) {
      for await (const page of pages(query => run.client.query('columns', query), ask)) {
        signal.throwIfAborted()
        await file.add(page, { run: run.label, trace: run.info.name, info: run.info, objects })
        rows += page.n
        progress(rows)
        await yieldToMessages()
      }
    }
  }
  await file.finish()
  flushPieces()
  return { rows, blob: new Blob(blobs, { type: format === 'csv' ? 'text/csv' : 'application/vnd.apache.parquet' }) }
}
