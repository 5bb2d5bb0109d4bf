/**
 * Files that are read at any offset. They are opened when they are read, a few at a time: a folder may have more files
 * than a process may open.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { unreadable } from './refused'
import { endSpool } from './spool'
import { systemCode } from './system'

/** A file of the file system, by name: bytes where they are not UTF-8. `id` is its `fileId`. */
interface NamedPlace {
  readonly file: string | Uint8Array
  readonly id: string
}

/** Location of an input's bytes: a file, or an offset in a temporary file that is open in all threads. */
export type InputPlace = NamedPlace | { readonly fd: number; readonly start: number }

/** A file that can be read at any offset. */
export interface InputFile {
  /** Name without control characters. */
  readonly name: string
  readonly path: string
  readonly size: number
  /** ms since 1970. */
  readonly lastModified: number
  /** Whether the command line names this file itself, not only its directory. */
  readonly named: boolean
  /** Index of the argument of the command that led to it. */
  readonly argument?: number
  /** Format of `blkparse -f` in which it may be printed. */
  readonly pattern?: string
  /** The text that it was decoded or extracted from. */
  readonly text?: InputFile
  /** `fileId` of the file, or of the archive that contains it. */
  readonly id?: string
  readonly place: InputPlace
  /**
   * Reads `length` bytes, fewer only at the end. May fill and return `into`, which has at least `length` bytes.
   * Throws an EngineError.
   */
  read(offset: number, length: number, into?: Uint8Array): Uint8Array
}

/** Identifies a file; equal for all its names (hard links). */
export const fileId = ({ dev, ino }: { readonly dev: bigint; readonly ino: bigint }): string => `${dev}:${ino}`

/** Files that a thread keeps open: of a recording of 64 CPUs all. 1024 is what a process may usually open. */
const MAX_OPEN_FILES = Math.max(4, Math.min(64, Math.floor(512 / availableParallelism())))

/** Open files of this thread, the one that was read last at the end. */
const open = new Map<string, number>()

/** Closes the files that were read first, down to a number of them. */
function closeDownTo(maxOpen: number): void {
  for (const [key, fd] of open) {
    if (open.size <= maxOpen) return
    open.delete(key)
    closeSync(fd)
  }
}

function openedAnew({ file, id }: NamedPlace): number {
  const name = typeof file === 'string' ? file : Buffer.from(file)
  let fd: number
  try {
    fd = openSync(name, 'r')
  } catch (error) {
    if (systemCode(error) !== 'EMFILE' || open.size === 0) throw error
    closeDownTo(0)
    fd = openSync(name, 'r')
  }
  if (fileId(fstatSync(fd, { bigint: true })) === id) return fd
  closeSync(fd)
  throw new Error('it was replaced by another file while it was read')
}

function descriptorOf(place: InputPlace): number {
  if ('fd' in place) return place.fd
  const fd = open.get(place.id) ?? openedAnew(place)
  open.delete(place.id)
  closeDownTo(MAX_OPEN_FILES - 1)
  open.set(place.id, fd)
  return fd
}

/** Closes all files. They are opened again when they are read; what was unpacked is gone. */
export function closeInputs(): void {
  closeDownTo(0)
  endSpool()
}

/** Fills `into` from a place in an open file; shorter only at the end of the file. */
function readFully(fd: number, into: Uint8Array, offset: number): Uint8Array {
  for (let total = 0; total < into.length; ) {
    const n = readSync(fd, into, total, into.length - total, offset + total)
    if (n === 0) return into.subarray(0, total)
    total += n
  }
  return into
}

export function inputAt(file: Omit<InputFile, 'place' | 'read'>, place: InputPlace): InputFile {
  const start = 'fd' in place ? place.start : 0
  const read: InputFile['read'] = (offset, length, into) => {
    const count = Math.max(0, Math.min(length, file.size - offset))
    try {
      return readFully(descriptorOf(place), into ? into.subarray(0, count) : new Uint8Array(count), start + offset)
    } catch (error) {
      throw unreadable(file.path, error)
    }
  }
  return { ...file, place, read }
}

/** A file that another thread reads in its place. */
export type PlacedFile = Pick<InputFile, 'name' | 'path' | 'size' | 'pattern' | 'place'>

/** The fields of an input that can be posted to another thread. */
export const placedFile = ({ name, path, size, pattern, place }: InputFile): PlacedFile => ({
  name,
  path,
  size,
  place,
  ...(pattern !== undefined && { pattern }),
})

/** The input for a file that another thread posted. */
export const inputOfPlaced = ({ place, ...file }: PlacedFile): InputFile =>
  inputAt({ ...file, lastModified: 0, named: false }, place)
