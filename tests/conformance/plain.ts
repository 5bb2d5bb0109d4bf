/**
 * Copies of recordings that the native tools can read in full: blkparse 1.2.0 drops records with a cgroup id,
 * and btt takes the majors 9, 253 and 254 for device mapper whatever they are: those of devices that issue requests become 8.
 * Nothing else is changed.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const HEADER = 48
const CGROUP = 0x100
const CGROUP_BYTES = 8
const NOTIFY = 1 << 26
/** Majors that btt files under device mapper. */
const REMAPPERS = new Set([9, 253, 254])
const SD = 8
const ISSUE = 7

const issues = (bytes: Buffer): boolean => {
  for (let at = 0; at + HEADER <= bytes.length; at += HEADER + bytes.readUInt16LE(at + 46)) {
    if ((bytes.readUInt16LE(at + 28) & ~CGROUP) === ISSUE && (bytes.readUInt32LE(at + 28) & NOTIFY) === 0) return true
  }
  return false
}

const hasEvents = (bytes: Buffer): boolean => {
  for (let at = 0; at + HEADER <= bytes.length; at += HEADER + bytes.readUInt16LE(at + 46))
    if ((bytes.readUInt32LE(at + 28) & NOTIFY) === 0) return true
  return false
}

/** Base names of the recordings in a folder. Those of a device that was not used are no trace on their own. */
export const basesOf = (folder: string): readonly string[] => {
  const used = readdirSync(folder).filter(name => name.includes('.blktrace.') && hasEvents(readFileSync(join(folder, name))))
  return [...new Set(used.map(name => name.replace(/\.blktrace\.\d+$/, '')))]
}

const plainFile = (bytes: Buffer, disk: boolean): Buffer => {
  const out: Buffer[] = []
  for (let at = 0; at + HEADER <= bytes.length; ) {
    const size = bytes.readUInt16LE(at + 46)
    const header = Buffer.from(bytes.subarray(at, at + HEADER))
    let payload = bytes.subarray(at + HEADER, at + HEADER + size)
    const action = header.readUInt32LE(28)
    if (action & CGROUP) {
      header.writeUInt32LE((action & ~CGROUP) >>> 0, 28)
      payload = payload.subarray(CGROUP_BYTES)
      header.writeUInt16LE(payload.length, 46)
    }
    const device = header.readUInt32LE(36)
    if (disk && REMAPPERS.has(device >>> 20)) header.writeUInt32LE(((SD << 20) | (device & 0xfffff)) >>> 0, 36)
    out.push(header, payload)
    at += HEADER + size
  }
  return Buffer.concat(out)
}

/** Copies the per-CPU files of one base (`trace`, `vda`) of a folder into another; on request with the majors that they have. */
export const plainCopy = (from: string, base: string, to: string, majors: 'for btt' | 'as they are' = 'for btt'): void => {
  const names = readdirSync(from).filter(name => name.startsWith(`${base}.blktrace.`))
  const files = names.map(name => [name, readFileSync(join(from, name))] as const)
  const disk = majors === 'for btt' && files.some(([, bytes]) => issues(bytes))
  for (const [name, bytes] of files) writeFileSync(join(to, name), plainFile(bytes, disk))
}

/** Leaves only the records from a time on in the per-CPU files of one base, as if the recording had begun there; those of the tracer stay. */
export const cutBefore = (folder: string, base: string, time: bigint): void => {
  for (const name of readdirSync(folder).filter(name => name.startsWith(`${base}.blktrace.`))) {
    const bytes = readFileSync(join(folder, name))
    const kept: Buffer[] = []
    for (let at = 0, next = 0; at + HEADER <= bytes.length; at = next) {
      next = at + HEADER + bytes.readUInt16LE(at + 46)
      if (bytes.readUInt32LE(at + 28) & NOTIFY || bytes.readBigUInt64LE(at + 8) >= time) kept.push(bytes.subarray(at, next))
    }
    writeFileSync(join(folder, name), Buffer.concat(kept))
  }
}

/** Times of the events of one base, ascending. */
export const timesOf = (folder: string, base: string): BigUint64Array => {
  const times: bigint[] = []
  for (const name of readdirSync(folder).filter(name => name.startsWith(`${base}.blktrace.`))) {
    const bytes = readFileSync(join(folder, name))
    for (let at = 0; at + HEADER <= bytes.length; at += HEADER + bytes.readUInt16LE(at + 46))
      if ((bytes.readUInt32LE(at + 28) & NOTIFY) === 0) times.push(bytes.readBigUInt64LE(at + 8))
  }
  return BigUint64Array.from(times).sort()
}

/** The device that the records of one base name, as `major,minor`. */
export const deviceOf = (folder: string, base: string): string => {
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(`${base}.blktrace.`)) continue
    const bytes = readFileSync(join(folder, name))
    for (let at = 0; at + HEADER <= bytes.length; at += HEADER + bytes.readUInt16LE(at + 46)) {
      const device = bytes.readUInt32LE(at + 36)
      if (device !== 0) return `${device >>> 20},${device & 0xfffff}`
    }
  }
  throw new Error(`no device in ${folder}/${base}`)
}
