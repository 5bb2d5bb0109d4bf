import type { DroppedFile } from '../engine/protocol'
import type { TraceUrl } from '../link/urls'

/** A file as it was found, before anyone looked inside; `path` names the folders it was found in. */
export interface FoundFile extends DroppedFile {
  readonly source?: TraceUrl
  /** The dropped file, or the folder that contains it, by which the browser can open it again. */
  readonly handle?: FileSystemHandle
}

/** Numbers in names are compared by value: `run2` before `run10`. */
const NATURAL = new Intl.Collator('en', { numeric: true })
/** Compares files by path. Browsers list folders in any order, but the first trace becomes the baseline. */
export const comparePaths = (a: FoundFile, b: FoundFile): number => NATURAL.compare(a.path, b.path)

export const fromFile = (
  file: File,
  path = file.webkitRelativePath || file.name,
  handle?: FileSystemHandle,
): FoundFile => ({
  name: file.name,
  path,
  blob: file,
  lastModified: file.lastModified,
  ...(handle && { handle }),
})
