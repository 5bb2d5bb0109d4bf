/** Requests as lines of fio's iolog. */
import type { DeviceInfo } from '../../../web/engine/protocol'
import type { ReplayRequest } from './dump'

/** Time at which a request is replayed, ns. */
export const replayTime = ({ issued, queued, completed }: ReplayRequest): number =>
  [issued, queued, completed].find(t => !Number.isNaN(t)) ?? 0

/** fio's words for operations; others cannot be replayed. */
export const ACTIONS: Readonly<Record<string, string>> = {
  read: 'read',
  write: 'write',
  discard: 'trim',
  flush: 'sync',
}

/** Number of requests per write. */
const REQUESTS = 10_000

/** How requests keep their times: by waits (version 2), by delays (version 3), or not at all (version 2). */
export type IologTiming = 'waits' | 'delays' | 'none'

/**
 * Time between the start of fio and the first request of version 2, ms. fio reads the complete log in it, which takes
 * longer the more lines there are.
 */
const leadTime = (count: number): number => 2_000 + Math.ceil(count / 100)

/**
 * fio's iolog: path, action, and of an I/O also offset and length in bytes.
 *
 * Version 3 has a time in us before each line. fio sleeps between two lines, counts from the line before, and does not
 * make up for what it loses: each request adds to the delay of all later ones. Version 2 has lines that wait until a
 * time in ms since the start of fio. They do not add up, but what came within a millisecond is issued back to back.
 *
 * Source: the section on trace file formats of fio's manual; that times of version 3 are us, and waits of version 2 ms
 * since the start, from what fio 3.33 wrote and did.
 */
export function* iolog(
  requests: readonly ReplayRequest[],
  path: (device: DeviceInfo) => string,
  timing: IologTiming,
): Generator<string> {
  const paths = [...new Set(requests.map(r => path(r.device)))]
  const start = requests[0] ? replayTime(requests[0]) : 0
  const us = (request: ReplayRequest | undefined) => (request ? Math.round((replayTime(request) - start) / 1000) : 0)
  const prefix = (time: number) => (timing === 'delays' ? `${time} ` : '')
  yield [
    `fio version ${timing === 'delays' ? 3 : 2} iolog`,
    ...paths.flatMap(p => [`${prefix(0)}${p} add`, `${prefix(0)}${p} open`]),
    // fio refuses a file with flushes alone, but not one that also waits.
    ...(timing === 'none' ? paths.slice(0, 1).map(p => `${p} wait 0 0`) : []),
    '',
  ].join('\n')
  const lead = leadTime(requests.length)
  let waited = 0
  for (let from = 0; from < requests.length; from += REQUESTS) {
    const lines = requests.slice(from, from + REQUESTS).flatMap(request => {
      const place = request.op === 'flush' ? '0 0' : `${request.sector * 512} ${request.bytes}`
      const name = path(request.device)
      const line = `${prefix(us(request))}${name} ${ACTIONS[request.op]} ${place}\n`
      const due = lead + Math.floor(us(request) / 1000)
      if (timing !== 'waits' || due === waited) return [line]
      waited = due
      return [`${name} wait ${due} 0\n`, line]
    })
    yield lines.join('')
  }
  yield paths.map(p => `${prefix(us(requests.at(-1)))}${p} close\n`).join('')
}
