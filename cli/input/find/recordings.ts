/** The recordings in a folder of many: archives, and folders of per-CPU files. */
import { createHash } from 'node:crypto'
import { closeSync, fstatSync, openSync, readdirSync, readSync, type Stats, statSync } from 'node:fs'
import { relative } from 'node:path'
import type { EngineError } from '../../../web/engine/protocol'
import { visibleLine } from '../../../web/lib/text/visible'
import { noFiles, notFound, notUtf8, unreadable } from './refused'
import { systemCode } from './system'
import { createWalk, type FolderEntry, namedPath, type Skip, type SystemPath } from './walk'

/** A recording with the texts next to it, which is read by itself. */
export interface Recording {
  /** Path within the folder, with `/`. */
  readonly source: string
  readonly path: string
  /** Bytes of its files. */
  readonly bytes: number
}

const ARCHIVE = /\.(?:tar|tgz|tbz2?|txz|zip|(?:tar\.)?(?:gz|bz2|xz|zst))$/i
/** A compressed per-CPU file is not a recording by itself. */
const PART = /\.blktrace\.\d+(?:\.\w+)?$/i

interface RecordedFile {
  readonly name: string
  readonly path: SystemPath
  readonly size: number
}

const nameOf = ({ name }: FolderEntry): string => name.toString()
const inOrder = (a: { readonly name: string }, b: { readonly name: string }): number => (a.name < b.name ? -1 : 1)

/** Files and folders in a folder, with the names of folders. */
function sorted(entries: readonly FolderEntry[], skip: Skip) {
  const files: RecordedFile[] = []
  const folders: { readonly name: string; readonly path: SystemPath }[] = []
  for (const entry of entries) {
    const [name, { path }] = [nameOf(entry), entry]
    if (entry.isFolder) folders.push({ name, path })
    else {
      try {
        files.push({ name, path, size: statSync(path.file).size })
      } catch (error) {
        skip(unreadable(path.shown, error))
      }
    }
  }
  return { files: files.sort(inOrder), folders: folders.sort(inOrder) }
}

/** A folder, and what its files are named by: a path in the first folder, with `/` at its end. */
interface FolderToVisit {
  readonly path: SystemPath
  readonly source: string
}

/** Visits a folder and all that `visit` returns, each before the next one. Folders may be deeper than calls can be. */
function visitAll(first: FolderToVisit, visit: (path: SystemPath, source: string) => readonly FolderToVisit[]): void {
  const rest = [first]
  for (let next = rest.pop(); next; next = rest.pop())
    for (const inner of [...visit(next.path, next.source)].reverse()) rest.push(inner)
}

const isArchive = ({ name }: { readonly name: string }) => ARCHIVE.test(name) && !PART.test(name)

/** Whether a skipped entry may be a recording: a broken link, a folder, or a name like that of one. */
const mayBeRecording = ({ code, at: place }: EngineError): boolean =>
  code !== 'not-a-file' || ARCHIVE.test(place?.file ?? '') || PART.test(place?.file ?? '')

/** Throws an EngineError where a folder cannot be read at all. */
function checkFolder(folder: string): void {
  try {
    readdirSync(folder)
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    throw systemCode(error) === 'ENOENT' ? notFound(visibleLine(folder)) : unreadable(visibleLine(folder), error)
  }
}

/**
 * Finds recordings: each archive, and each folder that has files and neither folders nor archives in it. A folder
 * with per-CPU files is one recording with all its contents: an archive there is usually a text that was printed from
 * them. `skip` gets what cannot be read; entries within a recording are reported when it is read. Throws an
 * EngineError for the folder itself.
 */
export function recordingsIn(folder: string, skip: Skip): readonly Recording[] {
  checkFolder(folder)
  const found: Recording[] = []
  let problems: EngineError[] = []
  let skipped = 0
  const walk = createWalk(namedPath(folder), problem => void problems.push(problem))
  const add = (path: SystemPath, source: string, bytes: number) => {
    // Recordings are known by their paths, also in tables.
    if (typeof path.file === 'string') found.push({ source, path: path.file, bytes })
    else problems.push(notUtf8(path.shown))
  }
  const visit = (folderPath: SystemPath, source: string): readonly FolderToVisit[] => {
    problems = []
    const { files, folders } = sorted(walk.entries(folderPath), problem => void problems.push(problem))
    const archives = files.filter(isArchive)
    const otherFiles = files.filter(file => !isArchive(file))
    const isLeaf = folders.length === 0 && archives.length === 0
    const isRecording = otherFiles.length > 0 && (isLeaf || otherFiles.some(({ name }) => PART.test(name)))
    if (isRecording) {
      // The folder is read as one, so that the engine sees which texts were printed from which files.
      problems = []
      const bytes = files.reduce((sum, { size }) => sum + size, 0)
      add(folderPath, source.replace(/\/$/, '') || '.', bytes)
    } else for (const { name, path, size } of archives) add(path, `${source}${name}`, size)
    for (const problem of problems.filter(mayBeRecording)) {
      skipped += 1
      skip(problem)
    }
    return isRecording ? [] : folders.map(({ name, path }) => ({ path, source: `${source}${name}/` }))
  }
  visitAll({ path: namedPath(folder), source: '' }, visit)
  if (found.length === 0 && skipped === 0) throw noFiles(visibleLine(folder))
  return found
}

const MIN_PIECE_BYTES = 4 << 10
const MAX_PIECE_BYTES = 1 << 20
const SECTOR = 512
/** Bytes of holes in a file that is still hashed: about a second of zeros. */
const MAX_HOLES = 1 << 30

/** Whether more of a file is holes than is worth reading: a terabyte of them takes no room on the disk. */
const isSparse = ({ size, blocks }: Stats): boolean => size - blocks * SECTOR > MAX_HOLES

/** Throws `Sparse`, and errors of the system. */
function sha256(path: string | Buffer): string {
  const hash = createHash('sha256')
  const fd = openSync(path, 'r')
  try {
    const stats = fstatSync(fd)
    if (isSparse(stats)) throw new Sparse()
    // Not larger than the file: a fleet has thousands of small ones. Those of /proc have no size.
    const piece = new Uint8Array(Math.min(MAX_PIECE_BYTES, Math.max(MIN_PIECE_BYTES, stats.size)))
    for (let n = readSync(fd, piece); n > 0; n = readSync(fd, piece)) hash.update(piece.subarray(0, n))
  } finally {
    closeSync(fd)
  }
  return hash.digest('hex')
}

class Sparse extends Error {}

/**
 * Of an archive its bytes; of a folder the names and bytes of all files below it, and the names of what cannot be read.
 * Absent of sparse files: whether they have changed is not known. Throws errors of the system.
 */
export function hashOf(path: string): string | undefined {
  try {
    return hashOfFiles(path)
  } catch (error) {
    if (error instanceof Sparse) return undefined
    throw error
  }
}

function hashOfFiles(path: string): string {
  if (statSync(path).isFile()) return sha256(path)
  const lines: string[] = []
  const skip: Skip = ({ code, at: place }) => void lines.push(`${code} ${relative(path, place?.file ?? '')}`)
  const walk = createWalk(namedPath(path), skip)
  const visit = (folder: SystemPath, names: string): readonly FolderToVisit[] => {
    const { files, folders } = sorted(walk.entries(folder), skip)
    for (const file of files) {
      try {
        lines.push(`${sha256(file.path.file)} ${names}${file.name}`)
      } catch (error) {
        if (error instanceof Sparse) throw error
        skip(unreadable(file.path.shown, error))
      }
    }
    return folders.map(({ name, path: inner }) => ({ path: inner, source: `${names}${name}/` }))
  }
  visitAll({ path: namedPath(path), source: '' }, visit)
  return createHash('sha256').update(lines.join('\n')).digest('hex')
}
