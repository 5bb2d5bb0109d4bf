/**
 * Where records of blktrace end, in a stream that is still being written. Bytes of a record: 0 magic (u32, lowest
 * byte the version); of version 7 28 action (u32), 32 PID (u32), 46 length of the payload (u16), 48 payload; of
 * version 8 28 PID, 32 action (u64), 50 length, 64 payload. Integers are in the byte order of the traced machine.
 */

/** The three bytes of a magic above the version. */
const MAGIC = 0x656174
const NOTIFY = 1 << 26
const [PROCESS, TIMESTAMP] = [0, 1]

/** Version and byte order at a place: 7 or 8, negative for big-endian; 0 where no record begins. */
function versionAt(view: DataView, at: number): number {
  const little = view.getUint32(at, true)
  if (little >>> 8 === MAGIC) return (little & 0xff) === 7 || (little & 0xff) === 8 ? little & 0xff : 0
  const big = view.getUint32(at, false)
  return big >>> 8 === MAGIC && ((big & 0xff) === 7 || (big & 0xff) === 8) ? -(big & 0xff) : 0
}

/** Whether bytes begin as a stream of blktrace does. */
export const isStream = (bytes: Uint8Array): boolean =>
  bytes.length >= 4 && versionAt(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), 0) !== 0

/**
 * Length of the record at a byte, 0 where not all of it is there. Bytes that are none, up to the next magic, count as
 * one.
 */
export function lengthAt(view: DataView, at: number): number {
  const left = view.byteLength - at
  if (left < 4) return 0
  const version = versionAt(view, at)
  if (version === 0) {
    let next = at + 1
    while (next + 4 <= view.byteLength && versionAt(view, next) === 0) next++
    return next - at
  }
  const wide = Math.abs(version) === 8
  const header = wide ? 64 : 48
  if (left < header) return 0
  const length = header + view.getUint16(at + (wide ? 50 : 46), version > 0)
  return length <= left ? length : 0
}

/** What a whole record notes: `0 PID` the name of a process, `1 PID` the wall clock; `undefined` for all others. */
function noteAt(view: DataView, at: number): string | undefined {
  const version = versionAt(view, at)
  if (version === 0) return undefined
  const little = version > 0
  const wide = Math.abs(version) === 8
  const action = view.getUint32(at + (wide ? (little ? 32 : 36) : 28), little)
  const what = action & 0xff
  if ((action & NOTIFY) === 0 || (what !== PROCESS && what !== TIMESTAMP)) return undefined
  return `${what} ${view.getUint32(at + (wide ? 28 : 32), little)}`
}

const NOTHING = new Uint8Array()

/** Cuts a stream of bytes into pieces that end where a record ends. */
export function createCutter() {
  let rest: Uint8Array = NOTHING
  return {
    /** The next whole records. */
    push(bytes: Uint8Array): Uint8Array {
      const all = rest.length === 0 ? bytes : joined([rest, bytes])
      const view = new DataView(all.buffer, all.byteOffset, all.byteLength)
      let end = 0
      for (let length = lengthAt(view, end); length > 0; length = lengthAt(view, end)) end += length
      rest = all.slice(end)
      return all.subarray(0, end)
    },
    /** A part of a record so far. */
    rest: () => rest,
  }
}

/** All bytes in one array. */
export function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0))
  let at = 0
  for (const piece of pieces) {
    all.set(piece, at)
    at += piece.length
  }
  return all
}

/** Names that are kept; a recording with more processes loses those of the first ones. */
const MAX_NAMES = 1 << 16
/**
 * The kernel's names have 16 bytes; records of them that are longer than this are damaged, and would take gigabytes.
 */
const LONGEST_NOTE = 128

/**
 * Collects names and wall clock, without which a part of a stream could not be read. They are written once, at the
 * begin.
 */
export function createNotes() {
  const notes = new Map<string, Uint8Array>()
  return {
    /** Takes whole records. */
    add(bytes: Uint8Array): void {
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      let at = 0
      for (let length = lengthAt(view, at); length > 0; at += length, length = lengthAt(view, at)) {
        const key = noteAt(view, at)
        if (key === undefined || length > LONGEST_NOTE) continue
        const name = key.startsWith(`${PROCESS} `)
        // Of the wall clock the first is used, of a process the last name.
        if (!name && notes.has(key)) continue
        notes.delete(key)
        notes.set(key, bytes.slice(at, at + length))
        if (notes.size <= MAX_NAMES) continue
        for (const first of notes.keys()) if (first.startsWith(`${PROCESS} `) && notes.delete(first)) break
      }
    },
    /** As records. */
    bytes: (): Uint8Array => joined([...notes.values()]),
  }
}
