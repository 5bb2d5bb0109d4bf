/**
 * Lists untrusted folders. Each folder is read once, whatever symbolic links lead to it: two links back to a parent
 * would otherwise double the work at every level. An unreadable entry is skipped and reported; the others are still
 * listed.
 */
import { isUtf8 } from 'node:buffer'
import { type Dirent, readdirSync, realpathSync, type Stats, statSync } from 'node:fs'
import { join } from 'node:path'
import type { EngineError } from '../../../web/engine/protocol'
import { visibleLine } from '../../../web/lib/text/visible'
import { fileId } from './inputs'
import { brokenLink, loop, special, unreadable } from './refused'

/** Called with each input that is skipped. */
export type Skip = (problem: EngineError) => void

/**
 * A path as the system takes it, and as it is shown: bytes that are not UTF-8 as `\xff`, control characters as
 * `\u001b`.
 */
export interface SystemPath {
  readonly file: string | Buffer
  readonly shown: string
}

export const namedPath = (path: string): SystemPath => ({ file: path, shown: visibleLine(path) })

function inside({ file, shown }: SystemPath, name: Buffer): SystemPath {
  const text = isUtf8(name)
    ? name.toString()
    : name.toString('latin1').replace(/[\x80-\xff]/g, c => `\\x${c.charCodeAt(0).toString(16)}`)
  const path =
    typeof file === 'string' && isUtf8(name)
      ? join(file, text)
      : Buffer.concat([Buffer.from(file), Buffer.from('/'), name])
  return { file: path, shown: join(shown, visibleLine(text)) }
}

/** A file or folder in a folder. */
export interface FolderEntry {
  readonly name: Buffer
  readonly path: SystemPath
  readonly isFolder: boolean
}

/** A walk over a folder and those below it. */
export interface FolderWalk {
  /**
   * Files and folders by name, without hidden ones, of the first folder or of one that was returned before. Calls
   * `skip` with what cannot be read.
   */
  entries(folder: SystemPath): readonly FolderEntry[]
}

const byName = (a: Dirent<Buffer>, b: Dirent<Buffer>): number =>
  a.name.toString().localeCompare(b.name.toString(), 'en', { numeric: true })
const DOT = 0x2e

/** The real path, a character per byte. */
export const realPath = ({ file }: Pick<SystemPath, 'file'>): string =>
  realpathSync.native(file, 'buffer').toString('latin1')

/** The path with a trailing slash. */
const asFolder = (path: string): string => (path.endsWith('/') ? path : `${path}/`)

export function createWalk(root: SystemPath, skip: Skip): FolderWalk {
  /** Ids of the folders that were read, and of those that contain a folder that is not read yet. */
  const read = new Set<string>()
  const above = new Map<string | Buffer, ReadonlySet<string>>()
  let top: string | undefined

  /**
   * Whether a link to a folder is followed. One that leads to a folder above leads back; one into the first folder
   * is left out, because there the folder is read under its own name.
   */
  const isFollowed = (path: SystemPath, folders: ReadonlySet<string>): boolean => {
    const id = fileId(statSync(path.file, { bigint: true }))
    top ??= asFolder(realPath(root))
    const real = asFolder(realPath(path))
    if (folders.has(id) || top.startsWith(real)) {
      skip(loop(path.shown))
      return false
    }
    const isWithin = real.startsWith(top) && !/(?:^|\/)\./.test(real.slice(top.length))
    return !isWithin && !read.has(id)
  }
  /** The kind of an entry; `undefined`: it is skipped. */
  const kindOf = (
    entry: Dirent<Buffer>,
    path: SystemPath,
    folders: ReadonlySet<string>,
  ): 'file' | 'folder' | undefined => {
    let info: Pick<Dirent<Buffer> | Stats, 'isDirectory' | 'isFile'> = entry
    if (entry.isSymbolicLink()) {
      try {
        info = statSync(path.file)
        if (info.isDirectory() && !isFollowed(path, folders)) return undefined
      } catch (error) {
        skip(brokenLink(path.shown, error))
        return undefined
      }
    }
    if (info.isDirectory()) return 'folder'
    if (info.isFile()) return 'file'
    skip(special(path.shown))
    return undefined
  }
  return {
    entries(folder) {
      let entries: Dirent<Buffer>[]
      let folders: ReadonlySet<string>
      try {
        const id = fileId(statSync(folder.file, { bigint: true }))
        if (read.has(id)) return []
        read.add(id)
        folders = new Set(above.get(folder.file)).add(id)
        above.delete(folder.file)
        entries = readdirSync(folder.file, { withFileTypes: true, encoding: 'buffer' })
      } catch (error) {
        skip(unreadable(folder.shown, error))
        return []
      }
      const shown = entries.filter(({ name }) => name[0] !== DOT).sort(byName)
      return shown.flatMap((entry): readonly FolderEntry[] => {
        const path = inside(folder, entry.name)
        const kind = kindOf(entry, path, folders)
        if (kind === 'folder') above.set(path.file, folders)
        return kind === undefined ? [] : [{ name: entry.name, path, isFolder: kind === 'folder' }]
      })
    },
  }
}

/** All files below a folder, except hidden ones. */
export function filesBelow(folder: SystemPath, skip: Skip): readonly SystemPath[] {
  const walk = createWalk(folder, skip)
  const files: SystemPath[] = []
  // Folders may be nested deeper than calls can be.
  const rest: FolderEntry[] = [...walk.entries(folder)].reverse()
  for (let entry = rest.pop(); entry; entry = rest.pop()) {
    if (!entry.isFolder) files.push(entry.path)
    else for (const inner of [...walk.entries(entry.path)].reverse()) rest.push(inner)
  }
  return files
}
