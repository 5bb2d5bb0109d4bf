/** The recordings in a folder of many: archives, and folders of per-CPU files. */
import { createHash } from 'node:crypto'
import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { noFiles, notFound, unreadable } from './refused'
import { systemCode } from './system'
import { visibleLine } from './visible'

/** A recording with the texts next to it, which is read by itself. */
export interface Recording {
  /** Its path in the folder, with `/`. */
  readonly source: string
  readonly path: string
  /** Bytes of its files. */
  readonly bytes: number
}

const ARCHIVE = /\.(?:tar|tgz|tbz2?|txz|zip|(?:tar\.)?(?:gz|bz2|xz|zst))$/i
/** A compressed per-CPU file is not a recording by itself. */
const PART = /\.blktrace\.\d+(?:\.\w+)?$/i

interface FileEntry {
  readonly name: string
  readonly path: string
  readonly size: number
}

/** Files and folders in a folder, without hidden ones; broken links are left out here, and named when their recording is read. */
function entriesOf(folder: string): { readonly files: readonly FileEntry[]; readonly folders: readonly string[] } {
  const files: FileEntry[] = []
  const folders: string[] = []
  for (const name of readdirSync(folder).sort()) {
    if (name.startsWith('.')) continue
    const path = join(folder, name)
    const stats = statSync(path, { throwIfNoEntry: false })
    if (stats?.isDirectory()) folders.push(name)
    else if (stats?.isFile()) files.push({ name, path, size: stats.size })
  }
  return { files, folders }
}

const isArchive = ({ name }: FileEntry) => ARCHIVE.test(name) && !PART.test(name)

/** Deeper folders are not looked into: a link may lead back. */
const DEEPEST = 32

/**
 * Each archive, and each folder that has files and neither folders nor archives in it; a folder with both is a recording if it has per-CPU files.
 * Throws an EngineError for the folder itself.
 */
export function recordingsIn(folder: string): readonly Recording[] {
  const found: Recording[] = []
  const walk = (path: string, source: string, depth: number) => {
    const { files, folders } = entriesOf(path)
    const archives = files.filter(isArchive)
    const others = files.filter(file => !isArchive(file))
    for (const { name, path: file, size } of archives) found.push({ source: `${source}${name}`, path: file, bytes: size })
    const isLeaf = folders.length === 0 && archives.length === 0
    if (others.length > 0 && (isLeaf || others.some(({ name }) => PART.test(name)))) {
      found.push({ source: source.replace(/\/$/, '') || '.', path, bytes: others.reduce((sum, { size }) => sum + size, 0) })
    } else if (depth < DEEPEST) for (const name of folders) walk(join(path, name), `${source}${name}/`, depth + 1)
  }
  try {
    walk(folder, '', 0)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') throw notFound(visibleLine(folder))
    if (systemCode(error) === undefined) throw error
    throw unreadable(visibleLine(folder), error)
  }
  if (found.length === 0) throw noFiles(visibleLine(folder))
  return found
}

const PIECE = 1 << 20

function sha256(path: string): string {
  const [hash, piece] = [createHash('sha256'), new Uint8Array(PIECE)]
  const fd = openSync(path, 'r')
  try {
    for (let n = readSync(fd, piece); n > 0; n = readSync(fd, piece)) hash.update(piece.subarray(0, n))
  } finally {
    closeSync(fd)
  }
  return hash.digest('hex')
}

/** Of an archive its bytes; of a folder the names and bytes of all files below it. Throws errors of the system. */
export function hashOf(path: string): string {
  if (statSync(path).isFile()) return sha256(path)
  const lines: string[] = []
  const walk = (folder: string, names: string, depth: number) => {
    const { files, folders } = entriesOf(folder)
    for (const file of files) lines.push(`${sha256(file.path)} ${names}${file.name}`)
    if (depth < DEEPEST) for (const name of folders) walk(join(folder, name), `${names}${name}/`, depth + 1)
  }
  walk(path, '', 0)
  return createHash('sha256').update(lines.join('\n')).digest('hex')
}
