/** Paths of the command line to files: per-CPU file, base name, directory, standard input. */
import { closeSync, fstatSync, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** Where the bytes of an input are: in an open file from `start` on, or in memory. Descriptors are those of the process: all threads can use them. */
export type InputPlace = { readonly fd: number; readonly start: number } | { readonly bytes: Uint8Array }

/** A file that can be read at any offset. */
export interface InputFile {
  readonly name: string
  readonly path: string
  readonly size: number
  /** ms since 1970. */
  readonly lastModified: number
  /** The command line names this file, not only its directory. */
  readonly named: boolean
  /** Format of `blkparse -f` in which it may be printed. */
  readonly pattern?: string
  readonly place: InputPlace
  /** Fewer than `length` bytes only at the end. May fill and return `into`, of at least `length` bytes. */
  read(offset: number, length: number, into?: Uint8Array): Uint8Array
  close(): void
}

/** An input that does not exist or cannot be opened. */
export class UnreadableInput extends Error {
  constructor(
    readonly path: string,
    readonly code: 'not-found' | 'unreadable',
    message: string,
  ) {
    super(message)
  }
}

/** Fills `into` from a place in an open file; shorter only at the end of the file. */
export function readFully(fd: number, into: Uint8Array, at: number): Uint8Array {
  for (let done = 0; done < into.length; ) {
    const n = readSync(fd, into, done, into.length - done, at + done)
    if (n === 0) return into.subarray(0, done)
    done += n
  }
  return into
}

/** The input of a place; `close` if it is not of others. */
export function inputAt(
  file: Pick<InputFile, 'name' | 'path' | 'size' | 'lastModified' | 'named' | 'pattern'>,
  place: InputPlace,
  close: () => void = () => undefined,
): InputFile {
  const read: InputFile['read'] = (offset, length, into) => {
    if ('bytes' in place) return place.bytes.subarray(offset, offset + length)
    const most = Math.max(0, Math.min(length, file.size - offset))
    return readFully(place.fd, into ? into.subarray(0, most) : new Uint8Array(most), place.start + offset)
  }
  return { ...file, place, read, close }
}

/** A file that another thread reads in its place. */
export type PlacedFile = Pick<InputFile, 'name' | 'path' | 'size' | 'pattern'> & { readonly place: InputPlace }

/** A file for another thread. */
export const placedFile = ({ name, path, size, pattern, place }: InputFile): PlacedFile => ({
  name,
  path,
  size,
  place,
  ...(pattern !== undefined && { pattern }),
})

/** A file of another thread; it stays open, and the thread that opened it closes it. */
export const inputOfPlaced = ({ place, ...file }: PlacedFile): InputFile => inputAt({ ...file, lastModified: 0, named: false }, place)

const memoryInput = (path: string, bytes: Uint8Array): InputFile =>
  inputAt({ name: basename(path), path, size: bytes.length, lastModified: 0, named: true }, { bytes })

function fileInput(path: string, named: boolean): InputFile {
  const fd = openSync(path, 'r')
  const { size, mtimeMs } = fstatSync(fd)
  return inputAt({ name: basename(path), path, size, lastModified: mtimeMs, named }, { fd, start: 0 }, () => closeSync(fd))
}

/** All files below, without hidden ones. */
function below(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter(entry => !entry.name.startsWith('.'))
    .sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }))
    .flatMap(entry => {
      const path = join(folder, entry.name)
      const info = entry.isSymbolicLink() ? statSync(path) : entry
      if (info.isDirectory()) return below(path)
      return info.isFile() ? [path] : []
    })
}

/** Files of a base name: `dir/sda` gives `dir/sda.blktrace.*`. */
function ofBase(path: string): string[] {
  const prefix = `${basename(path)}.blktrace.`
  const folder = dirname(path)
  const names = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(folder) : []
  return names.filter(name => name.startsWith(prefix)).map(name => join(folder, name))
}

/** Throws UnreadableInput. */
export function resolveInputs(path: string): InputFile[] {
  if (path === '-') return [memoryInput('standard-input', readFileSync(0))]
  const info = statSync(path, { throwIfNoEntry: false })
  const isFolder = info?.isDirectory() ?? false
  const files = isFolder ? below(path) : info ? [path] : ofBase(path)
  if (files.length === 0) {
    throw new UnreadableInput(
      path,
      'not-found',
      isFolder ? 'The directory contains no files.' : 'No such file, base name or directory. Check the path.',
    )
  }
  try {
    return files.map(file => fileInput(file, !isFolder))
  } catch (error) {
    throw new UnreadableInput(path, 'unreadable', error instanceof Error ? error.message : String(error))
  }
}
