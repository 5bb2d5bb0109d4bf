/**
 * `seekscope replay --closed-loop`: a fio job per process, whose requests wait for completions instead of times: on a
 * faster device the replay is faster, as the program would be. Each job issues the requests of its process in their
 * order, with as many in flight as the process had at most, and thinks after each batch as long as the process did on
 * average.
 *
 * Times are those of queueing: what a scheduler holds back between queueing and issue is no thought of the process.
 *
 * fio has no think time per request in an iolog: `wait` counts from the begin of the run. So the mean is
 * kept, not each time.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DeviceInfo, TraceInfo } from '../../../web/engine/protocol'
import type { ReplayRequest } from './dump'
import { iolog } from './iolog'

/** Processes with a job of their own: those with the most requests. fio starts a process or thread for each. */
const MAX_JOBS = 256

/** Time at which a process asked for a request, ns. */
const queueTime = ({ queued, issued, completed }: ReplayRequest): number =>
  [queued, issued, completed].find(time => !Number.isNaN(time)) ?? 0

/** How a process waits for its requests. */
export interface ProcessLoop {
  readonly pid: number
  /** In the order in which the process asked for them. */
  readonly requests: readonly ReplayRequest[]
  /** Most requests in flight at once. */
  readonly depth: number
  /** Mean time from the end of a batch to the begin of the next one, ns; 0 where requests always overlap. */
  readonly think: number
}

/** Depth and think time of the requests of one process. */
export function loopOf(pid: number, sent: readonly ReplayRequest[]): ProcessLoop {
  const requests = sent.toSorted((a, b) => queueTime(a) - queueTime(b))
  const ends = requests
    .map(({ completed }) => completed)
    .filter(time => !Number.isNaN(time))
    .sort((a, b) => a - b)
  let [finished, depth, pauses, think] = [0, 0, 0, 0]
  for (const [started, request] of requests.entries()) {
    const time = queueTime(request)
    while (finished < ends.length && (ends[finished] ?? 0) <= time) finished++
    depth = Math.max(depth, started + 1 - finished)
    // All earlier requests have completed: the process thought since the last of them.
    const last = ends[finished - 1]
    if (started > 0 && finished >= started && last !== undefined) {
      pauses++
      think += time - last
    }
  }
  return { pid, requests, depth: Math.max(1, depth), think: pauses > 0 ? think / pauses : 0 }
}

/** The loops of all processes, most requests first. */
export function loopsOf(requests: readonly ReplayRequest[]): readonly ProcessLoop[] {
  const processes = new Map<number, ReplayRequest[]>()
  for (const request of requests) {
    const list = processes.get(request.pid)
    if (list) list.push(request)
    else processes.set(request.pid, [request])
  }
  return [...processes]
    .map(([pid, sent]) => loopOf(pid, sent))
    .sort((a, b) => b.requests.length - a.requests.length)
    .slice(0, MAX_JOBS)
}

/** A name without characters that a job file or a path takes for something else. */
const plain = (name: string): string => name.replace(/[^\w.+-]+/g, '-').slice(0, 40) || 'process'

export function jobFile(loops: readonly ProcessLoop[], nameOf: (pid: number) => string): string {
  return [
    '# Each job issues its requests when earlier ones complete; times of the recording are not kept.',
    '[global]',
    'ioengine=libaio',
    'direct=1',
    'group_reporting=0',
    ...loops.flatMap(({ pid, depth, think }) => [
      '',
      `[${plain(nameOf(pid))}-${pid}]`,
      `read_iolog=${pid}.iolog`,
      `iodepth=${depth}`,
      ...(think >= 1000 ? [`thinktime=${Math.round(think / 1000)}`, `thinktime_blocks=${depth}`] : []),
    ]),
    '',
  ].join('\n')
}

/** Writes `replay.fio` and an iolog per process into a new folder. */
export async function writeClosedLoop(
  requests: readonly ReplayRequest[],
  info: TraceInfo,
  folder: string,
  filename: string | undefined,
): Promise<void> {
  const names = new Map(info.processes.map(process => [process.pid, process.name]))
  const loops = loopsOf(requests)
  await mkdir(folder)
  const path = (device: DeviceInfo) => filename ?? `/dev/${device.name}`
  for (const loop of loops)
    await writeFile(join(folder, `${loop.pid}.iolog`), [...iolog(loop.requests, path, 'none')].join(''))
  await writeFile(
    join(folder, 'replay.fio'),
    jobFile(loops, pid => names.get(pid) ?? ''),
  )
}
