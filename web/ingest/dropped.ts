/** Collects the files of a drop; folders are read recursively. */
import { comparePaths, type FoundFile, fromFile } from './found'

/** Hidden files and the leftovers of archives and file managers are not traces. */
const SKIPPED = /^(\.|__MACOSX$|Thumbs\.db$|desktop\.ini$)/

declare global {
  interface DataTransferItem {
    /** Missing in some browsers, and therefore in TypeScript's library. */
    getAsFileSystemHandle?(): Promise<FileSystemHandle | null>
  }
}

type Handles = readonly (FileSystemHandle | undefined)[]

/**
 * Handles of the dropped files and folders, in the order of `entriesOf`, by which they can be opened again after a
 * reload; none for those of which the browser gives none. Must be called within the drop event.
 */
export function handlesOf(items: DataTransferItemList): Promise<Handles> {
  const askFor = async (item: DataTransferItem) => {
    try {
      return (await item.getAsFileSystemHandle?.()) ?? undefined
    } catch {
      return undefined
    }
  }
  return Promise.all([...items].flatMap(item => (item.kind === 'file' ? [askFor(item)] : [])))
}

/** Must be called within the drop event: entries become invalid afterwards. A file created by a page has no entry. */
export function entriesOf(items: DataTransferItemList): (FileSystemEntry | File)[] {
  return [...items].flatMap(item => (item.kind === 'file' ? (item.webkitGetAsEntry() ?? item.getAsFile() ?? []) : []))
}

const fileOf = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((resolve, reject) => entry.file(resolve, reject))

/** All entries of a folder: browsers return them in batches, until an empty one. */
async function readFolder(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader()
  const entries: FileSystemEntry[] = []
  for (;;) {
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (batch.length === 0) return entries
    entries.push(...batch)
  }
}

async function walk(
  entry: FileSystemEntry | File,
  into: string,
  dropped: boolean,
  handle: FileSystemHandle | undefined,
): Promise<FoundFile[]> {
  if (entry instanceof File) return [fromFile(entry, entry.name, handle)]
  if (!dropped && SKIPPED.test(entry.name)) return []
  const path = into === '' ? entry.name : `${into}/${entry.name}`
  if (entry.isFile) return [fromFile(await fileOf(entry as FileSystemFileEntry), path, handle)]
  const inside = await readFolder(entry as FileSystemDirectoryEntry)
  const files = await Promise.all(inside.map(e => walk(e, path, false, handle)))
  return files.flat()
}

/** Files of the entries and of all folders below them, ordered by path. Rejects if the browser cannot read one. */
export async function filesOf(
  entries: readonly (FileSystemEntry | File)[],
  asked?: Promise<Handles>,
): Promise<FoundFile[]> {
  const handles = await asked
  const files = (await Promise.all(entries.map((e, i) => walk(e, '', true, handles?.[i])))).flat()
  return files.sort(comparePaths)
}
