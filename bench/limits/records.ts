/**
 * blktrace records in any number (little-endian), each as small as the format allows. Fields are those of the kernel's
 * `struct blk_io_trace`.
 */

/** Low half of an action: what happened. */
export const Action = { Q: 1, M: 2, F: 3, G: 4, R: 6, D: 7, C: 8, P: 9, U: 10, I: 12, X: 13, A: 15 } as const
const READ = 1 << 16
const NOTIFY = 1 << 26
/** Records of the tracer itself. */
const Note = { process: NOTIFY, message: NOTIFY | 2 } as const

const HEADER = 48
const HEADER_V8 = 64
const MAGIC = 0x6561_7400

export interface RecordFields {
  /** ns */
  readonly time: number
  readonly action: number
  /** Upper half of an action, in version 8. */
  readonly high?: number
  readonly sector?: number | bigint
  readonly sectors?: number
  readonly pid?: number
  readonly cpu?: number
  /** Minor number of the device. */
  readonly minor?: number
  readonly payload?: Uint8Array
}

/** `count` records. */
export function records(count: number, fields: (i: number) => RecordFields, version: 7 | 8 = 7): Buffer {
  return Buffer.concat(Array.from({ length: count }, (_, i) => record(fields(i), version)))
}

function record(
  { time, action, high = 0, sector = 0, sectors = 8, pid = 1, cpu = 0, minor = 0, payload }: RecordFields,
  version: 7 | 8,
): Buffer {
  const length = payload?.length ?? 0
  const size = version === 7 ? HEADER : HEADER_V8
  const to = Buffer.alloc(size + length)
  const word = (action & NOTIFY) === 0 ? action | READ : action
  const device = (8 << 20) | minor
  to.writeUInt32LE(MAGIC + version, 0)
  to.writeBigUInt64LE(BigInt(time), 8)
  to.writeBigUInt64LE(BigInt(sector), 16)
  to.writeUInt32LE(sectors * 512, 24)
  if (version === 7) {
    for (const [i, field] of [word, pid, device, cpu].entries()) to.writeUInt32LE(field >>> 0, 28 + 4 * i)
    to.writeUInt16LE(length, 46)
  } else {
    to.writeUInt32LE(pid, 28)
    to.writeUInt32LE(word, 32)
    to.writeUInt32LE(high, 36)
    to.writeUInt32LE(device, 40)
    to.writeUInt32LE(cpu, 44)
    to.writeUInt16LE(length, 50)
  }
  if (payload) to.set(payload, size)
  return to
}

const LIFE = [Action.Q, Action.G, Action.D, Action.C]

/** The next event of requests that follow each other: queued, allocated, issued, completed. */
export const life = (i: number): RecordFields => ({
  time: 1000 * (i + 1),
  action: LIFE[i % 4] ?? Action.Q,
  sector: 8 * (i >> 2),
})

export const processNote = (i: number): RecordFields => ({
  time: 1,
  action: Note.process,
  pid: i + 1,
  payload: Buffer.from(`task-${i}`.padEnd(16, '\0')),
})

export const message = (i: number, text: string): RecordFields => ({
  time: 1000 * (i + 1),
  action: Note.message,
  payload: Buffer.from(text),
})
