/** `seekscope requests`: every request of the traces, as one file. */
import { closeSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import type { Geometry } from '../web/engine/protocol'
import { createFile, type ExportFormat, pages } from '../web/export/file'
import { ns } from '../web/lib/units'
import { ofEachTrace } from './traces'
import { UsageError } from './usage'
import type { TimeLimits, TraceInputs } from './values'

/** Where the table goes. `drop` removes what is not finished. */
interface TableTarget {
  write(bytes: Uint8Array): void | Promise<void>
  keep(): void
  drop(): void
}

const standardOutput: TableTarget = {
  write: bytes => new Promise<void>(resolve => process.stdout.write(bytes, () => resolve())),
  keep: () => undefined,
  drop: () => undefined,
}

function openTarget(path: string): number {
  try {
    return openSync(path, 'w')
  } catch (error) {
    throw new UsageError(`-o: cannot write ${path}: ${error instanceof Error ? error.message : error}`)
  }
}

/** Written under another name first, so that a file at `path` is always complete. */
function fileTarget(path: string): TableTarget {
  const part = `${path}.part`
  const fd = openTarget(part)
  return {
    write(bytes) {
      for (let from = 0; from < bytes.length; ) from += writeSync(fd, bytes, from)
    },
    keep() {
      closeSync(fd)
      renameSync(part, path)
    },
    drop() {
      closeSync(fd)
      rmSync(part)
    },
  }
}

export async function requests(
  inputs: TraceInputs,
  { output, format, geometry, range }: { output?: string; format: ExportFormat; geometry?: Geometry; range?: TimeLimits },
): Promise<void> {
  const { write, keep, drop } = output === undefined ? standardOutput : fileTarget(output)
  const file = await createFile(format, write)
  try {
    const traces = await ofEachTrace(inputs, async ({ trace, label, path }) => {
      const info = trace.query('info', {})
      const of = { run: label, trace: path.replace(/\.blktrace\.\d+$/, ''), info }
      const window = range && { range: { t0: ns(range.t0 ?? 0), t1: ns(range.t1 ?? info.span + 1) } }
      // A geometry is that of a device: with one, each device is queried separately.
      const filters = geometry ? info.devices.map(({ index }) => ({ filter: { device: index, geometry } })) : [{}]
      for (const filter of filters) {
        for await (const page of pages(ask => trace.query('columns', ask), { ...filter, ...window })) await file.add(page, of)
      }
    })
    await file.finish()
    if (traces.length > 0) keep()
    else drop()
  } catch (error) {
    drop()
    throw error
  }
}
