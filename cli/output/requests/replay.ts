/** `seekscope replay`: the requests of a trace as a fio iolog, or as a dump of version 7. */
import type { DeviceInfo, RequestColumns, TraceInfo } from '../../../web/engine/protocol'
import { pages } from '../../../web/export/file'
import { count, counted } from '../../../web/lib/format'
import { ofEachTrace } from '../../input/read/traces'
import { UsageError } from '../../program/usage'
import type { TraceInputs } from '../../program/values'
import { outputTarget } from '../output'
import { say } from '../progress'
import { dump, type ReplayRequest } from './dump'
import { ACTIONS, type IologTiming, iolog, replayTime } from './iolog'

export interface ReplayOptions {
  /** `closed-loop`: a folder with a job per process. */
  readonly format: 'fio' | 'dump' | 'closed-loop'
  readonly output?: string
  /** Name or number of the only device to write. */
  readonly device?: string
  readonly timing: IologTiming
  /** Path of the device in the iolog. */
  readonly filename?: string
}

/** The devices to replay: the named one, else all disks, else (arrays alone) all. */
function chosen(info: TraceInfo, name: string | undefined): readonly DeviceInfo[] {
  const busy = info.devices.filter(device => device.requests > 0)
  if (name !== undefined) {
    const matching = busy.filter(device => device.name === name || device.dev === name)
    if (matching.length === 0)
      throw new UsageError(
        `--device: the trace has no device ${name} with requests; it has ${busy.map(d => d.name).join(', ')}`,
      )
    return matching
  }
  const disks = busy.filter(device => device.role === 'disk')
  return disks.length > 0 ? disks : busy
}

function requestsOf(rows: RequestColumns, device: DeviceInfo, pids: ReadonlyMap<number, number>): ReplayRequest[] {
  const value = (list: ArrayLike<number>, i: number) => list[i] ?? Number.NaN
  const passthrough = 1 << rows.names.flags.indexOf('passthrough')
  return Array.from({ length: rows.n }, (_, i) => i).flatMap(i => {
    const op = rows.names.op[value(rows.op, i)] ?? ''
    const bytes = value(rows.bytes, i)
    if ((value(rows.flags, i) & passthrough) !== 0 || ACTIONS[op] === undefined || (bytes === 0 && op !== 'flush'))
      return []
    return {
      device,
      op,
      rwbs: rows.names.rwbs[value(rows.rwbs, i)] ?? '',
      sector: Number.isNaN(value(rows.sector, i)) ? 0 : value(rows.sector, i),
      bytes,
      pid: pids.get(value(rows.process, i)) ?? 0,
      submitCpu: value(rows.submitCpu, i),
      completeCpu: value(rows.completeCpu, i),
      error: value(rows.error, i),
      queued: value(rows.queued, i),
      issued: value(rows.issued, i),
      completed: value(rows.completed, i),
    }
  })
}

/** The requests of a trace that can be replayed, in the order of their times. */
export interface ReplayedTrace {
  readonly label: string
  readonly info: TraceInfo
  /** Number of requests without data, or passed through to the device. */
  readonly left: number
  readonly requests: readonly ReplayRequest[]
}

/** The requests of each trace among the paths; `device`: of this device only. */
export const readReplays = (inputs: TraceInputs, device: string | undefined): Promise<readonly ReplayedTrace[]> =>
  ofEachTrace(inputs, async ({ trace, label }) => {
    const info = trace.query('info', {})
    const pids = new Map(info.processes.map(process => [process.index, process.pid]))
    const requests: ReplayRequest[] = []
    let left = 0
    for (const shownDevice of chosen(info, device)) {
      for await (const rows of pages(ask => trace.query('columns', ask), { filter: { device: shownDevice.index } })) {
        const replayed = requestsOf(rows, shownDevice, pids)
        left += rows.n - replayed.length
        for (const request of replayed) requests.push(request)
      }
    }
    return { label, info, left, requests: requests.sort((a, b) => replayTime(a) - replayTime(b)) }
  })

export async function replay(inputs: TraceInputs, options: ReplayOptions): Promise<void> {
  const { format, output, device, timing, filename } = options
  const found = await readReplays(inputs, device)
  const [only] = found
  if (only === undefined) return
  if (found.length > 1)
    throw new UsageError(
      `replay takes one trace; the paths have ${found.length}: ${found.map(f => f.label).join(', ')}`,
    )
  if (only.left > 0)
    say(
      `left out ${counted(only.left, 'request')} without data or passed through to the device; ${count(only.requests.length)} written`,
    )
  if (format === 'closed-loop') {
    const { writeClosedLoop } = await import('./closedLoop')
    return writeClosedLoop(only.requests, only.info, output ?? '', filename)
  }
  const target = outputTarget(output)
  try {
    const text = new TextEncoder()
    if (format === 'dump') for (const bytes of dump(only.requests, only.info)) await target.write(bytes)
    else
      for (const lines of iolog(only.requests, ({ name }) => filename ?? `/dev/${name}`, timing))
        await target.write(text.encode(lines))
    target.keep()
  } finally {
    target.drop()
  }
}
