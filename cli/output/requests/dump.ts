/**
 * A dump of version 7, as `blkparse -d` writes it: records of all CPUs in one file, in the order of time,
 * little-endian.
 *
 *     offset  width  name
 *     0       4      magic 0x65617400, version in the low byte
 *     4       4      sequence, from 1
 *     8       8      time, ns
 *     16      8      sector
 *     24      4      bytes
 *     28      4      action: its number in the low half, categories in the high half
 *     32      4      pid
 *     36      4      device: major in the upper 12 bits, minor in the lower 20
 *     40      4      CPU
 *     44      2      error, of a completion
 *     46      2      length of the payload that follows
 */
import type { DeviceInfo, TraceInfo } from '../../../web/engine/protocol'

/** A request that can be replayed. Times in ns since the first event; NaN where not recorded. */
export interface ReplayRequest {
  readonly device: DeviceInfo
  readonly op: string
  /** RWBS letters as in blkparse. */
  readonly rwbs: string
  readonly sector: number
  readonly bytes: number
  readonly pid: number
  readonly submitCpu: number
  readonly completeCpu: number
  readonly error: number
  readonly queued: number
  readonly issued: number
  readonly completed: number
}

const MAGIC = 0x65617407
const SIZE = 48
const ACTIONS = { queued: 1, issued: 7, completed: 8 } as const
/** Bits of the categories, from bit 16 of the action. */
const CATEGORY = {
  read: 0,
  write: 1,
  flush: 2,
  sync: 3,
  queued: 4,
  issued: 6,
  completed: 7,
  fs: 8,
  notify: 10,
  ahead: 11,
  meta: 12,
  discard: 13,
  fua: 15,
}
/** Number of the notify record that names a process; its payload is the name in 16 bytes. */
const PROCESS = 0
const NAME = 16
const RECORDS = 4096

const bit = (name: keyof typeof CATEGORY): number => 2 ** (16 + CATEGORY[name])

/**
 * Categories of a request: RWBS is `F` for a preflush before the operation's letter, then A, S, M and, behind the
 * letter, F for FUA.
 */
function categories({ op, rwbs }: ReplayRequest): number {
  const body = rwbs.replace(/^F(?=.)/, '')
  const flags = [
    op === 'read' ? bit('read') : bit('write'),
    op === 'discard' ? bit('discard') : 0,
    op === 'flush' || rwbs.length > body.length ? bit('flush') : 0,
    /[RWD].*F/.test(body) ? bit('fua') : 0,
    body.includes('A') ? bit('ahead') : 0,
    body.includes('S') ? bit('sync') : 0,
    body.includes('M') ? bit('meta') : 0,
  ]
  return flags.reduce((a, b) => a + b, bit('fs'))
}

interface DumpEvent {
  readonly time: number
  readonly action: keyof typeof ACTIONS
  readonly request: ReplayRequest
}

function device(dev: string): number {
  const [major = 0, minor = 0] = dev.split(',').map(Number)
  return major * 2 ** 20 + minor
}

function* processes({ processes, devices }: TraceInfo): Generator<Uint8Array> {
  for (const { pid, name } of processes) {
    const bytes = Buffer.alloc(SIZE + NAME)
    bytes.writeUInt32LE(MAGIC, 0)
    bytes.writeUInt32LE(bit('notify') + PROCESS, 28)
    bytes.writeUInt32LE(pid >>> 0, 32)
    bytes.writeUInt32LE(device(devices[0]?.dev ?? '0,0'), 36)
    bytes.writeUInt16LE(NAME, 46)
    bytes.write(name.slice(0, NAME - 1), SIZE, 'utf8')
    yield bytes
  }
}

/** Q, D and C of each request, where they were recorded. */
export function* dump(requests: readonly ReplayRequest[], info: TraceInfo): Generator<Uint8Array> {
  yield* processes(info)
  const order = Object.keys(ACTIONS)
  const events = requests
    .flatMap(request =>
      (['queued', 'issued', 'completed'] as const).map(
        (action): DumpEvent => ({ time: request[action], action, request }),
      ),
    )
    .filter(event => !Number.isNaN(event.time))
    .sort((a, b) => a.time - b.time || order.indexOf(a.action) - order.indexOf(b.action))
  for (let from = 0; from < events.length; from += RECORDS) {
    const part = events.slice(from, from + RECORDS)
    const bytes = Buffer.alloc(part.length * SIZE)
    part.forEach(({ time, action, request }, i) => {
      const offset = i * SIZE
      const cpu = action === 'completed' ? request.completeCpu : request.submitCpu
      bytes.writeUInt32LE(MAGIC, offset)
      bytes.writeUInt32LE(from + i + 1, offset + 4)
      bytes.writeBigUInt64LE(BigInt(Math.round(time)), offset + 8)
      bytes.writeBigUInt64LE(BigInt(request.sector), offset + 16)
      bytes.writeUInt32LE(request.bytes, offset + 24)
      bytes.writeUInt32LE(categories(request) + bit(action) + ACTIONS[action], offset + 28)
      bytes.writeUInt32LE(request.pid >>> 0, offset + 32)
      bytes.writeUInt32LE(device(request.device.dev), offset + 36)
      bytes.writeUInt32LE(Number.isNaN(cpu) ? 0 : cpu, offset + 40)
      if (action === 'completed')
        bytes.writeUInt16LE((Number.isNaN(request.error) ? 0 : Math.abs(request.error)) & 0xffff, offset + 44)
    })
    yield bytes
  }
}
