/**
 * Where records of blktrace end, in a stream that is still being written. Bytes of a record: 0 magic (u32, lowest
 * byte the version); of version 7 28 action (u32), 32 PID (u32), 46 length of the payload (u16), 48 payload; of
 * version 8 28 PID, 32 action (u64), 50 length, 64 payload. Integers are in the byte order of the traced machine.
 */

/** The three bytes of a magic above the version. */
const MAGIC = 0x656174
const NOTIFY = 1 << 26
const [PROCESS, TIMESTAMP] = [0, 1]

/** Version of the record at `offset`: 7 or 8, negative if big-endian; 0 if no record begins there. */
function readVersion(view: DataView, offset: number): number {
  const little = view.getUint32(offset, true)
  if (little >>> 8 === MAGIC) return (little & 0xff) === 7 || (little & 0xff) === 8 ? little & 0xff : 0
  const big = view.getUint32(offset, false)
  return big >>> 8 === MAGIC && ((big & 0xff) === 7 || (big & 0xff) === 8) ? -(big & 0xff) : 0
}

/** Whether bytes begin as a stream of blktrace does. */
export const isStream = (bytes: Uint8Array): boolean =>
  bytes.length >= 4 && readVersion(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), 0) !== 0

/**
 * Length of the record at `offset`; 0 if it is not complete yet. Invalid bytes up to the next magic count as one
 * record, so that they are passed on and reported.
 */
export function recordLength(view: DataView, offset: number): number {
  const left = view.byteLength - offset
  if (left < 4) return 0
  const version = readVersion(view, offset)
  if (version === 0) {
    let next = offset + 1
    while (next + 4 <= view.byteLength && readVersion(view, next) === 0) next++
    return next - offset
  }
  const wide = Math.abs(version) === 8
  const header = wide ? 64 : 48
  if (left < header) return 0
  const length = header + view.getUint16(offset + (wide ? 50 : 46), version > 0)
  return length <= left ? length : 0
}

/**
 * Key of a notification: `0 PID` for the name of a process, `1 PID` for the wall clock; `undefined` for other
 * records.
 */
function noteKey(view: DataView, offset: number): string | undefined {
  const version = readVersion(view, offset)
  if (version === 0) return undefined
  const little = version > 0
  const wide = Math.abs(version) === 8
  const action = view.getUint32(offset + (wide ? (little ? 32 : 36) : 28), little)
  const noteKind = action & 0xff
  if ((action & NOTIFY) === 0 || (noteKind !== PROCESS && noteKind !== TIMESTAMP)) return undefined
  return `${noteKind} ${view.getUint32(offset + (wide ? 28 : 32), little)}`
}

const NOTHING = new Uint8Array()

/** Cuts a stream of bytes into pieces that end where a record ends. */
export function createCutter() {
  let rest: Uint8Array = NOTHING
  return {
    /** Adds bytes and returns the records that they complete. */
    push(bytes: Uint8Array): Uint8Array {
      const all = rest.length === 0 ? bytes : concatenate([rest, bytes])
      const view = new DataView(all.buffer, all.byteOffset, all.byteLength)
      let end = 0
      for (let length = recordLength(view, end); length > 0; length = recordLength(view, end)) end += length
      rest = all.slice(end)
      return all.subarray(0, end)
    },
    /** The incomplete record at the end. */
    rest: () => rest,
  }
}

export function concatenate(pieces: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0))
  let offset = 0
  for (const piece of pieces) {
    all.set(piece, offset)
    offset += piece.length
  }
  return all
}

/** Maximum number of process names; with more processes, the oldest names are dropped. */
const MAX_NAMES = 1 << 16
/**
 * Longest notification that is stored. The kernel's names have 16 bytes: longer records are damaged, and could take
 * gigabytes.
 */
const MAX_NOTE_BYTES = 128

/**
 * Collects names and wall clock, without which a part of a stream could not be read. They are written once, at the
 * begin.
 */
export function createNotes() {
  const notes = new Map<string, Uint8Array>()
  return {
    /** Takes complete records. */
    add(bytes: Uint8Array): void {
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      let offset = 0
      for (let length = recordLength(view, offset); length > 0; offset += length, length = recordLength(view, offset)) {
        const key = noteKey(view, offset)
        if (key === undefined || length > MAX_NOTE_BYTES) continue
        const name = key.startsWith(`${PROCESS} `)
        // The first wall clock counts, and the last name of a process.
        if (!name && notes.has(key)) continue
        notes.delete(key)
        notes.set(key, bytes.slice(offset, offset + length))
        if (notes.size <= MAX_NAMES) continue
        for (const first of notes.keys()) if (first.startsWith(`${PROCESS} `) && notes.delete(first)) break
      }
    },
    bytes: (): Uint8Array => concatenate([...notes.values()]),
  }
}
