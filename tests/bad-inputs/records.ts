/** Damaged blktrace files, made of the records of a real one (version 7, little-endian). */
import { readFileSync } from 'node:fs'

const FIXTURES = new URL('../fixtures/', import.meta.url)

const fixture = (path: string): Buffer => readFileSync(new URL(path, FIXTURES))

const HEADER = 48
/** Offsets of fields in a header. */
export const AT = {
  magic: 0,
  sequence: 4,
  time: 8,
  sector: 16,
  bytes: 24,
  action: 28,
  pid: 32,
  device: 36,
  cpu: 40,
  error: 44,
  pdu_len: 46,
  payload: 48,
}
const NOTE = 0x0400_0000
const CGROUP = 0x100

/** The records of a file, each as a copy. */
export function recordsOf(file: Buffer): Buffer[] {
  const records: Buffer[] = []
  for (let offset = 0; offset + HEADER <= file.length; ) {
    const length = HEADER + file.readUInt16LE(offset + AT.pdu_len)
    records.push(Buffer.from(file.subarray(offset, offset + length)))
    offset += length
  }
  return records
}

export const isNote = (record: Buffer): boolean => (record.readUInt32LE(AT.action) & NOTE) !== 0
export const isMessage = (record: Buffer): boolean => isNote(record) && (record.readUInt32LE(AT.action) & 0xff) === 2

const ALL_RECORDS = recordsOf(fixture('requeue/trace.blktrace.0'))
/** Number of records in `firstRecords`: enough for several CPUs and actions, few enough to be read fast. */
const RUN = 200

/** The first records of a recording, notes included. */
export const firstRecords = (): Buffer[] => ALL_RECORDS.slice(0, RUN).map(record => Buffer.from(record))
/** The events of `firstRecords`, without notes. */
export const firstEvents = (): Buffer[] => firstRecords().filter(record => !isNote(record))
export const EVENTS = firstEvents().length

/**
 * A record as the option `bin` of the blk tracer writes it from Linux 6.19 on: 16 bytes of version 7, then version 8
 * from the sector on.
 */
export function brokenBin(record: Buffer): Buffer {
  const broken = Buffer.from(record.subarray(0, HEADER))
  broken.writeUInt32LE(0, AT.sequence)
  broken.writeUInt32LE(record.readUInt32LE(AT.pid), 28)
  broken.writeBigUInt64LE(BigInt(record.readUInt32LE(AT.action)), 32)
  broken.writeUInt32LE(record.readUInt32LE(AT.device), 40)
  broken.writeUInt32LE(record.readUInt32LE(AT.cpu), 44)
  return broken
}

/** Changes each record in place, and joins them. */
export function changeEach(records: Buffer[], change: (record: Buffer, index: number) => void): Buffer {
  records.forEach(change)
  return Buffer.concat(records)
}

/** The first records, with event `n` changed. */
export function changeEvent(n: number, change: (record: Buffer) => void): Buffer {
  const records = firstRecords()
  const event = records.filter(record => !isNote(record))[n]
  if (event) change(event)
  return Buffer.concat(records)
}

/** Three events and the first bytes of a fourth record, which has a payload. */
export function truncateAfter(bytes: number): Buffer {
  const last =
    recordsOf(fixture('dm-remap/vda.blktrace.0')).find(record => record.length > HEADER && !isNote(record)) ??
    Buffer.alloc(0)
  return Buffer.concat([...firstEvents().slice(0, 3), last.subarray(0, bytes)])
}

const FIELDS: readonly (readonly [number, number])[] = [
  [AT.magic, 4],
  [AT.sequence, 4],
  [AT.time, 8],
  [AT.sector, 8],
  [AT.bytes, 4],
  [AT.action, 4],
  [AT.pid, 4],
  [AT.device, 4],
  [AT.cpu, 4],
  [AT.error, 2],
  [AT.pdu_len, 2],
]

/** Records with headers in the other byte order. */
export const bigEndian = (records: Buffer[]): Buffer =>
  changeEach(records, record => {
    for (const [offset, size] of FIELDS) record.subarray(offset, offset + size).reverse()
  })

/** Messages of a cgroup whose payload is too short for its id. */
export function shortCgroupMessages(): Buffer {
  const message = recordsOf(fixture('partitions-bfq-1w/trace.blktrace.1')).find(isMessage) ?? Buffer.alloc(HEADER)
  const short = Buffer.from(message.subarray(0, HEADER + 4))
  short.writeUInt32LE(short.readUInt32LE(AT.action) | CGROUP, AT.action)
  short.writeUInt16LE(4, AT.pdu_len)
  short.writeBigUInt64LE(firstEvents()[0]?.readBigUInt64LE(AT.time) ?? 0n, AT.time)
  return Buffer.concat([short, ...firstRecords()])
}

export const messages = (): Buffer =>
  Buffer.concat(recordsOf(fixture('partitions-bfq-1w/trace.blktrace.1')).filter(isMessage).slice(0, 50))

/** A million queue events, each with another value in the 32-bit field at this offset. */
export function millionEvents(field: number): Buffer {
  const event = firstEvents()[0] ?? Buffer.alloc(HEADER)
  event.writeUInt16LE(0, AT.pdu_len)
  const record = event.subarray(0, HEADER)
  const [from, count] = [record.readBigUInt64LE(AT.time), 1_000_000]
  const file = Buffer.alloc(count * HEADER)
  for (let i = 0; i < count; i++) {
    const offset = i * HEADER
    record.copy(file, offset)
    file.writeUInt32LE(0, offset + AT.sequence)
    file.writeBigUInt64LE(from + BigInt(i), offset + AT.time)
    file.writeUInt32LE((i * 4294) >>> 0, offset + field)
  }
  return file
}

/** Damages a file as a transfer in text mode does. */
export function textMode(file: Buffer): Buffer {
  return Buffer.from(file.toString('latin1').replaceAll('\n', '\r\n'), 'latin1')
}
