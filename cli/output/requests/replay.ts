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

export interface ReplayOptions {
  readonly format: 'fio' | 'dump'
  readonly output?: string
  /** Name or number of the only device to write. */
  readonly device?: string
  /** Path of the device in the iolog. */
  readonly filename?: string
}

/** Time at which a request is replayed, ns. */
const replayTime = ({ issued, queued, completed }: ReplayRequest): number =>
  [issued, queued, completed].find(t => !Number.isNaN(t)) ?? 0

const ACTIONS: Readonly<Record<string, string>> = { read: 'read', write: 'write', discard: 'trim', flush: 'sync' }

/** Number of lines per write. */
const LINES = 10_000

/**
 * fio's iolog, version 3: time in us since the start, path, action; of an I/O also offset and length in bytes.
 * Source: the section on trace file formats of fio's manual; that times are us, from logs that fio 3.33 wrote.
 */
function* iolog(requests: readonly ReplayRequest[], path: (device: DeviceInfo) => string): Generator<string> {
  const paths = [...new Set(requests.map(r => path(r.device)))]
  yield ['fio version 3 iolog', ...paths.flatMap(p => [`0 ${p} add`, `0 ${p} open`])].map(line => `${line}\n`).join('')
  const start = requests[0] ? replayTime(requests[0]) : 0
  const us = (request: ReplayRequest) => Math.round((replayTime(request) - start) / 1000)
  for (let from = 0; from < requests.length; from += LINES) {
    const lines = requests.slice(from, from + LINES).map(request => {
      const place = request.op === 'flush' ? '0 0' : `${request.sector * 512} ${request.bytes}`
      return `${us(request)} ${path(request.device)} ${ACTIONS[request.op]} ${place}\n`
    })
    yield lines.join('')
  }
  const last = requests.at(-1)
  yield paths.map(p => `${last ? us(last) : 0} ${p} close\n`).join('')
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

export async function replay(inputs: TraceInputs, { format, output, device, filename }: ReplayOptions): Promise<void> {
  const found = await ofEachTrace(inputs, async ({ trace, label }) => {
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
  const target = outputTarget(output)
  try {
    const text = new TextEncoder()
    if (format === 'dump') for (const bytes of dump(only.requests, only.info)) await target.write(bytes)
    else
      for (const lines of iolog(only.requests, of => filename ?? `/dev/${of.name}`))
        await target.write(text.encode(lines))
    target.keep()
  } finally {
    target.drop()
  }
}
