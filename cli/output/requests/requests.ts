/** `seekscope requests`: every request of the traces, as one file. */
import type { Geometry } from '../../../web/engine/protocol'
import { createFile, type ExportFormat, pages } from '../../../web/export/file'
import { ns } from '../../../web/lib/units'
import { ofEachTrace } from '../../input/read/traces'
import type { TimeLimits, TraceInputs } from '../../program/values'
import { outputTarget } from '../output'

interface RequestsOptions {
  readonly output?: string
  readonly format: ExportFormat
  /** Whether names in CSV stay unchanged, even if a spreadsheet would run them as formulas. */
  readonly raw: boolean
  readonly geometry?: Geometry
  readonly range?: TimeLimits
}

export async function requests(
  inputs: TraceInputs,
  { output, format, raw, geometry, range }: RequestsOptions,
): Promise<void> {
  const { write, keep, drop } = outputTarget(output)
  // Else rows are left out, or in another order.
  const isComplete = !geometry && !range
  try {
    const file = await createFile(format, write, raw)
    const rowsOfRun = new Map<string, number>()
    const traces = await ofEachTrace({ ...inputs, prefersComplete: true }, async ({ trace, label, path }) => {
      const info = trace.query('info', {})
      const objects = trace.query('objectNames', {})
      const owner = {
        run: label,
        trace: path.replace(/\.blktrace\.\d+$/, ''),
        info,
        objects,
        ...(isComplete && { before: rowsOfRun.get(label) ?? 0 }),
      }
      const window = range && { range: { t0: ns(range.t0 ?? 0), t1: ns(range.t1 ?? info.span + 1) } }
      // A geometry is that of a device: with one, each device is queried separately.
      const filters = geometry ? info.devices.map(({ index }) => ({ filter: { device: index, geometry } })) : [{}]
      for (const filter of filters) {
        for await (const page of pages(ask => trace.query('columns', ask), { ...filter, ...window })) {
          await file.add(page, owner)
          rowsOfRun.set(label, (rowsOfRun.get(label) ?? 0) + page.n)
        }
      }
    })
    await file.finish()
    if (traces.length > 0) keep()
  } finally {
    drop()
  }
}
