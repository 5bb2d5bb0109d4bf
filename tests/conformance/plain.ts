/**
 * Copies of recordings that the native tools can read in full: blkparse 1.2.0 drops records with a cgroup id, and
 * btt takes the majors 9, 253 and 254 for device mapper whatever they are: those of devices that issue requests
 * become 8. Nothing else is changed.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const HEADER = 48
const CGROUP = 0x100
const CGROUP_BYTES = 8
const NOTIFY = 1 << 26
/** Majors that btt takes for device mapper. */
const REMAPPERS = new Set([9, 253, 254])
const SD = 8
const ISSUE = 7

interface FileRecord {
  readonly header: Buffer
  readonly payload: Buffer
  /** An event, not a message or a notification of the tracer. */
  readonly isEvent: boolean
}

const recordsOf = (bytes: Buffer): readonly FileRecord[] => {
  const records: FileRecord[] = []
  for (let offset = 0; offset + HEADER <= bytes.length; ) {
    const header = bytes.subarray(offset, offset + HEADER)
    const end = offset + HEADER + header.readUInt16LE(46)
    records.push({
      header,
      payload: bytes.subarray(offset + HEADER, end),
      isEvent: (header.readUInt32LE(28) & NOTIFY) === 0,
    })
    offset = end
  }
  return records
}

/** The per-CPU files of one base name, with their records. */
const filesOf = (folder: string, base: string) =>
  readdirSync(folder)
    .filter(name => name.startsWith(`${base}.blktrace.`))
    .map(name => ({ name, records: recordsOf(readFileSync(join(folder, name))) }))

const issues = ({ header, isEvent }: FileRecord): boolean => isEvent && (header.readUInt16LE(28) & ~CGROUP) === ISSUE

/** Base names of the recordings in a folder. Those of a device that was not used are no trace on their own. */
export const basesOf = (folder: string): readonly string[] => {
  const hasEvents = (name: string) => recordsOf(readFileSync(join(folder, name))).some(({ isEvent }) => isEvent)
  const used = readdirSync(folder).filter(name => name.includes('.blktrace.') && hasEvents(name))
  return [...new Set(used.map(name => name.replace(/\.blktrace\.\d+$/, '')))]
}

const plainRecord = ({ header: original, payload }: FileRecord, disk: boolean): readonly Buffer[] => {
  const header = Buffer.from(original)
  const action = header.readUInt32LE(28)
  const skipped = action & CGROUP ? CGROUP_BYTES : 0
  header.writeUInt32LE((action & ~CGROUP) >>> 0, 28)
  header.writeUInt16LE(payload.length - skipped, 46)
  const device = header.readUInt32LE(36)
  if (disk && REMAPPERS.has(device >>> 20)) header.writeUInt32LE(((SD << 20) | (device & 0xfffff)) >>> 0, 36)
  return [header, payload.subarray(skipped)]
}

/**
 * Copies the per-CPU files of one base (`trace`, `vda`) of a folder into another; on request with the majors that they
 * have.
 */
export const copyPlain = (
  from: string,
  base: string,
  to: string,
  majors: 'for btt' | 'as they are' = 'for btt',
): void => {
  const files = filesOf(from, base)
  const disk = majors === 'for btt' && files.some(({ records }) => records.some(issues))
  for (const { name, records } of files)
    writeFileSync(join(to, name), Buffer.concat(records.flatMap(record => plainRecord(record, disk))))
}

const timeOf = ({ header }: FileRecord): bigint => header.readBigUInt64LE(8)

/**
 * Leaves only the events from a time on in the per-CPU files of one base, as if the recording had begun there; messages
 * and notifications stay.
 */
export const cutBefore = (folder: string, base: string, time: bigint): void => {
  for (const { name, records } of filesOf(folder, base)) {
    const remaining = records.filter(record => !record.isEvent || timeOf(record) >= time)
    writeFileSync(join(folder, name), Buffer.concat(remaining.flatMap(({ header, payload }) => [header, payload])))
  }
}

/** Times of the events in each per-CPU file of one base, by its name. */
export const timesOf = (folder: string, base: string): ReadonlyMap<string, readonly bigint[]> =>
  new Map(
    filesOf(folder, base).map(({ name, records }) => [name, records.filter(({ isEvent }) => isEvent).map(timeOf)]),
  )

/** The device that the records of one base name, as `major,minor`. */
export const deviceOf = (folder: string, base: string): string => {
  const devices = filesOf(folder, base).flatMap(({ records }) => records.map(({ header }) => header.readUInt32LE(36)))
  const device = devices.find(number => number !== 0)
  if (device === undefined) throw new Error(`no device in ${folder}/${base}`)
  return `${device >>> 20},${device & 0xfffff}`
}
