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

/** Number of lines per write. */
const LINES = 10_000

/**
 * fio's iolog, version 3: time in us since the start, path, action; of an I/O also offset and length in bytes.
 * Source: the section on trace file formats of fio's manual; that times are us, from logs that fio 3.33 wrote.
 */
export function* iolog(requests: readonly ReplayRequest[], path: (device: DeviceInfo) => string): Generator<string> {
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
